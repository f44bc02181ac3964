"""Judge distinct values and local steps by the specification; the naive judge explains each fault."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import DELIVERY, NONE, Distinct
from gomboc.checker.distinct.findings import (
    ANEW,
    UNDECIDED,
    Fired,
    LocalFinding,
    PackFindings,
    conjunct_of,
    kind_of,
)
from gomboc.checker.distinct.naming import naming_anew
from gomboc.checker.distinct.spelling import Decoders, PackValues, SpelledStep, spelled_steps
from gomboc.checker.judge.conformance import Conformance, as_delivered
from gomboc.checker.judge.exact import sameness, written_alike
from gomboc.checker.judge.system import System
from gomboc.checker.judge.verdict import Violated
from gomboc.checker.traces.trace import FORMAT, VERSION, Header, Sent, Step
from gomboc.spec.core.model import CERTAIN, Commanded, Input, Received
from gomboc.spec.core.protocol import Protocol, fired

Counted = tuple[tuple[str, type, type, type, bool, bool, str | None], ...]
"""The effect of a right step, in types: for each rule that it fires, what `Fired` says."""

CHUNK = 4096
"""Steps that are decoded at a time: enough to look up in columns, and few enough to forget them soon."""


class LocalJudge:
    """Judges values and local steps of one protocol, and counts the effects of right steps."""

    def __init__(self, protocol: Protocol) -> None:
        self.decoders = Decoders(protocol)
        self._counted: Counter[Counted] = Counter()
        self._spelled: dict[Counted, tuple[Fired, ...]] = {}
        self.effect: Counted | None = None
        self.protocol, self._same = protocol, sameness(protocol)
        self._names: set[str] = set()
        self._system = _system(protocol, ())
        self._conformance = Conformance(protocol, self._system)

    def value(self, decoded: Callable[[], Any]) -> LocalFinding | None:
        """The finding about a local state or the content of a message; None is the state of an unknown node.

        `decoded` gives the value, or raises UsageError. A command is no message, and is judged with its step.
        """
        return self._judged(lambda: self._value(decoded()))

    def step(self, local: SpelledStep) -> LocalFinding | None:
        """The finding about a step; `effect` is that of a right one, and None otherwise.

        Faults after a value that is not canonical are ignored: the value itself is found before.
        """
        self.effect = None
        if self._is_plainly_right(local):
            return None
        finding = self._judged(lambda: self._step(local))
        return None if finding is not None and finding.rule == UNDECIDED and self._comes_too_late(local) else finding

    def _comes_too_late(self, local: SpelledStep) -> bool:
        """Whether the step begins in a state, or takes a message, that is not canonical."""
        taken = (local.taken.message,) if isinstance(local.taken, Received) else ()
        findings = [self._judged(partial(self._value, value)) for value in (local.before, *taken)]
        return any(finding is not None and finding.rule != UNDECIDED for finding in findings)

    def _judged(self, judge: Callable[[], LocalFinding | None]) -> LocalFinding | None:
        try:
            return judge()
        except Exception as error:  # noqa: BLE001  # the traces in which it occurs are judged naively, and say why
            return LocalFinding(UNDECIDED, f"{type(error).__name__}: {error}")

    def _value(self, value: Any) -> LocalFinding | None:
        faults = () if value is None else self.protocol.naming.malformed(value)
        return LocalFinding("canonical", faults[0].source) if faults else None

    def _step(self, local: SpelledStep) -> LocalFinding | None:
        violated = self._explained(local)
        if violated is None:
            self._count(local)
            return None
        return LocalFinding(violated.rule, conjunct_of(violated))

    def _is_plainly_right(self, local: SpelledStep) -> bool:
        """Whether the specification allows the step with its sends in the same order; counts it if so.

        If not, the step may still be right. Nearly all steps are decided here, so nothing is computed twice.
        """
        node, before, taken, after, sends, coin, delivered = local
        protocol, same = self.protocol, self._same
        try:
            choices = protocol.actor.choices(node, before, taken)
            # All of them first: an input that is refused for one result of its coins is refused.
            outcomes = [
                protocol.actor.react(node, before, taken, choice)
                for choice in choices
                if coin is None or coin == choice.name or choices == CERTAIN
            ]
            for outcome in outcomes:
                if (
                    same(outcome.local, after)
                    and same([(send.target, send.message) for send in outcome.sends] if outcome.sends else [], sends)
                    and written_alike(list(as_delivered(outcome)) if outcome.delivered else [], delivered)
                ):
                    self._count(local)
                    return True
        except Exception:  # noqa: BLE001  # the naive judge meets the same exception, and reports it
            return False
        return False

    def _count(self, local: SpelledStep) -> None:
        """Count the effect of a right step."""
        node, before, taken, after, sends, coin, _ = local
        content = type(taken.message if isinstance(taken, Received) else getattr(taken, "command", taken))
        changed = before is not after and before != after
        self.effect = tuple(
            [
                (rule.name, type(before), type(taken), content, changed, bool(sends), coin)
                for rule in fired(self.protocol, node, before, taken)
            ]
        )
        self._counted[self.effect] += 1

    @property
    def fired(self) -> Counter[Fired]:
        """The number of right steps by effect."""
        counts: Counter[Fired] = Counter()
        for effect, times in self._counted.items():
            for each in self.spelled(effect):
                counts[each] += times
        return counts

    def spelled(self, effect: Counted) -> tuple[Fired, ...]:
        """The effect of a right step, without types."""
        if effect not in self._spelled:
            self._spelled[effect] = tuple(self._fired(*each) for each in effect)
        return self._spelled[effect]

    def _fired(
        self, rule: str, state: type, way: type, content: type, changed: bool, sent: bool, coin: str | None
    ) -> Fired:
        role = next(role for role, kind in self.protocol.vocabulary.roles.items() if issubclass(state, kind))
        took = "timeout" if content is way else kind_of(content)
        return Fired(rule, role, way.__name__, took, changed, sent, coin)

    def _explained(self, local: SpelledStep) -> Violated | None:
        """The naive judge's finding about the step."""
        self._meet([local.node, *(target for target, _ in local.sends)])
        system, took = self._system, _took(local.taken)
        system.in_flight.clear()
        system.given.clear()
        if isinstance(local.taken, Received):
            system.in_flight[0] = system.given[0] = Sent(0, local.node, local.taken.message)
        sent = [Sent(number, target, message) for number, (target, message) in enumerate(local.sends, 1)]
        system.states[local.node] = local.before
        step = Step(local.node, took, local.after, sent, local.delivered, local.coin)
        return self._conformance.judge(1, step, system, None)

    def _meet(self, names: Iterable[str]) -> None:
        if not self._names.issuperset(names):
            self._names.update(names)
            self._system = _system(self.protocol, self._names)
            self._conformance = Conformance(self.protocol, self._system)


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
    return _found((number, judge.value(partial(values.whole_state, number))) for number in numbers.tolist())


def judge_messages(judge: LocalJudge, values: PackValues, numbers: Array) -> dict[int, LocalFinding]:
    """Findings about the contents of those numbers, as messages."""
    values.read_messages(numbers)
    return _found((number, judge.value(partial(values.message, number))) for number in numbers.tolist())


def _found(findings: Iterator[tuple[int, LocalFinding | None]]) -> dict[int, LocalFinding]:
    return {number: finding for number, finding in findings if finding is not None}


def judge_steps(
    judge: LocalJudge, values: PackValues, rows: Array, effects: dict[int, Counted] | None = None
) -> dict[int, LocalFinding]:
    """Findings about the steps of those numbers, and the mark `ANEW` for right steps that have a new name.

    `effects` is given those of the right steps, by number.
    """
    findings: dict[int, LocalFinding] = {}
    for low in range(0, len(rows), CHUNK):
        part = rows[low : low + CHUNK]
        for number, step in zip(part.tolist(), spelled_steps(values, part), strict=True):
            finding = LocalFinding(UNDECIDED, str(step)) if isinstance(step, UsageError) else judge.step(step)
            if finding is not None:
                findings[number] = finding
            elif effects is not None and judge.effect is not None:
                effects[number] = judge.effect
    right = rows[~np.isin(rows, list(findings))] if findings else rows
    return findings | dict.fromkeys(naming_anew(judge.protocol, values, right).tolist(), LocalFinding(ANEW))


def judge_all(judge: LocalJudge, distinct: Distinct) -> PackFindings:
    """Judge all values and steps of a pack in this process."""
    values = PackValues(judge.decoders, distinct)
    return PackFindings(
        judge_states(judge, values, np.arange(len(distinct.state_role))),
        judge_messages(judge, values, np.flatnonzero(~distinct.commands)),
        judge_steps(judge, values, judgeable(distinct)),
    )
