"""A run of a model: what a counterexample is, whichever engine found it."""

from typing import Any

import msgspec


class Run(msgspec.Struct, frozen=True):
    """A run of a model: its states, and the actions between them.

    A lasso has one action more, which leads back to state number `back`, so that it can go on for ever.
    """

    states: tuple[Any, ...]
    actions: tuple[Any, ...]
    back: int | None = None
