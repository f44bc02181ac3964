"""Progress of an exploration on standard error, with its pace: a plain line every few seconds."""

import sys
import time

from gomboc.checker.core.phrases import counted
from gomboc.checker.core.progress import cut, is_silent
from gomboc.checker.explore.questions.bounds import Report

SECONDS = 5.0
"""Seconds between two lines."""


def pace(name: str) -> Report:
    """A progress callback that prints the numbers of states so far, and the states and transitions per second."""
    began = last = time.monotonic()

    def report(explored: int, discovered: int, transitions: int) -> None:
        nonlocal last
        now = time.monotonic()
        if is_silent() or now - last < SECONDS:
            return
        last = now
        rates = f"{explored / (now - began):,.0f} states/s, {transitions / (now - began):,.0f} transitions/s"
        print(
            cut(f"{name}: {explored:,} of {counted(discovered, 'state')} found, {rates}"), file=sys.stderr, flush=True
        )

    return report
