"""Calls of `gomboc explore` for the models of `explored.py`."""

from typing import Any

from tests.checker.cli.command import gomboc

HERE = "tests.checker.cli.explored"


def explored(name: str, *words: Any) -> Any:
    """What the command says of the model of that name."""
    return gomboc("explore", f"{HERE}:{name}", *words)
