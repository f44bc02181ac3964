"""Findings that are unknown where a bound is reached before they are found."""

from collections.abc import Callable

from gomboc.checker.explore.bounds import BoundReachedError, Watch
from gomboc.checker.explore.finding import Finding, settled
from gomboc.spec.model import Promise


def in_time(watch: Watch, promise: Promise, of: str, judged: Callable[[], Finding], incomplete: str = "") -> Finding:
    """A finding, or that it is unknown if a bound is reached before it is found.

    `incomplete` says why the graph itself is not whole, which tells more than that there was no time to judge it.
    """
    try:
        watch.insist()
        return judged()
    except BoundReachedError as error:
        return settled(promise, of, "", incomplete or f"{error} while it was judged")
