"""Lemmas on Chord, settled by z3."""
