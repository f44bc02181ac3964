"""Kinds of violations: the same verdict, rule and false conjuncts make the same kind."""

import re

import msgspec

from gomboc.checker.judge.verdict import Judgement, Violated

PLACE = re.compile(r" (at|to) \S+$")
"""The end of a conjunct: a node's name, which may be another one in a smaller trace."""


class ViolationKind(msgspec.Struct, frozen=True):
    """The promise that is broken first, the rule, and the conjuncts that are false, without the names of nodes."""

    promise: str
    rule: str
    conjuncts: frozenset[str]

    def says(self) -> str:
        """The kind in words."""
        false = f" ({', '.join(sorted(self.conjuncts))})" if self.conjuncts else ""
        rule = "" if self.rule == self.promise else f" by {self.rule}"
        return f"{self.promise} is violated{rule}{false}"


def kind_of(judgement: Judgement) -> ViolationKind | None:
    """The kind of the first violation; None if there is none. Of two in one step it is the one reported first."""
    violated = [(name, verdict) for name, verdict in judgement.verdicts() if isinstance(verdict, Violated)]
    if not violated:
        return None
    promise, first = min(violated, key=lambda named: named[1].step)
    return ViolationKind(
        promise, first.rule, frozenset(PLACE.sub("", difference.where) for difference in first.differences)
    )


def is_same(kind: ViolationKind, judgement: Judgement) -> bool:
    """Whether the first violation is of that kind.

    For a step, the differences from its rule must be exactly the same. For a whole state, which is right or not, a part
    of the conjuncts suffices: fewer nodes can be wrong in fewer ways.
    """
    actual = kind_of(judgement)
    if actual is None or (actual.promise, actual.rule) != (kind.promise, kind.rule):
        return False
    if kind.promise == "conformance":
        return actual.conjuncts == kind.conjuncts
    return actual.conjuncts <= kind.conjuncts and bool(actual.conjuncts) == bool(kind.conjuncts)
