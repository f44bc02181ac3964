"""Distinct values and steps that were found right before, so that they are not judged again."""
