"""Rounds of a model as tables."""
