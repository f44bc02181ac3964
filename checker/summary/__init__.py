"""Verdicts put together: rows, clusters of violations, coverage."""
