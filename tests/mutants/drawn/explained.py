"""Mutants that were drawn and that nobody noticed: by file, line before and line after, with the reason."""

EQUAL: dict[tuple[str, str, str], str] = {}
"""Those that make no difference, and why."""

UNNOTICED: dict[tuple[str, str, str], str] = {}
"""Those that do, and which test is missing."""
