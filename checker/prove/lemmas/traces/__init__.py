"""Lemmas about traces and their judgement, whichever the protocol."""
