"""A deaf skip ring with a fault where it is run anew: it raises, hangs, or ends the process; at once, or later."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec

from gomboc.impl.core.automaton import Core, Implementation, Input, Output, RandomSource
from gomboc.impl.protocols.skip_ring import IMPLEMENTATION as RIGHT
from tests.checker.testing.deaf import IMPLEMENTATION as DEAF
from tests.checker.testing.deaf import Deaf

APART = any("simulate.apart" in word for word in sys.orig_argv)
"""Whether this is the process in which runs are shrunk."""

LATER = 40
"""Messages after which a fault shows that does not show at once."""


def raise_type_error() -> None:
    raise TypeError("a value that cannot be")


def raise_cancelled() -> None:
    raise asyncio.CancelledError


WAYS: dict[str, Callable[[], None]] = {
    "raises": raise_type_error,
    "hangs": lambda: time.sleep(1_000),
    "leaves": lambda: sys.exit(0),
    "dies": lambda: os._exit(0),
    "is_cancelled": raise_cancelled,
}


def faulty(way: str, after: int) -> Implementation:
    """The implementation with that fault, which shows after so many messages where runs are shrunk."""
    handled: list[Input] = []

    class Faulty(Deaf):
        def handle(self, now: float, event: Input) -> list[Output]:
            handled.append(event)
            if APART and len(handled) > after:
                WAYS[way]()
            return super().handle(now, event)

    def make(role: str, name: str, state: Any, random: RandomSource) -> Core:
        return Faulty(RIGHT.make(role, name, state, random), msgspec.to_builtins(state))

    return replace(DEAF, name=f"skip_ring.{way}.{after}", make=make)


NAMES = {f"{way}_{after}": faulty(way, after) for way in WAYS for after in (0, LATER)}
globals().update(NAMES)
