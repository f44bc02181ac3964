"""Verdicts on the states that were reached."""
