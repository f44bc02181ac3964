"""Claims on the way down, and on the rounds in all."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import log2
from random import Random
from statistics import median

from gomboc.checker.errata.claim import Evidence, Result, by_readings, settled
from gomboc.checker.evidence.skip_plus.experiments.histories import PRINTED, Parts, histories, parted
from gomboc.checker.evidence.skip_plus.experiments.order import follows
from gomboc.checker.evidence.skip_plus.experiments.prefixes import finished, parts
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, System, rounds_until_right, run
from gomboc.checker.evidence.skip_plus.experiments.starts import (
    every_connected,
    every_naming_once,
    from_arrows,
    line,
    named,
    random_names,
    samples,
)
from gomboc.spec.protocols.skip_plus.names import string_of
from gomboc.spec.protocols.skip_plus.rules import Rules

SIZES, MOST = (4, 8, 16), 80
SHORT = (4, 8, 16)


def levels_finish_in_turn() -> Evidence:
    """After how many rounds each level is finished, once the one above it is and all prefixes are connected."""
    printed, ours = (
        [_lags(history, most) for history, most in zip(histories(way), parted(way), strict=True)]
        for way in (True, False)
    )
    most = {name: max(lag for lags, _ in runs for lag in lags) for name, runs in (("printed", printed), ("ours", ours))}
    early = max(lag for _, lags in printed for lag in lags)
    return by_readings(
        (settled(max(most.values()) <= 3), settled(_after_level_two(PRINTED) <= 3)),
        {
            **most,
            "early": early,
            "runs": len(printed),
            "literal": _after_level_two(PRINTED),
            "literal_ours": _after_level_two(RULES),
            "names": list(LATE),
            "fewer": len(list(fewer_nodes())),
        },
        {
            "at first the nodes with the bit 1 are not connected by each other": _apart(late()),
            "with two and three nodes no run takes more than 3 rounds": all(
                lag <= 3 for start in fewer_nodes() for lag in _finishing(start, PRINTED)
            ),
        },
    )


LATE = named("000", "010", "100", "111")


def late() -> System:
    """Four nodes in a line, each edge known at one end, of which two share a first bit and know nothing of it."""
    a, b, c, d = LATE
    return from_arrows(LATE, [(a, b), (c, b), (d, a)])


def _after_level_two(rules: Rules) -> int:
    """How many rounds that start takes, which is 2-finished, until it is 1-finished."""
    return next(number for number, now in enumerate(run(late(), MOST, rules)) if finished(now) <= 1)


def _apart(now: System) -> bool:
    return len(set(parts(now)["1"].values())) > 1


def fewer_nodes() -> Iterator[System]:
    """Every weakly connected graph of two and three nodes with strings of up to three bits."""
    namings = (names for nodes in (2, 3) for bits in (1, 2, 3) for names in every_naming_once(nodes, bits))
    return (start for names in namings for start in every_connected(names))


def _finishing(start: System, rules: Rules) -> list[int]:
    """The rounds from each level to the one below it."""
    reached = [finished(now) for now in run(start, MOST, rules)]
    levels = len(string_of(start.live()[0]))
    at = (_from_then_on([level_now <= level for level_now in reached]) for level in range(levels))
    return [lower - upper for lower, upper in pairwise(at)]


def _lags(history: tuple[System, ...], rounds: tuple[Parts, ...]) -> tuple[list[int], list[int]]:
    """The rounds from one level to the next, once all prefixes are connected, and whether or not they are."""
    levels = len(string_of(history[0].live()[0]))
    reached = [finished(now) for now in history]
    at = [_from_then_on([first <= level for first in reached]) for level in range(levels + 1)]
    connected = _connected(rounds)
    pairs = list(pairwise(at[:levels]))
    return [lower - max(upper, connected) for lower, upper in pairs], [lower - upper for lower, upper in pairs]


def _from_then_on(so: list[bool]) -> int:
    """From when on all are true."""
    return max((index + 1 for index, value in enumerate(so) if not value), default=0)


@cache
def _taken(nodes: int) -> tuple[int, ...]:
    return tuple(rounds_until_right(start, MOST) or 0 for start in samples((nodes,), 2))


def rounds_are_polylogarithmic() -> Evidence:
    """Rounds of random starts with random strings, and of lines with strings of one bit."""
    counts = {nodes: _taken(nodes) for nodes in SIZES}
    short = [rounds_until_right(line(random_names(nodes, nodes, 1), Random(nodes)), MOST) or MOST for nodes in SHORT]
    return Evidence(
        follows({nodes: max(taken) for nodes, taken in counts.items()}, lambda nodes: log2(nodes) ** 2),
        {
            "runs": len(counts[4]),
            "sizes": [f"{nodes}" for nodes in counts],
            "medians": [f"{median(taken):g}" for taken in counts.values()],
            "worst": [f"{max(taken)}" for taken in counts.values()],
            "short": [f"{taken}" for taken in short],
        },
        {
            "no run takes more than 4 log2 n + 3 rounds": all(
                max(taken) <= 4 * log2(nodes) + 3 for nodes, taken in counts.items()
            )
        },
    )


def phases_take_their_rounds() -> Evidence:
    """Rounds until the nodes of each prefix are connected, and from there on until all is right."""
    connected, ordered = dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, 0)
    for history, rounds in zip(histories(False), parted(False), strict=True):
        nodes, at = len(history[0].live()), _connected(rounds)
        connected[nodes] = max(connected[nodes], at)
        ordered[nodes] = max(ordered[nodes], len(history) - 1 - at)
    outcomes = follows(connected, lambda nodes: log2(nodes) ** 2), follows(ordered, log2)
    return Evidence(
        Result.REPRODUCED if set(outcomes) == {Result.REPRODUCED} else Result.UNDECIDED,
        {
            "runs": len(histories(False)),
            "sizes": [f"{nodes}" for nodes in SIZES],
            "connected": [f"{most}" for most in connected.values()],
            "ordered": [f"{most}" for most in ordered.values()],
        },
    )


def _connected(rounds: tuple[Parts, ...]) -> int:
    """From which round on the nodes of each prefix are connected."""
    return _from_then_on([all(len(set(there.values())) <= 1 for there in now.values()) for now in rounds])
