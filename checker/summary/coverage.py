"""Coverage of a protocol by a corpus. A corpus that exercises too little is no evidence, for any verdicts."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable
from typing import Any, get_args

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.distinct.findings import Fired, kind_of
from gomboc.spec.core.protocol import Protocol


class RuleCoverage(msgspec.Struct, frozen=True):
    """How often a rule fired, in distinct local steps, and the outcomes of its guards.

    `changed` and `sent` count the steps that changed the state, and those that sent a message; `coins` those of each
    coin.
    """

    rule: str
    fired: int
    changed: int
    sent: int
    coins: dict[str, int]

    def outcomes(self) -> dict[str, int]:
        """The number of times of each outcome of its guards, by the phrase that reports its absence."""
        return {
            "never fired": self.fired,
            "never changed the state": self.changed,
            "always changed the state": self.fired - self.changed,
            "never sent anything": self.sent,
            "always sent something": self.fired - self.sent,
            **{f"never tossed {coin!r}": times for coin, times in self.coins.items()},
        }


class Demanded(msgspec.Struct, frozen=True):
    """Coverage goals: outcomes of rules, by the phrase for their absence, and conjuncts to be false at a start."""

    outcomes: tuple[tuple[str, str], ...] = ()
    corruptions: tuple[str, ...] = ()


NOTHING = Demanded()


class Coverage(msgspec.Struct, frozen=True):
    """The exercised parts of a protocol, and the gaps.

    `rules` are those that fired; `messages` and `commands` the kinds taken, by number of distinct steps; `corruptions`
    the conjuncts that were false at the start, by number of traces in a sample. `missing` are the coverage goals that
    the corpus does not reach. Of single traces, steps are counted as often as they occur (not `distinct`).
    """

    rules: tuple[RuleCoverage, ...]
    messages: dict[str, int]
    commands: dict[str, int]
    corruptions: dict[str, int]
    missing: tuple[str, ...]
    out_of_scope: tuple[str, ...] = ()
    distinct: bool = True


NEVER_FALSE = "no conjunct of legitimacy was ever false"
"""The gap in coverage where no trace shows that legitimacy can be false."""


def coverage(
    protocol: Protocol,
    fired: Iterable[tuple[Fired, int]],
    corruptions: dict[str, int],
    demanded: Demanded = NOTHING,
    idle: Iterable[str] = (),
    unsettled: Iterable[int] = (),
    was_false: bool = False,
) -> Coverage:
    """The coverage of those distinct steps and starts, and the gaps: kinds and goals that are missing.

    `idle` are nodes that had no timeout in any trace, so that no round was ever completed with them; `unsettled` are
    the sizes of systems of which no trace goes on for a round after it became legitimate. `was_false`: some run was not
    legitimate after its start.
    """
    steps = list(fired)
    taken: dict[str, dict[str, int]] = {
        "Received": dict.fromkeys(kinds(protocol.vocabulary.message, protocol.environment.without_effect), 0),
        "Commanded": dict.fromkeys(kinds(protocol.vocabulary.command, protocol.environment.without_effect), 0),
    }
    timeouts = dict.fromkeys(protocol.vocabulary.roles, 0)
    for step, times in steps:
        if step.way == "Timeout":
            timeouts[step.role] = timeouts.get(step.role, 0) + times
        else:
            taken[step.way][step.took] = taken[step.way].get(step.took, 0) + times
    # Steps are counted by the type of the state: roles that share one cannot be told apart here. `idle` can, by names.
    alive = {protocol.vocabulary.roles.get(role) for role, times in timeouts.items() if times}
    missing = [f"no {role} had a timeout" for role, kind in protocol.vocabulary.roles.items() if kind not in alive]
    missing += [f"{name} had no timeout in any trace" for name in idle]
    missing += [f"no {kind} was delivered" for kind, times in taken["Received"].items() if not times]
    rules = outcomes(steps)
    missing += _untried(rules, demanded)
    missing += [f"no trace starts with {name} false" for name in demanded.corruptions if not corruptions.get(name)]
    missing += [] if was_false or any(corruptions.values()) else [NEVER_FALSE]
    missing += [f"no trace with n = {size} goes on for a round after it became legitimate" for size in unsettled]
    return Coverage(rules, taken["Received"], taken["Commanded"], corruptions, tuple(missing))


def _untried(rules: Iterable[RuleCoverage], demanded: Demanded) -> list[str]:
    """The outcomes of rules that are required and never occurred. Not every trace names its coins."""
    rules_by_name = {rule.rule: rule for rule in rules}
    missing = []
    for name, outcome in demanded.outcomes:
        rule = rules_by_name.get(name, RuleCoverage(name, 0, 0, 0, {}))
        nameless = outcome.startswith("never tossed") and not rule.coins
        asked = outcome == "never fired" or (rule.fired and not nameless)
        if asked and not rule.outcomes().get(outcome):
            missing.append(f"{name} {outcome}")
    return missing


def kinds(union: Any, without: Container[Any] = ()) -> list[str]:
    """The kinds of messages of a type, as a trace names them, without those in `without`."""
    return [kind_of(member) for member in get_args(union) or (union,) if member not in without]


def outcomes(steps: Iterable[tuple[Fired, int]]) -> tuple[RuleCoverage, ...]:
    """The outcomes of the rules in those steps, rule by rule."""
    by_rule: dict[str, list[tuple[Fired, int]]] = defaultdict(list)
    for step, times in steps:
        by_rule[step.rule].append((step, times))
    return tuple(_rule(rule, steps_of_rule) for rule, steps_of_rule in sorted(by_rule.items()))


def _rule(rule: str, steps: list[tuple[Fired, int]]) -> RuleCoverage:
    coins: dict[str, int] = {}
    for step, times in steps:
        if step.coin is not None:
            coins[step.coin] = coins.get(step.coin, 0) + times
    return RuleCoverage(
        rule,
        sum(times for _, times in steps),
        sum(times for step, times in steps if step.changed),
        sum(times for step, times in steps if step.sent),
        dict(sorted(coins.items())),
    )


def lines(coverage: Coverage) -> Iterable[str]:
    """The coverage as text."""
    fired = ", ".join(f"{rule.rule} {rule.fired:,}" for rule in coverage.rules)
    yield f"{'Distinct steps' if coverage.distinct else 'Steps'} by rule: {fired or 'none'}."
    if coverage.corruptions:
        yield f"Initially violated: {', '.join(f'{name} {times:,}' for name, times in coverage.corruptions.items())}."
    never = ", ".join(kind for kind, times in coverage.commands.items() if not times)
    if never:
        yield f"Commands never given: {never}."
    for missing in coverage.missing:
        yield f"Not covered: {missing}."
    for left_out in coverage.out_of_scope:
        yield f"Out of scope: {left_out}."
    if coverage.missing:
        things = counted(len(coverage.missing), "thing")
        yield f"unknown: {things} never happened (see above); exempt them with --out-of-scope."


def scoped(coverage: Coverage, out_of_scope: Collection[str]) -> Coverage:
    """The coverage with those gaps moved out of scope."""
    left_out = tuple(thing for thing in coverage.missing if thing in out_of_scope)
    missing = tuple(thing for thing in coverage.missing if thing not in out_of_scope)
    return msgspec.structs.replace(coverage, missing=missing, out_of_scope=left_out)
