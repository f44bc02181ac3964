"""Lemmas on Skip+."""
