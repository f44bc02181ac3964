"""What makes two violations the same: the verdict, the rule and the conjuncts that are false."""

import re

import msgspec

from gomboc.checker.judge.verdict import Judgement, Violated

PLACE = re.compile(r" (at|to) \S+$")
"""What a conjunct ends with: a node's name, which may be another one in a smaller trace."""


class Kind(msgspec.Struct, frozen=True):
    """Which promise is broken first, by which rule, and which conjuncts are false, without the names of nodes."""

    promise: str
    rule: str
    conjuncts: frozenset[str]

    def says(self) -> str:
        """It in words."""
        false = f" ({', '.join(sorted(self.conjuncts))})" if self.conjuncts else ""
        rule = "" if self.rule == self.promise else f" by {self.rule}"
        return f"{self.promise} is violated{rule}{false}"


def kind_of(judgement: Judgement) -> Kind | None:
    """The kind of the first violation; None if nothing is violated. Of two in one step it is the one reported first."""
    violated = [(name, verdict) for name, verdict in judgement.verdicts() if isinstance(verdict, Violated)]
    if not violated:
        return None
    promise, first = min(violated, key=lambda found: found[1].step)
    return Kind(promise, first.rule, frozenset(PLACE.sub("", each.where) for each in first.differences))


def is_same(kind: Kind, judgement: Judgement) -> bool:
    """Whether the first violation is of that kind.

    A step differs from what its rule produces in just the same places. Of a whole state, which is right or is not, a
    part of the conjuncts may be false: fewer nodes can be wrong in fewer ways.
    """
    found = kind_of(judgement)
    if found is None or (found.promise, found.rule) != (kind.promise, kind.rule):
        return False
    if kind.promise == "conformance":
        return found.conjuncts == kind.conjuncts
    return found.conjuncts <= kind.conjuncts and bool(found.conjuncts) == bool(kind.conjuncts)
