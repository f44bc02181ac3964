"""Drives an implementation under test to produce traces; the only checker folder that imports implementations."""
