"""Experiments on the way down, and on the rounds in all."""

from collections.abc import Iterator
from itertools import pairwise
from math import log2
from random import Random
from statistics import median

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_plus.experiments.histories import History, from_then_on, histories
from gomboc.checker.evidence.skip_plus.experiments.order import all_reproduced, follows, listed
from gomboc.checker.evidence.skip_plus.experiments.prefixes import finished, levels, parts
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, System, rounds_until_right, run
from gomboc.checker.evidence.skip_plus.experiments.starts import (
    every_connected,
    from_arrows,
    line,
    namings,
    random_names,
    samples,
)
from gomboc.spec.protocols.skip_plus.errata import VARIANTS
from gomboc.spec.protocols.skip_plus.models import named
from gomboc.spec.protocols.skip_plus.rules import Rules

SIZES, MOST = (4, 8, 16), 80
INTRODUCES = VARIANTS["printed_introduction"]
LATE = named("000", "010", "100", "111")


def levels_finish_in_turn() -> Evidence:
    """After how many rounds each level is finished, once the one above it is and all prefixes are connected."""
    printed, ours = (max(lag for history in histories(way) for lag in _lags(history)) for way in (True, False))
    literal, literal_ours = (_after_level_two(rules) for rules in (INTRODUCES, RULES))
    fewer = list(fewer_nodes())
    return by_readings(
        (settled(max(printed, ours) <= 3), settled(literal <= 3)),
        {
            "printed": printed,
            "ours": ours,
            "early": max(lag for history in histories(True) for lag in _steps(history.systems)),
            "runs": len(histories(True)),
            "literal": literal,
            "literal_ours": literal_ours,
            "names": list(LATE),
            "fewer": len(fewer),
        },
        {
            "at first the nodes with the bit 1 are not connected by each other": len(set(parts(late())["1"].values()))
            > 1,
            "with two and three nodes no run takes more than 3 rounds": all(
                lag <= 3 for start in fewer for lag in _steps(tuple(run(start, MOST, INTRODUCES)))
            ),
        },
    )


def late() -> System:
    """Four nodes in a line, each edge known at one end, of which two share a first bit and know nothing of it."""
    a, b, c, d = LATE
    return from_arrows(LATE, [(a, b), (c, b), (d, a)])


def _after_level_two(rules: Rules) -> int:
    """How many rounds that start takes, which is 2-finished, until it is 1-finished."""
    return next(number for number, now in enumerate(run(late(), MOST, rules)) if finished(now) <= 1)


def fewer_nodes() -> Iterator[System]:
    """Every weakly connected graph of two and three nodes with strings of up to three bits."""
    return (start for names in namings((2, 3), (1, 2, 3)) for start in every_connected(names))


def _finished_at(systems: tuple[System, ...]) -> list[int]:
    """The round from which on each level is finished, level 0 first."""
    reached = [finished(now) for now in systems]
    return [from_then_on([now <= level for now in reached]) for level in range(levels(systems[0]))]


def _steps(systems: tuple[System, ...]) -> list[int]:
    """The rounds from each level to the one below it."""
    return [lower - upper for lower, upper in pairwise(_finished_at(systems))]


def _lags(history: History) -> list[int]:
    """The same, once all prefixes are connected."""
    return [lower - max(upper, history.connected) for lower, upper in pairwise(_finished_at(history.systems))]


def rounds_are_polylogarithmic() -> Evidence:
    """Rounds of random starts with random strings, and of lines with strings of one bit."""
    counts = {nodes: [rounds_until_right(start, MOST) or 0 for start in samples((nodes,), 2)] for nodes in SIZES}
    worst = {nodes: max(taken) for nodes, taken in counts.items()}
    short = [rounds_until_right(line(random_names(nodes, nodes, 1), Random(nodes)), MOST) or MOST for nodes in SIZES]
    return Evidence(
        follows(worst, lambda nodes: log2(nodes) ** 2),
        {
            "runs": len(counts[4]),
            "sizes": listed(SIZES),
            "medians": listed(map(median, counts.values()), "g"),
            "worst": listed(worst.values()),
            "short": listed(short),
        },
        {"no run takes more than 4 log2 n + 3 rounds": all(most <= 4 * log2(n) + 3 for n, most in worst.items())},
    )


def phases_take_their_rounds() -> Evidence:
    """Rounds until the nodes of each prefix are connected, and from there on until all is right."""
    connected, ordered = dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, 0)
    for history in histories(False):
        nodes, at = history.nodes, history.connected
        connected[nodes] = max(connected[nodes], at)
        ordered[nodes] = max(ordered[nodes], len(history.systems) - 1 - at)
    outcomes = follows(connected, lambda nodes: log2(nodes) ** 2), follows(ordered, log2)
    return Evidence(
        all_reproduced(outcomes),
        {
            "runs": len(histories(False)),
            "sizes": listed(SIZES),
            "connected": listed(connected.values()),
            "ordered": listed(ordered.values()),
        },
    )
