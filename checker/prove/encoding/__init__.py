"""Traces and judges as terms of z3, which the lemmas about judging state things about."""
