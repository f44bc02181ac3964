"""One local step held against the specification; what is wrong with it, the naive judge itself is asked."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import astuple

from checker.conformance import Conformance, as_told
from checker.kernel.findings import UNDECIDED, Finding, Fired, conjunct_of, kind_of
from checker.kernel.values import Values
from checker.system import System
from checker.trace import FORMAT, VERSION, Header, Sent, Step
from checker.verdict import Violated
from spec.model import CERTAIN, Commanded, Input, Received
from spec.protocol import Protocol


class LocalStep(NamedTuple):
    """One row of `steps.parquet` with values instead of numbers. It says the same in whichever pack it stands.

    `taken` is what the specification calls the input, `sends` are pairs of target and content.
    """

    node: str
    before: Any
    taken: Input
    after: Any
    sends: list[tuple[str, Any]]
    coin: str | None
    delivered: list[Any]


class LocalJudge:
    """Judges values and local steps of one protocol, and counts what the right ones among them did."""

    def __init__(self, protocol: Protocol) -> None:
        self.values = Values(protocol)
        self._counted: Counter[tuple[str, str, str, str, bool, bool, str | None]] = Counter()
        self._described: dict[tuple[type, ...], tuple[str, str, str]] = {}
        self._protocol = protocol
        self._names: set[str] = set()
        self._system = _system(protocol, ())
        self._conformance = Conformance(protocol, self._system)

    def value(self, decoded: Callable[[], Any]) -> Finding | None:
        """What is wrong with a local state or the content of a message; None is the state of a node that is not there.

        `decoded` gives it, or raises UsageError. A command is no message, and is judged with its step.
        """
        return self._judged(lambda: self._value(decoded()))

    def step(self, local: LocalStep) -> Finding | None:
        """What is wrong with a step. After something that is not canonical nothing is: that is found before it."""
        found = self._judged(lambda: self._step(local))
        return None if found is not None and found.rule == UNDECIDED and self._comes_too_late(local) else found

    def _comes_too_late(self, local: LocalStep) -> bool:
        """Whether the step is taken in a state, or takes a message, that is not canonical."""
        taken = (local.taken.message,) if isinstance(local.taken, Received) else ()
        found = [self._judged(partial(self._value, value)) for value in (local.before, *taken)]
        return any(each is not None and each.rule != UNDECIDED for each in found)

    def _judged(self, judge: Callable[[], Finding | None]) -> Finding | None:
        try:
            return judge()
        except Exception as error:  # noqa: BLE001  # the traces in which it occurs are judged naively, and say why
            return Finding(UNDECIDED, f"{type(error).__name__}: {error}")

    def _value(self, value: Any) -> Finding | None:
        faults = () if value is None else self._protocol.malformed(value)
        return Finding("canonical", faults[0].source) if faults else None

    def _step(self, local: LocalStep) -> Finding | None:
        if self._is_right(local) or (violated := self._explained(local)) is None:
            self._count(local)
            return None
        return Finding(violated.rule, conjunct_of(violated))

    def _count(self, local: LocalStep) -> None:
        """Count what a right step did. Steps of the same types are of the same role and take the same."""
        _, before, taken, after, sends, coin, _ = local
        types = type(before), type(taken), *map(type, astuple(taken))
        described = self._described.get(types)
        if described is None:
            described = self._described[types] = _description(self._protocol, local)
        rule = self._protocol.rule(before, taken).name
        self._counted[(rule, *described, after is not before and after != before, bool(sends), coin)] += 1

    @property
    def fired(self) -> Counter[Fired]:
        """How many right steps did what."""
        return Counter({Fired(*described): times for described, times in self._counted.items()})

    def _is_right(self, local: LocalStep) -> bool:
        """Whether the step is plainly one that the specification allows, sends in the same order. If not, it may be."""
        node, before, taken, after, sends, coin, delivered = local
        react = self._protocol.react
        try:
            choices = self._protocol.choices(node, before, taken)
            possible = (
                choices if coin is None or choices == CERTAIN else [each for each in choices if each.name == coin]
            )
            for choice in possible:
                outcome = react(node, before, taken, choice)
                sent = [(send.target, send.message) for send in outcome.sends]
                if outcome.local == after and sent == sends and list(as_told(outcome)) == delivered:
                    return True
        except (KeyError, ValueError):
            return False
        return False

    def _explained(self, local: LocalStep) -> Violated | None:
        """What the naive judge says of the step."""
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
            self._system = _system(self._protocol, self._names)
            self._conformance = Conformance(self._protocol, self._system)


def _took(taken: Input) -> Any:
    """What a trace would say that the step took."""
    match taken:
        case Received():
            return 0
        case Commanded(command):
            return command
        case _:
            return "timeout"


def _description(protocol: Protocol, local: LocalStep) -> tuple[str, str, str]:
    """Which role takes what: the role, the way, and the kind of what it takes."""
    match local.taken:
        case Received(content) | Commanded(content):
            took = kind_of(content)
        case _:
            took = "timeout"
    role = next(role for role, kind in protocol.roles.items() if isinstance(local.before, kind))
    return role, type(local.taken).__name__, took


def _system(protocol: Protocol, names: Iterable[str]) -> System:
    states = dict.fromkeys(sorted(names))
    return System(Header(FORMAT, VERSION, protocol.name, {}, dict.fromkeys(states, ""), states, [], {}))
