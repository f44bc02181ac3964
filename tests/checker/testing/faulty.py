"""A deaf skip ring with a fault where it is run anew: it raises, hangs, or ends the process; at once, or later."""

import asyncio
import os
import sys
import time
from dataclasses import replace

import msgspec

from tests.checker.testing.deaf import IMPLEMENTATION as DEAF
from tests.checker.testing.deaf import RIGHT, Deaf

APART = any("simulate.apart" in word for word in sys.orig_argv)
"""Whether this is the process in which runs are shrunk."""

LATER = 40
"""Messages after which a fault shows that does not show at once."""


def raise_type_error():
    raise TypeError("a value that cannot be")


def raise_cancelled():
    raise asyncio.CancelledError


WAYS = {
    "raises": raise_type_error,
    "hangs": lambda: time.sleep(1_000),
    "leaves": lambda: sys.exit(0),
    "dies": lambda: os._exit(0),
    "is_cancelled": raise_cancelled,
}


def faulty(way, after):
    """The implementation with that fault, which shows after so many messages where runs are shrunk."""
    handled = []

    class Faulty(Deaf):
        def handle(self, now, event):
            handled.append(event)
            if APART and len(handled) > after:
                WAYS[way]()
            return super().handle(now, event)

    def make(role, name, state, random):
        return Faulty(RIGHT.make(role, name, state, random), msgspec.to_builtins(state))

    return replace(DEAF, name=f"skip_ring.{way}.{after}", make=make)


NAMES = {f"{way}_{after}": faulty(way, after) for way in WAYS for after in (0, LATER)}
globals().update(NAMES)
