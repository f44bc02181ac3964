"""How many examples a property is tried with: a share in `make test`, all of them in `make thorough`."""

import os

THOROUGH = bool(os.environ.get("THOROUGH"))
"""Whether all are wanted. Mutants, too, are held against all."""

SHARE = 6


def half(runs: int) -> int:
    """Of so many whole runs, those that are simulated in this run: half of them, or one."""
    return runs if THOROUGH else max(1, runs // 2)


def share(examples: int) -> int:
    """Of so many examples, those that are tried in this run; never less than ten, unless there are less."""
    return examples if THOROUGH else max(min(examples, 10), examples // SHARE)
