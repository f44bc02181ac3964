"""The lemmas about traces and their judgement, for any protocol: a file for each, which exports LEMMAS."""
