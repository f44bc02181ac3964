"""How many examples a property is tried with: a share in `make test`, all of them in `make thorough`."""

import os

THOROUGH = bool(os.environ.get("THOROUGH"))
"""Whether all are wanted. Mutants, too, are held against all."""

SHARE = 6


def share(examples: int, part: int = SHARE, least: int = 10) -> int:
    """Of so many examples, those that are tried in this run: all, or one in `part`, but not under `least`."""
    return examples if THOROUGH else max(min(examples, least), examples // part)
