"""Experiments for the claims of the report, and on variants of our rules."""
