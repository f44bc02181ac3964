"""Smaller traces with the same first violation."""
