"""What a corpus has exercised of its protocol. One that exercises too little shows nothing, whatever its verdicts."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, get_args

import msgspec

from checker.kernel.findings import Fired, kind_of
from spec.protocol import Protocol


class RuleCoverage(msgspec.Struct, frozen=True):
    """How often a rule fired, in distinct local steps, and the ways in which its guards fell.

    `changed` and `sent` count the steps that changed the state, and that sent something; `coins` those of each coin.
    """

    rule: str
    fired: int
    changed: int
    sent: int
    coins: dict[str, int]

    def one_sided(self) -> tuple[str, ...]:
        """Which outcomes never occurred. Some rules have only one: this is to be looked at, and is no fault."""
        sides = (
            ("never changed the state", self.changed == 0),
            ("always changed the state", self.changed == self.fired),
            ("never sent anything", self.sent == 0),
            ("always sent something", self.sent == self.fired),
        )
        return tuple(says for says, holds in sides if holds)


class Coverage(msgspec.Struct, frozen=True):
    """Rules that fired; kinds of messages and commands that were taken, by number of distinct steps; and the conjuncts
    that were false at the start, by number of traces in a sample. `missing` is what a corpus must have, and has not.
    """

    rules: tuple[RuleCoverage, ...]
    messages: dict[str, int]
    commands: dict[str, int]
    corruptions: dict[str, int]
    missing: tuple[str, ...]


def coverage(protocol: Protocol, fired: Iterable[tuple[Fired, int]], corruptions: dict[str, int]) -> Coverage:
    """What those distinct steps cover."""
    steps = list(fired)
    taken: dict[str, dict[str, int]] = {"Received": dict.fromkeys(kinds(protocol.message), 0), "Commanded": {}}
    timeouts = dict.fromkeys(protocol.roles, 0)
    for each, times in steps:
        if each.way == "Timeout":
            timeouts[each.role] = timeouts.get(each.role, 0) + times
        else:
            taken[each.way][each.took] = taken[each.way].get(each.took, 0) + times
    missing = [f"no {role} had a timeout" for role, times in timeouts.items() if not times]
    missing += [f"no {kind} was delivered" for kind, times in taken["Received"].items() if not times]
    return Coverage(_rules(steps), taken["Received"], taken["Commanded"], corruptions, tuple(missing))


def kinds(union: Any) -> list[str]:
    """The kinds of messages that a type has, as a trace calls them."""
    return [kind_of(member) for member in get_args(union) or (union,)]


def _rules(steps: list[tuple[Fired, int]]) -> tuple[RuleCoverage, ...]:
    by_rule: dict[str, list[tuple[Fired, int]]] = defaultdict(list)
    for each, times in steps:
        by_rule[each.rule].append((each, times))
    return tuple(_rule(rule, found) for rule, found in sorted(by_rule.items()))


def _rule(rule: str, found: list[tuple[Fired, int]]) -> RuleCoverage:
    coins: dict[str, int] = {}
    for each, times in found:
        if each.coin is not None:
            coins[each.coin] = coins.get(each.coin, 0) + times
    return RuleCoverage(
        rule,
        sum(times for _, times in found),
        sum(times for each, times in found if each.changed),
        sum(times for each, times in found if each.sent),
        dict(sorted(coins.items())),
    )


def lines(found: Coverage) -> Iterable[str]:
    """The coverage as text."""
    fired = ", ".join(f"{each.rule} {each.fired:,}" for each in found.rules)
    yield f"Distinct steps by rule: {fired or 'none'}."
    if found.corruptions:
        yield f"False at the start: {', '.join(f'{name} {times:,}' for name, times in found.corruptions.items())}."
    for missing in found.missing:
        yield f"Not covered: {missing}."
