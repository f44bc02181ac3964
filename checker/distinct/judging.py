"""Judge distinct values and local steps by the specification; the naive judge explains each fault."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec
import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import DELIVERY, NONE, Distinct
from gomboc.checker.distinct.effects import Effects, Names
from gomboc.checker.distinct.findings import ANEW, UNDECIDED, LocalFinding, PackFindings, conjunct_of
from gomboc.checker.distinct.naming import naming_anew
from gomboc.checker.distinct.spelling import Decoders, PackValues, SpelledStep, SpelledSteps, spelled_steps
from gomboc.checker.judge.conformance import Conformance, as_delivered
from gomboc.checker.judge.exact import sameness, written_alike
from gomboc.checker.judge.system import System
from gomboc.checker.judge.verdict import Violated
from gomboc.checker.traces.trace import FORMAT, VERSION, Header, Sent, Step
from gomboc.spec.core.model import CERTAIN, Commanded, Input, Outcome, Received
from gomboc.spec.core.protocol import Protocol, fired

CHUNK = 4096
"""Steps that are decoded at a time: enough to look up in columns, and few enough to forget them soon."""


class Judged(NamedTuple):
    """Findings about steps, and for each step the number of its effect, or NONE if it is not right."""

    findings: dict[int, LocalFinding]
    effects: Array


class LocalJudge:
    """Judges values and local steps of one protocol; `effects` counts those of right steps."""

    def __init__(self, protocol: Protocol) -> None:
        self.decoders = Decoders(protocol)
        self.effects = Effects(protocol)
        self.protocol, self._same, self._fired = protocol, sameness(protocol), _names_of(protocol)
        self._names: set[str] = set()
        self._system = _system(protocol, ())
        self._conformance = Conformance(protocol, self._system)

    def values(self, numbers: Array, value: Callable[[int], Any]) -> dict[int, LocalFinding]:
        """The findings about local states or contents of messages, by number; None is the state of an unknown node.

        `value` gives that of a number, or raises UsageError. A command is no message, and is judged with its step.
        """
        findings: dict[int, LocalFinding] = {}
        for number in numbers.tolist():
            try:
                finding = self._value(value(number))
            except Exception as error:  # noqa: BLE001  # the traces in which it occurs are judged naively, and say why
                finding = _undecided(error)
            if finding is not None:
                findings[number] = finding
        return findings

    def step(self, local: SpelledStep) -> LocalFinding | None:
        """The finding about one step."""
        return self.steps(SpelledSteps(*zip(local))).findings.get(0)

    def steps(self, steps: SpelledSteps) -> Judged:
        """The findings about steps by their places, and the effects of the right ones, which are counted.

        Faults after a value that is not canonical are ignored: the value itself is found before.
        """
        rules, findings = self._plainly_right(steps), dict[int, LocalFinding]()
        if None in rules:
            for index, step in enumerate(map(SpelledStep, *steps)):
                if rules[index] is None:
                    finding = self._explained(step)
                    if isinstance(finding, LocalFinding):
                        findings[index] = finding
                    else:
                        rules[index] = finding
        return Judged(findings, self.effects.count(steps, rules))

    def _plainly_right(self, steps: SpelledSteps) -> list[Names | None]:
        """The rules that each step fires, if the specification allows it with its sends in the same order.

        If not, the step may still be right. Nearly all steps are decided here, so nothing is computed twice.
        """
        choose, react, same, names_of = self.protocol.actor.choices, self.protocol.actor.react, self._same, self._fired
        rules: list[Names | None] = []
        for node, before, taken, after, sends, coin, delivered in zip(*steps, strict=True):
            names = None
            try:
                choices = choose(node, before, taken)
                wanted = choices if coin is None or choices == CERTAIN else [c for c in choices if c.name == coin]
                # All of them first: an input that is refused for one result of its coins is refused.
                for outcome in [react(node, before, taken, choice) for choice in wanted]:
                    if (
                        (outcome.local is after or same(outcome.local, after))
                        and same(outcome.sends, sends)
                        and _hands_over(outcome, delivered)
                    ):
                        names = names_of(node, before, taken)
                        break
            except Exception:  # noqa: BLE001  # the naive judge meets the same exception, and reports it
                names = None
            rules.append(names)
        return rules

    def _explained(self, step: SpelledStep) -> LocalFinding | Names | None:
        """The finding about a step, or the rules that it fires; None if a fault in a value comes before its own."""
        try:
            return self._naively(step)
        except Exception as error:  # noqa: BLE001  # as above
            return None if self._comes_too_late(step) else _undecided(error)

    def _comes_too_late(self, step: SpelledStep) -> bool:
        """Whether the step begins in a state, or takes a message, that is not canonical."""
        values = step.before, getattr(step.taken, "message", None)
        findings = self.values(np.arange(len(values)), values.__getitem__)
        return any(finding.rule != UNDECIDED for finding in findings.values())

    def _value(self, value: Any) -> LocalFinding | None:
        faults = () if value is None else self.protocol.naming.malformed(value)
        return LocalFinding("canonical", faults[0].source) if faults else None

    def _naively(self, step: SpelledStep) -> LocalFinding | Names:
        """The finding about the naive judge's first fault of the step; the rules that it fires if there is none."""
        violated = self._violated(step)
        if violated is None:
            return self._fired(step.node, step.before, step.taken)
        return LocalFinding(violated.rule, conjunct_of(violated))

    def _violated(self, local: SpelledStep) -> Violated | None:
        """The naive judge's finding about the step."""
        self._meet([local.node, *(send.target for send in local.sends)])
        system, took = self._system, _took(local.taken)
        system.in_flight.clear()
        system.given.clear()
        if isinstance(local.taken, Received):
            system.in_flight[0] = system.given[0] = Sent(0, local.node, local.taken.message)
        sent = [Sent(number, send.target, send.message) for number, send in enumerate(local.sends, 1)]
        system.states[local.node] = local.before
        step = Step(local.node, took, local.after, sent, local.delivered, local.coin)
        return self._conformance.judge(1, step, None)

    def _meet(self, names: Iterable[str]) -> None:
        if not self._names.issuperset(names):
            self._names.update(names)
            self._system = _system(self.protocol, self._names)
            self._conformance = Conformance(self.protocol, self._system)


def _undecided(error: Exception) -> LocalFinding:
    return LocalFinding(UNDECIDED, f"{type(error).__name__}: {error}")


def _names_of(protocol: Protocol) -> Callable[[str, Any, Input], Names]:
    """The function that names the rules of a step; it raises KeyError for an input without a rule."""
    rule = protocol.actor.rule
    if protocol.actor.fired is None:
        return lambda _, local, taken: rule(local, taken).name
    return lambda me, local, taken: tuple([cited.name for cited in fired(protocol, me, local, taken)])


def _hands_over(outcome: Outcome, delivered: list[Any]) -> bool:
    """Whether the step hands over what the outcome does; most hand over nothing."""
    if not outcome.delivered and not delivered:
        return True
    return written_alike(list(as_delivered(outcome)), delivered)


def _took(taken: Input) -> Any:
    """The spelling of an input in a trace."""
    match taken:
        case Received():
            return 0
        case Commanded(command):
            return command
        case _:
            return "timeout"


def _system(protocol: Protocol, names: Iterable[str]) -> System:
    """A system of those nodes without states. Without its protocol, none is ever evaluated for being asleep."""
    states = dict.fromkeys(sorted(names))
    return System(Header(FORMAT, VERSION, protocol.name, {}, dict.fromkeys(states, ""), states, [], {}))


def judgeable(distinct: Distinct) -> Array:
    """The steps that can be judged by themselves: not those of unknown nodes, nor those of messages that were never
    sent.
    """
    known = (distinct.before != NONE) & ((distinct.took != DELIVERY) | (distinct.input != NONE))
    return np.flatnonzero(known)


def judge_states(judge: LocalJudge, values: PackValues, numbers: Array) -> dict[int, LocalFinding]:
    """Findings about the states of those numbers."""
    values.read_states(numbers)
    return judge.values(numbers, values.whole_state)


def judge_messages(judge: LocalJudge, values: PackValues, numbers: Array) -> dict[int, LocalFinding]:
    """Findings about the contents of those numbers, as messages."""
    values.read_messages(numbers)
    return judge.values(numbers, values.message)


def judge_steps(judge: LocalJudge, values: PackValues, rows: Array) -> Judged:
    """Findings about the steps of those numbers, with the mark `ANEW` for right steps that have a new name."""
    order = _order(values.distinct, rows)
    parts = [_read_and_judged(judge, values, rows[order[low : low + CHUNK]]) for low in range(0, len(rows), CHUNK)]
    findings, effects = _together(parts)
    effects[order] = effects.copy()
    right = rows[~np.isin(rows, list(findings))] if findings else rows
    anew = naming_anew(judge.protocol, values, right)
    return Judged(findings | dict.fromkeys(anew.tolist(), LocalFinding(ANEW)), effects)


def _order(distinct: Distinct, rows: Array) -> Array:
    """An order of these steps in which those of a chunk that take the same kind of input follow each other.

    A rule that runs many times in a row finds its code and its values in the caches of the processor.
    """
    kinds = np.append(distinct.beginnings, NONE)[distinct.input[rows]]
    return np.lexsort((kinds, np.arange(len(rows)) // CHUNK))


def _read_and_judged(judge: LocalJudge, values: PackValues, rows: Array) -> Judged:
    try:
        steps = spelled_steps(values, rows)
    except (UsageError, msgspec.DecodeError) as error:
        if len(rows) == 1:
            return Judged({int(rows[0]): LocalFinding(UNDECIDED, str(error))}, np.array([NONE]))
        # Halving finds the unreadable ones, of which there are few; all others are still read many at once.
        middle = len(rows) // 2
        return _together([_read_and_judged(judge, values, half) for half in (rows[:middle], rows[middle:])])
    findings, effects = judge.steps(steps)
    return Judged({int(rows[index]): finding for index, finding in findings.items()}, effects)


def _together(parts: list[Judged]) -> Judged:
    findings = {number: finding for part in parts for number, finding in part.findings.items()}
    return Judged(findings, np.concatenate([part.effects for part in parts] or [np.zeros(0, np.int64)]))


def judge_all(judge: LocalJudge, distinct: Distinct) -> PackFindings:
    """Judge all values and steps of a pack in this process."""
    values = PackValues(judge.decoders, distinct)
    return PackFindings(
        judge_states(judge, values, np.arange(len(distinct.state_role))),
        judge_messages(judge, values, np.flatnonzero(~distinct.commands)),
        judge_steps(judge, values, judgeable(distinct)).findings,
    )
