"""A model as tables of numbers."""
