"""What a corpus has exercised of its protocol. One that exercises too little shows nothing, whatever its verdicts."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable
from typing import Any, get_args

import msgspec

from gomboc.checker.replay.kernel.values.findings import Fired, kind_of
from gomboc.checker.words import counted
from gomboc.spec.protocol import Protocol


class RuleCoverage(msgspec.Struct, frozen=True):
    """How often a rule fired, in distinct local steps, and the ways in which its guards fell.

    `changed` and `sent` count the steps that changed the state, and that sent something; `coins` those of each coin.
    """

    rule: str
    fired: int
    changed: int
    sent: int
    coins: dict[str, int]

    def outcomes(self) -> dict[str, int]:
        """How often each side of its guards was taken, by what is to be said where it never was."""
        return {
            "never fired": self.fired,
            "never changed the state": self.changed,
            "always changed the state": self.fired - self.changed,
            "never sent anything": self.sent,
            "always sent something": self.fired - self.sent,
            **{f"never tossed {coin!r}": times for coin, times in self.coins.items()},
        }


class Demanded(msgspec.Struct, frozen=True):
    """What a corpus must exercise: outcomes of rules, by what is to be said without them, and conjuncts that must be
    false at some start.
    """

    outcomes: tuple[tuple[str, str], ...] = ()
    corruptions: tuple[str, ...] = ()


NOTHING = Demanded()


class Coverage(msgspec.Struct, frozen=True):
    """Rules that fired; kinds of messages and commands that were taken, by number of distinct steps; and the conjuncts
    that were false at the start, by number of traces in a sample. `missing` is what a corpus must have, and has not. Of
    single traces, steps are counted as often as they occur (not `distinct`).
    """

    rules: tuple[RuleCoverage, ...]
    messages: dict[str, int]
    commands: dict[str, int]
    corruptions: dict[str, int]
    missing: tuple[str, ...]
    out_of_scope: tuple[str, ...] = ()
    distinct: bool = True


NEVER_FALSE = "no conjunct of legitimacy was ever false"
"""What is missing where nothing shows that legitimacy can be false."""


def coverage(
    protocol: Protocol,
    fired: Iterable[tuple[Fired, int]],
    corruptions: dict[str, int],
    demanded: Demanded = NOTHING,
    idle: Iterable[str] = (),
    unsettled: Iterable[int] = (),
    was_false: bool = False,
) -> Coverage:
    """What those distinct steps and starts cover, and what of all kinds, and of what is demanded, is missing.

    `idle` are nodes that had no timeout in any trace, so that no round was ever completed with them; `unsettled` are
    the sizes of systems of which no trace goes on for a round after it became legitimate. `was_false`: some run was not
    legitimate after its start.
    """
    steps = list(fired)
    taken: dict[str, dict[str, int]] = {
        "Received": dict.fromkeys(kinds(protocol.message, protocol.without_effect), 0),
        "Commanded": dict.fromkeys(kinds(protocol.command, protocol.without_effect), 0),
    }
    timeouts = dict.fromkeys(protocol.roles, 0)
    for each, times in steps:
        if each.way == "Timeout":
            timeouts[each.role] = timeouts.get(each.role, 0) + times
        else:
            taken[each.way][each.took] = taken[each.way].get(each.took, 0) + times
    # Steps are counted by the type of the state: roles that share one cannot be told apart here. `idle` can, by names.
    alive = {protocol.roles.get(role) for role, times in timeouts.items() if times}
    missing = [f"no {role} had a timeout" for role, kind in protocol.roles.items() if kind not in alive]
    missing += [f"{name} had no timeout in any trace" for name in idle]
    missing += [f"no {kind} was delivered" for kind, times in taken["Received"].items() if not times]
    rules = outcomes(steps)
    missing += _untried(rules, demanded)
    missing += [f"no trace starts with {name} false" for name in demanded.corruptions if not corruptions.get(name)]
    missing += [] if was_false or any(corruptions.values()) else [NEVER_FALSE]
    missing += [f"no trace with n = {size} goes on for a round after it became legitimate" for size in unsettled]
    return Coverage(rules, taken["Received"], taken["Commanded"], corruptions, tuple(missing))


def _untried(rules: Iterable[RuleCoverage], demanded: Demanded) -> list[str]:
    """Which outcomes of rules are demanded and never occurred. Not every trace names its coins."""
    found = {rule.rule: rule for rule in rules}
    missing = []
    for name, outcome in demanded.outcomes:
        rule = found.get(name, RuleCoverage(name, 0, 0, 0, {}))
        nameless = outcome.startswith("never tossed") and not rule.coins
        asked = outcome == "never fired" or (rule.fired and not nameless)
        if asked and not rule.outcomes().get(outcome):
            missing.append(f"{name} {outcome}")
    return missing


def kinds(union: Any, without: Container[Any] = ()) -> list[str]:
    """The kinds of messages that a type has, without some of them, as a trace calls them."""
    return [kind_of(member) for member in get_args(union) or (union,) if member not in without]


def outcomes(steps: Iterable[tuple[Fired, int]]) -> tuple[RuleCoverage, ...]:
    """What the rules did in those steps, rule by rule."""
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
    yield f"{'Distinct steps' if found.distinct else 'Steps'} by rule: {fired or 'none'}."
    if found.corruptions:
        yield f"False at the start: {', '.join(f'{name} {times:,}' for name, times in found.corruptions.items())}."
    never = ", ".join(kind for kind, times in found.commands.items() if not times)
    if never:
        yield f"Commands never given: {never}."
    for missing in found.missing:
        yield f"Not covered: {missing}."
    for left_out in found.out_of_scope:
        yield f"Out of scope: {left_out}."
    if found.missing:
        things = counted(len(found.missing), "thing")
        yield f"unknown: {things} never happened (see above); --out-of-scope says what need not."


def scoped(found: Coverage, out_of_scope: Collection[str]) -> Coverage:
    """The coverage in which those of the missing things are out of scope on purpose."""
    left_out = tuple(each for each in found.missing if each in out_of_scope)
    missing = tuple(each for each in found.missing if each not in out_of_scope)
    return msgspec.structs.replace(found, missing=missing, out_of_scope=left_out)
