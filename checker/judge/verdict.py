"""Verdicts: the results of the judge. A finding is a value, never an exception, and never a bare boolean."""

from typing import Any, Literal

import msgspec

from gomboc.checker.core import exit_codes


class Difference(msgspec.Struct, frozen=True):
    """One difference between two values; `where` is a path such as `left.label`, or a missing or surplus send."""

    where: str
    expected: Any
    found: Any


class Holds(msgspec.Struct, frozen=True, tag="holds"):
    """The property holds, as far as `claim` says; every bounded claim says its bound."""

    claim: str


class Violated(msgspec.Struct, frozen=True, tag="violated"):
    """The property is violated: from `step` on (0: the state before the first step), by `rule`, for the reason in
    `says`.

    `node` is the node of the step, `source` is the place in the paper, `differences` are the false conjuncts.
    """

    step: int
    rule: str
    says: str
    node: str = ""
    source: str = ""
    differences: tuple[Difference, ...] = ()


class Unknown(msgspec.Struct, frozen=True, tag="unknown"):
    """The property could not be decided: `why` names the bound that was in the way."""

    why: str


Verdict = Holds | Violated | Unknown

HOLDS, VIOLATED, USAGE, UNKNOWN = exit_codes.HOLDS, exit_codes.VIOLATED, exit_codes.USAGE, exit_codes.UNKNOWN

WORDS = {HOLDS: "holds", VIOLATED: "violated", USAGE: "unreadable", UNKNOWN: "unknown"}
"""The verdict that goes with each exit code."""


class Promised(msgspec.Struct, frozen=True):
    """The verdict on one promise that a protocol states by name."""

    name: str
    verdict: Verdict


class Bound(msgspec.Struct, frozen=True):
    """The rounds within which a run must become legitimate, and the source of this number."""

    rounds: int
    source: Literal["option", "header", "protocol"]


class Judgement(msgspec.Struct, frozen=True):
    """The result of judging one trace.

    `members` is n; `rounds` is the number of rounds until it became legitimate since the start or the last command, and
    `rounds_after` the number for which it then stayed so. `promises` are the further named promises of the protocol.
    `further`: with the option `every`, the first step that breaks each rule other than that of the first violation.
    `bound`: the bound that was applied.
    """

    trace: str
    protocol: str
    members: int
    steps: int
    conformance: Verdict
    closure: Verdict
    convergence: Verdict
    rounds: int | None = None
    rounds_after: int = 0
    promises: tuple[Promised, ...] = ()
    further: tuple[Violated, ...] = ()
    bound: Bound | None = None

    def verdicts(self) -> tuple[tuple[str, Verdict], ...]:
        """The verdicts with their names, in the order in which they are reported."""
        promised = ((promise.name, promise.verdict) for promise in self.promises)
        three = ("conformance", self.conformance), ("closure", self.closure), ("convergence", self.convergence)
        return (*three, *promised)

    def violations(self) -> tuple[Violated, ...]:
        """The violations, the earliest step first."""
        violated = [verdict for _, verdict in self.verdicts() if isinstance(verdict, Violated)]
        return tuple(sorted(violated, key=lambda verdict: verdict.step))

    def exit_code(self) -> int:
        """0 if all verdicts hold, 1 if one is violated, 3 if one is unknown."""
        if self.violations():
            return VIOLATED
        return UNKNOWN if any(isinstance(verdict, Unknown) for _, verdict in self.verdicts()) else HOLDS
