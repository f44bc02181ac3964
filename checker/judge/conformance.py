"""Conformance of one step after another: the naive replay, which defines a true trace."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from gomboc.checker.judge.exact import keyed, sameness, written_alike
from gomboc.checker.judge.order import Order
from gomboc.checker.judge.system import System
from gomboc.checker.judge.verdict import Difference, Violated
from gomboc.checker.traces.trace import Sent, Step
from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Discipline, Protocol, strangers


class Conformance:
    """Judges the steps of one run of `system` against `protocol`.

    `violated` is the first violation of the run, and `malformed_at` the first step with a value that is not canonical,
    0 for the state before the first step. With `every`, steps are judged after a violation, too.
    """

    def __init__(self, protocol: Protocol, system: System, every: bool = False) -> None:
        self.violated: Violated | None = None
        self.malformed_at: int | None = None
        self._every = every
        self._further: dict[str, Violated] = {}
        self._unsent: int | None = None
        self.protocol, self._system = protocol, system
        self._roles = frozenset(system.states)
        self._order = Order(protocol.discipline, system)
        self._well_formed: set[Any] = set()
        self._same, self._keyed = sameness(protocol), keyed(protocol)

    def judge_start(self, messages: list[Sent]) -> None:
        """Judge the state before the first step."""
        values = [*self._system.states.items(), *(("", sent.message) for sent in messages)]
        malformed = next(filter(None, (self._malformed(0, name, value) for name, value in values)), None)
        self.malformed_at = None if malformed is None else 0
        self.violated = malformed or self._judge_sends(0, "", messages, set())

    def judge_step(self, number: int, step: Step) -> None:
        """Judge step `number`, which the system has not taken yet."""
        malformed = self._malformed_in(number, step)
        if malformed is not None and self.malformed_at is None:
            self.malformed_at = number
        if self.violated is None:
            self.violated = self.judge(number, step, malformed)
            if self.violated is not None and self.violated.rule == "known_message":
                self._unsent = step.took
        elif self._every and (further := self.judge(number, step, malformed)):
            self._further.setdefault(further.rule, further)
        if self.violated is not None and any(sent.id == self._unsent for sent in step.sent):
            says = f"message {self._unsent} is delivered before it is sent, at step {number}"
            self.violated = Violated(self.violated.step, "sent_before_delivered", says, self.violated.node)
            self._unsent = None

    @property
    def further(self) -> tuple[Violated, ...]:
        """The first step that breaks each rule other than that of the first violation."""
        first = None if self.violated is None else self.violated.rule
        return tuple(violated for rule, violated in self._further.items() if rule != first)

    def observe(self, step: Step) -> None:
        """Record a step that the system has taken, right or wrong."""
        self._order.observe(step)

    def judge(self, number: int, step: Step, malformed: Violated | None) -> Violated | None:
        """The first violation of step `number`, which the system has not taken yet.

        `malformed` is the violation by its first value that is not canonical.
        """
        if step.node not in self._roles:
            return Violated(number, "known_node", f"{step.node!r} is not among the roles of the header", step.node)
        return (
            self._judge_chain(number, step)
            or malformed
            or self._judge_delivery(number, step)
            or self._judge_order(number, step)
            or self._judge_sends(number, step.node, step.sent, self._system.given)
            or self._judge_outcome(number, step)
        )

    def _judge_chain(self, number: int, step: Step) -> Violated | None:
        state = self._system.states[step.node]
        if step.before is None or self._same(step.before, state):
            return None
        says = "the node's state changed between its steps"
        return Violated(number, "steps_chain", says, step.node, "", _apart("state", state, step.before))

    def _malformed_in(self, number: int, step: Step) -> Violated | None:
        """The first value of the step that is not canonical, so that nothing further can be judged."""
        states = () if step.state is None else (step.state,)
        for value in (*states, *(sent.message for sent in step.sent)):
            if violated := self._malformed(number, step.node, value):
                return violated
        is_command = not isinstance(step.took, int | str)
        return self._strange(number, step.node, "the command", step.took) if is_command else None

    def _malformed(self, number: int, node: str, value: Any) -> Violated | None:
        # A value that is well-formed as 1 may be malformed as true.
        known = self._keyed(value)
        if known in self._well_formed:
            return None
        if faults := self.protocol.naming.malformed(value):
            differences_found = tuple(Difference(fault.rule, fault.expected, fault.found) for fault in faults)
            says = "a value is not one that its type allows"
            return Violated(number, "canonical", says, node, faults[0].source, differences_found)
        strange = self._strange(number, node, "a value", value)
        if strange is None:
            self._well_formed.add(known)
        return strange

    def _strange(self, number: int, node: str, what: str, value: Any) -> Violated | None:
        """A value or command that names a node that is not in the trace."""
        if absent := strangers(self.protocol, value, self._roles):
            says = f"{what} names {absent[0]!r}, which is not among the roles of the header"
            return Violated(number, "canonical", says, node)
        return None

    def _judge_sends(self, number: int, node: str, sends: list[Sent], known: Iterable[int]) -> Violated | None:
        fresh = set[int]()
        for sent in sends:
            if sent.id in known or sent.id in fresh:
                return Violated(number, "fresh_id", f"message id {sent.id} is given to a second message", node)
            if sent.to not in self._roles:
                return Violated(
                    number,
                    "known_node",
                    f"message {sent.id} is sent to {sent.to!r}, which is not among the roles of the header",
                    node,
                )
            fresh.add(sent.id)
        return None

    def _judge_delivery(self, number: int, step: Step) -> Violated | None:
        if not isinstance(step.took, int):
            return None
        sent = self._system.given.get(step.took)
        if sent is None:
            return Violated(number, "known_message", f"message {step.took} was never sent", step.node)
        if step.took not in self._system.in_flight:
            return Violated(number, "delivered_once", f"message {step.took} had been delivered before", step.node)
        if sent.to != step.node:
            says = f"message {step.took} was sent to another node"
            difference = (Difference("delivered to", sent.to, step.node),)
            return Violated(number, "delivered_to_target", says, step.node, "", difference)
        if step.received is not None and not self._same(step.received, sent.message):
            says = f"message {step.took} was altered in flight"
            altered = _apart("message", sent.message, step.received)
            return Violated(number, "delivered_unaltered", says, step.node, "", altered)
        return None

    def _judge_order(self, number: int, step: Step) -> Violated | None:
        forbidden = self._order.forbids(step)
        return None if forbidden is None else Violated(number, "delivered_in_order", forbidden, step.node)

    def _judge_outcome(self, number: int, step: Step) -> Violated | None:
        state, taken = self._system.states[step.node], as_input(step, self._system)
        try:
            cited = self.protocol.actor.rule(state, taken)
        except KeyError as error:
            return Violated(number, "input_has_rule", str(error), step.node)
        try:
            choices = self.protocol.actor.choices(step.node, state, taken)
            wanted = [choice for choice in choices if step.coin in (None, choice.name) or choices == CERTAIN]
            outcomes = [self.protocol.actor.react(step.node, state, taken, choice) for choice in wanted]
        except ValueError as error:
            return Violated(number, "input_has_rule", str(error), step.node)
        if not outcomes:
            says = f"the rule's coin has no side {step.coin!r}"
            return Violated(number, cited.name, says, step.node, cited.source, _coins(choices, step.coin))
        compared = [self._compare(outcome, step) for outcome in outcomes]
        if () in compared:
            return None
        closest = min(compared, key=len)
        says = f"the step is not what the rule {cited.name!r} produces"
        return Violated(number, cited.name, says, step.node, cited.source, closest)

    def _compare(self, outcome: Outcome, step: Step) -> tuple[Difference, ...]:
        same = outcome.local is step.state or self._same(outcome.local, step.state)
        state = () if same else _apart("state", outcome.local, step.state)
        return (
            state
            + self._compare_sends(outcome, step)
            + _compare_deliveries(as_delivered(outcome), tuple(step.delivered))
        )

    def _compare_sends(self, outcome: Outcome, step: Step) -> tuple[Difference, ...]:
        """Missing sends, and surplus sends; under FIFO also a difference in the order to each target."""
        if not outcome.sends and not step.sent:
            return ()
        should = [(send.target, send.message) for send in outcome.sends]
        was = [(sent.to, sent.message) for sent in step.sent]
        if self._same(should, was):
            return ()
        lacking, surplus = self._lacking(should, was), self._lacking(was, should)
        if self.protocol.discipline is Discipline.FIFO and not lacking and not surplus:
            should.sort(key=_target)
            was.sort(key=_target)
            return () if self._same(should, was) else (Difference("order of sends", should, was),)
        return tuple(Difference(f"not sent to {target}", message, None) for target, message in lacking) + tuple(
            Difference(f"sent to {target}", None, message) for target, message in surplus
        )

    def _lacking(self, some: list[tuple[str, Any]], others: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """The sends that occur in the one list more often than in the other."""
        keys = {(target, self._keyed(message)): (target, message) for target, message in some}
        more = Counter((target, self._keyed(message)) for target, message in some)
        more.subtract((target, self._keyed(message)) for target, message in others)
        return [pair for key, pair in keys.items() for _ in range(more[key])]


def differences(expected: Any, actual: Any, where: str = "") -> tuple[Difference, ...]:
    """Differences between two values of the same kind, field by field."""
    if expected == actual:
        return ()
    if isinstance(expected, msgspec.Struct) and type(expected) is type(actual) and expected.__struct_fields__:
        if expected.__struct_config__.array_like:
            return (Difference(where, expected, actual),)
        return tuple(
            difference
            for field in expected.__struct_fields__
            for difference in differences(
                getattr(expected, field), getattr(actual, field), f"{where}.{field}".lstrip(".")
            )
        )
    return (Difference(where, expected, actual),)


def _apart(where: str, expected: Any, actual: Any) -> tuple[Difference, ...]:
    """The differences of two values: field by field, or as a whole where only JSON distinguishes them."""
    return differences(expected, actual) or (Difference(where, expected, actual),)


def _compare_deliveries(expected: tuple[Any, ...], delivered: tuple[Any, ...]) -> tuple[Difference, ...]:
    """Differences of JSON values in their spelling: to Python 1, 1.0 and true are equal."""
    if written_alike(expected, delivered):
        return ()
    return differences(expected, delivered, "delivered") or (Difference("delivered", expected, delivered),)


def as_delivered(outcome: Outcome) -> tuple[Any, ...]:
    """The deliveries of an outcome to the application in the form of a trace: JSON values."""
    return tuple(map(as_written, outcome.delivered))


def as_written(value: Any) -> Any:
    """A value as it is read from JSON: a tuple or struct of Python is an array or object there."""
    return msgspec.json.decode(msgspec.json.encode(value))


def as_input(step: Step, system: System) -> Input:
    """The input of the step in the specification's terms. Raises KeyError for a message that is not in flight."""
    if isinstance(step.took, int):
        return Received(system.in_flight[step.took].message)
    return Timeout() if step.took == "timeout" else Commanded(step.took)


def _coins(choices: tuple[Choice, ...], coin: str | None) -> tuple[Difference, ...]:
    return (Difference("coin", [choice.name for choice in choices], coin),)


def _target(pair: tuple[str, Any]) -> str:
    return pair[0]
