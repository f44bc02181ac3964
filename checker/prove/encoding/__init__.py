"""Traces and judges as terms of z3, for the lemmas about judging."""
