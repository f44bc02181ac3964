"""Drives an implementation under test to produce traces; the only folder of the checker that knows implementations."""
