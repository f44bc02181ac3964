"""Runs that are drawn: the shortest of many that goes wrong by a variant, and many of which none may go wrong."""

from functools import cache
from random import Random

import msgspec

from gomboc.checker.errata.claim import Evidence, Result, by_readings, settled
from gomboc.checker.errata.scene import Script
from gomboc.checker.evidence.delta_fault_tolerance.experiments.readings import (
    ADDRESSED_ONLY_OPEN,
    ANSWERS_BY_DIRECTION,
    read,
)
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import LEAF, goes_wrong
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.delta_fault_tolerance.models import TWO, protocol
from gomboc.spec.protocols.delta_fault_tolerance.names import Names

STEPS, CRASHES = 60, 0.06
AGAIN = 25
"""Runs by our rules on the same tree, of which none may go wrong."""

ROW = ("0", "0.0", "0.0.0")
FORK = ("0", "0.0", "0.0.0", "0.0.1")
TWO_LEAVES = ("0", "0.0", "0.1")
HOOK = ("0", "0.0", "0.1", "0.1.0")
BENT = (*HOOK, "0.1.0.0")


class Case(msgspec.Struct, frozen=True):
    """A run that is drawn: delta, the tree, the seed, the steps, and the leaves outside that join."""

    delta: int
    names: Names
    seed: int
    steps: int = STEPS
    outside: Names = ()


CASES = {
    "answers_at_once": Case(2, ROW, 1346),
    "answers_when_done": Case(3, FORK, 117),
    "addressed_only": Case(2, TWO_LEAVES, 465),
    "all_stamps": Case(2, TWO_LEAVES, 289),
    "not_the_sender": Case(2, ROW, 34),
    "stamps_first": Case(2, BENT, 282),
    "not_guided": Case(2, BENT, 132),
    "one_sided": Case(2, HOOK, 420),
    "answered_first": Case(1, TWO, 1851, 40, LEAF),
}
"""The shortest of some thousand runs of each variant on trees of up to five brokers."""

NOT_CLOSED = Case(2, TWO_LEAVES, 3504)
"""The shortest of 4,000 runs in which a publication is not confirmed, though no connection is closed."""


def drawn(case: Case, by: Protocol) -> Run:
    """The run of a case, by those rules."""
    return walk(by, case.delta, case.names, Random(case.seed), case.steps, CRASHES, outside=case.outside)


@cache
def of_variant(variant: str) -> Run:
    """The run of a variant that goes wrong."""
    made = drawn(CASES[variant], protocol(CASES[variant].delta, variant))
    assert made.wrong(), f"{variant} goes wrong"
    return made


def script(variant: str) -> Script:
    """That run as a scene."""
    return of_variant(variant).script()


def failing(by: Protocol, delta: int, names: Names, runs: int, steps: int) -> list[Run]:
    """The runs, of so many, in which something is wrong at the end: run i is decided by the seed i."""
    made = (walk(by, delta, names, Random(seed), steps) for seed in range(runs))
    return [run for run in made if run.wrong()]


def found(variant: str) -> Evidence:
    """A run of a variant that goes wrong, and some by our rules on the same tree."""
    case, made = CASES[variant], of_variant(variant)
    ours = failing(protocol(case.delta), case.delta, case.names, AGAIN, STEPS)
    return Evidence(
        settled(not made.wrong()),
        {"delta": case.delta, "n": len(case.names), "steps": len(made.turns), "wrong": list(made.wrong())},
        {"by our rules nothing goes wrong on the same tree": not ours},
    )


def answered_first() -> Evidence:
    """A run in which a leaf is answered before all brokers nearby know it, and lacks a subscription in the end."""
    made = of_variant("answered_first")
    return Evidence(settled(not made.wrong()), {"steps": len(made.turns), "wrong": list(made.wrong())})


def as_needed(evidence: Evidence) -> Evidence:
    """The evidence that a rule is needed, where something goes wrong without it."""
    needed = Result.REPRODUCED if evidence.result is Result.REFUTED else Result.UNDECIDED
    return Evidence(needed, evidence.figures, evidence.facts)


def needed(variant: str) -> Evidence:
    """Whether a rule is needed: a run of the variant without it that goes wrong."""
    return as_needed(found(variant))


def by_outcomes(variant: str) -> Evidence:
    """The result of a run of a variant, and of some by our rules, as two readings."""
    evidence = found(variant)
    return by_readings((evidence.result, settled(all(evidence.facts.values()))), evidence.figures)


RUNS = 150
"""Runs of each reading."""


@cache
def stuck(by_direction: bool, timely: bool) -> int:
    """Of so many runs of four brokers, delta = 3, those in which a broker never becomes operational."""
    by = read(ANSWERS_BY_DIRECTION, 3) if by_direction else protocol(3, "answers_when_done")
    runs = (walk(by, 3, FORK, Random(seed), STEPS, CRASHES, timely=timely) for seed in range(RUNS))
    return sum("all_brokers_operational" in run.wrong() for run in runs)


def answered_when_done() -> Evidence:
    """The run that is drawn, and random runs by each reading."""
    evidence = found("answers_when_done")
    timely = tuple(settled(not stuck(by_direction, timely=True)) for by_direction in (False, True))
    figures = {**evidence.figures, "runs": RUNS, "late": stuck(True, timely=False)}
    return by_readings((evidence.result, *timely), figures, evidence.facts)


def sent_again() -> Evidence:
    """The run that is drawn, and one in which no connection is closed."""
    evidence = found("addressed_only")
    run = drawn(NOT_CLOSED, read(ADDRESSED_ONLY_OPEN, 2))
    fact = "a publication stays unconfirmed also if no connection is closed"
    return Evidence(
        evidence.result, evidence.figures, {**evidence.facts, fact: "nothing_is_unconfirmed" in run.wrong()}
    )


def bypasses_stay() -> Evidence:
    """The shortest run after which connections are left, and whether a promise is broken in random runs."""
    evidence = goes_wrong("never_closed")
    made = (walk(protocol(2, "never_closed"), 2, ROW, Random(seed), STEPS, CRASHES) for seed in range(RUNS))
    kept = {"no promise over histories is broken without closing": not any(run.broken for run in made)}
    return Evidence(evidence.result, {**evidence.figures, "runs": RUNS}, kept)


def without_rejoin() -> Evidence:
    """Random runs in which brokers join, subscribe, publish and crash, without REJOIN."""
    made = [
        walk(protocol(delta, "no_rejoin"), delta, TWO, Random(seed), 40, CRASHES, outside=LEAF)
        for delta in (1, 2)
        for seed in range(60)
    ]
    wrong = sum(bool(run.wrong()) for run in made)
    result = Result.UNDECIDED if not wrong else Result.REPRODUCED
    return Evidence(result, {"runs": len(made), "wrong": wrong, "steps": 40})


@cache
def drawn_on_trees(variant: str | None, deltas: tuple[int, ...], largest: int, runs: int) -> tuple[int, int]:
    """Random runs, so many on each tree of up to so many brokers with each delta, and those that go wrong."""
    made = [
        failing(protocol(delta, variant), delta, names, runs, steps=100)
        for delta in deltas
        for nodes in range(2, largest + 1)
        for names in trees(nodes)
    ]
    return runs * len(made), sum(map(len, made))


def failures_are_masked() -> Evidence:
    """Every tree of up to so many brokers, each delta, some schedules."""
    runs, wrong = drawn_on_trees(None, (0, 1, 2, 3), 5, 6)
    return Evidence(settled(not wrong), {"runs": runs, "largest": 5, "most": 3})


def never_seen(variant: str) -> Evidence:
    """Random runs of a variant, of which none may go wrong."""
    runs, wrong = drawn_on_trees(variant, (1, 2, 3), 4, 10)
    return Evidence(Result.REFUTED if wrong else Result.UNDECIDED, {"runs": runs, "wrong": wrong})
