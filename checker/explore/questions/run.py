"""A run of a model: the form of counterexamples, common to all engines."""

from typing import Any

import msgspec


class Run(msgspec.Struct, frozen=True):
    """A run of a model: its states, and the actions between them.

    A lasso has one action more, which leads back to state number `back`, so that it can continue for ever.
    """

    states: tuple[Any, ...]
    actions: tuple[Any, ...]
    back: int | None = None
