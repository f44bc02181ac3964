"""Findings with a deadline: unknown if a bound is reached before they are judged."""

from collections.abc import Callable

from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.results.finding import Finding, settled
from gomboc.spec.core.model import Promise


def in_time(
    watch: BoundWatch, promise: Promise, of: str, judged: Callable[[], Finding], incomplete: str = ""
) -> Finding:
    """A finding; unknown if a bound is reached before it is judged.

    `incomplete` is the reason why the graph itself is not complete; it takes precedence over the lack of time.
    """
    try:
        watch.insist()
        return judged()
    except BoundReachedError as error:
        return settled(promise, of, "", incomplete or f"{error} while it was judged")
