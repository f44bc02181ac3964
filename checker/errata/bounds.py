"""The values for which z3 proves a lemma: the text beside its name on a page, equal to that of `gomboc prove`."""

from collections.abc import Mapping
from functools import cache

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.registry import find_lemmas


@cache
def bounds() -> Mapping[str, str]:
    """The values that each lemma ranges over, by its name; none where z3 is not installed."""
    try:
        return {lemma.name: lemma.ranges_over for lemma in find_lemmas()}
    except UsageError:
        return {}


def bound_of(name: str) -> str:
    """The values that a lemma ranges over, in parentheses and with a space before; empty if they are not known."""
    return f" ({bounds()[name]})" if name in bounds() else ""
