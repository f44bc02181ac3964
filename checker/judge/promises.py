"""Further promises of a protocol: over every state, over connectedness, and over deliveries of each node."""

from typing import Any

from gomboc.checker.judge.claims import IN_EVERY_STATE, OF_ALL_DELIVERED
from gomboc.checker.judge.system import System
from gomboc.checker.judge.unknown import not_judged
from gomboc.checker.judge.verdict import Difference, Holds, Promised, Unknown, Verdict, Violated
from gomboc.checker.traces.trace import Step
from gomboc.spec.core.connection import no_edges
from gomboc.spec.core.faults import connection_faults
from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer
from gomboc.spec.core.protocol import Protocol

STAYS_CONNECTED = "stays_connected"
"""The promise of every protocol that states edges: connected nodes stay connected until the next command."""


class Histories:
    """The automata of all observers, each in its state after the run so far."""

    def __init__(self, observers: tuple[Observer, ...]) -> None:
        self._observers = observers
        self._seen: dict[tuple[str, str], Any] = {}

    def deliver(self, node: str, delivered: Any) -> dict[str, tuple[Fault, ...]]:
        """Pass a node's delivery, as JSON values, to every observer; returns the faults by observer."""
        faults_by_observer = {}
        for observer in self._observers:
            key = observer.name, observer.sees(node)
            before = self._seen.get(key, observer.blank)
            self._seen[key], faults = observer.observe(node, before, delivered)
            if faults:
                faults_by_observer[observer.name] = faults
        return faults_by_observer


class Promises:
    """Judges the promises of one run, step after step, by the states of the trace."""

    def __init__(self, protocol: Protocol, system: System) -> None:
        self._protocol = protocol
        self._system = system
        self._broken: dict[str, Violated] = {}
        self._lied_at: int | None = None
        self._histories = Histories(protocol.promises.observers)
        self._connected = False
        self._are_of_states = bool(_of_states(protocol))
        self._judge_state(0, "", True)

    def observe(self, number: int, step: Step, conforms: bool) -> None:
        """Record step `number`, which the system has taken, and whether it conforms.

        Deliveries in a step that the specification does not allow, and after it, are not judged.
        """
        if not conforms and self._lied_at is None:
            self._lied_at = number
        if self._lied_at is None and step.delivered:
            self._watch(number, step)
        self._judge_state(number, step.node, self._system.begins_anew)

    def _watch(self, number: int, step: Step) -> None:
        for delivered in step.delivered:
            for name, faults in self._histories.deliver(step.node, delivered).items():
                self._note(number, step.node, name, f"{name}: what was delivered breaks it", faults)

    def _judge_state(self, number: int, node: str, anew: bool) -> None:
        protocol = self._protocol
        if not self._are_of_states:
            return
        now = self._system.now
        for promise in protocol.promises.always:
            if promise.name not in self._broken:
                says = f"{promise.name} is promised of every state"
                self._note(number, node, promise.name, says, promise.faults(*now))
        if protocol.promises.edges is not no_edges:
            faults = connection_faults(protocol, *now)
            if self._connected and not anew:
                self._note(number, node, STAYS_CONNECTED, "the nodes were connected and are no more", faults)
            self._connected = not faults

    def _note(self, number: int, node: str, rule: str, says: str, faults: tuple[Fault, ...]) -> None:
        if faults and rule not in self._broken:
            broken = tuple(Difference(_where(fault), fault.expected, fault.found) for fault in faults)
            self._broken[rule] = Violated(number, rule, says, node, faults[0].source, broken)

    def verdicts(self, halted: str | None) -> tuple[Promised, ...]:
        """The verdict on each promise; `halted` is the reason why the run was not judged to its end, if
        there is one.
        """
        lied = halted if self._lied_at is None else not_judged(self._lied_at)
        judged = [(name, IN_EVERY_STATE, halted) for name in _of_states(self._protocol)]
        judged += [(name, OF_ALL_DELIVERED, lied) for name in _of_histories(self._protocol)]
        return tuple(Promised(name, self._verdict(name, holds, why)) for name, holds, why in judged)

    def _verdict(self, name: str, holds: str, why: str | None) -> Verdict:
        return self._broken.get(name) or (Holds(holds) if why is None else Unknown(why))


def unjudged(protocol: Protocol, why: str) -> tuple[Promised, ...]:
    """The verdict on each promise of a run that was not judged from its start."""
    return tuple(Promised(name, Unknown(why)) for name in (*_of_states(protocol), *_of_histories(protocol)))


def _of_states(protocol: Protocol) -> tuple[str, ...]:
    connected = () if protocol.promises.edges is no_edges else (STAYS_CONNECTED,)
    return (*(promise.name for promise in protocol.promises.always), *connected)


def _of_histories(protocol: Protocol) -> tuple[str, ...]:
    return tuple(observer.name for observer in protocol.promises.observers)


def _where(fault: Fault) -> str:
    return f"{fault.rule} at {fault.node}" if fault.node else fault.rule
