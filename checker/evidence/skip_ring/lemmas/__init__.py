"""Lemmas about the supervised skip ring."""
