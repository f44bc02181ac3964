"""Exploration of ordered channels: values are numbered, and each local step is computed once."""
