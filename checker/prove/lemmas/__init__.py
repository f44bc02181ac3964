"""The lemmas about traces and their judgement, whichever the protocol: a file for each, which exports LEMMAS."""
