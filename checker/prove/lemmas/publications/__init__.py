"""Lemmas about the reconciliation of publications, on an abstract model."""
