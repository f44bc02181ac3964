"""A small trace of plain values, and its verdict by the judge of this project: the naive replay, step by step."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from gomboc.checker.judge.conformance import Conformance
from gomboc.checker.judge.system import System
from gomboc.checker.traces.trace import FORMAT, VERSION, Header, Sent, Step
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import Choice, Outcome, Received, Send
from gomboc.spec.core.protocol import Actor, Cited, Discipline, Legitimacy, Protocol, Start, Starts, Vocabulary

Values = Mapping[str, Any]
"""`initial`: a state for each node; `in_flight`: [id, target, content] each; `steps`: as PlainStep; `allowed`: a truth
for each step.
"""


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state, or the content of a message."""

    text: str


class PlainStep(msgspec.Struct, frozen=True):
    """A step with names as text; `took` is an id or None for a timeout."""

    node: str
    took: int | None
    received: str | None
    before: str
    after: str
    sent: list[tuple[int, str, str]]

    def local(self) -> tuple[Any, ...]:
        """The part of a step that the specification sees."""
        received = None if self.took is None else self.received
        return self.node, received, self.before, self.after, tuple(sent[1:] for sent in self.sent)


def steps_of(values: Values) -> list[PlainStep]:
    """The steps of a trace of plain values."""
    return msgspec.convert(values["steps"], list[PlainStep])


def verdict(values: Values) -> str:
    """The judge's verdict on a trace, with the allowed steps as the specification."""
    header = _header(values)
    system = System(header)
    judge = Conformance(protocol_of(values), system)
    judge.judge_start(header.messages)
    for number, step in enumerate(map(_step, steps_of(values)), 1):
        judge.judge_step(number, step)
        system.apply(step)
        judge.observe(step)
    violated = judge.violated
    return "conforms" if violated is None else f"{violated.rule} in step {violated.step}"


def _header(values: Values) -> Header:
    roles = dict.fromkeys(values["initial"], "actor")
    states = {node: Word(state) for node, state in values["initial"].items()}
    return Header(FORMAT, VERSION, "actors", {}, roles, states, _sent(values["in_flight"]), {})


def _sent(sends: list[tuple[int, str, str]]) -> list[Sent]:
    return [Sent(number, target, Word(content)) for number, target, content in sends]


def _step(plain: PlainStep) -> Step:
    took: Any = "timeout" if plain.took is None else plain.took
    received = None if plain.took is None or plain.received is None else Word(plain.received)
    return Step(plain.node, took, Word(plain.after), _sent(plain.sent), before=Word(plain.before), received=received)


def protocol_of(values: Values) -> Protocol:
    """Actors that may take exactly the steps that are allowed in this trace."""
    allowed = [step for step, right in zip(steps_of(values), values["allowed"], strict=True) if right]

    def outcomes(me: str, local: Word, taken: Any) -> Iterator[Outcome]:
        received = taken.message.text if isinstance(taken, Received) else None
        for node, content, before, after, sent in {step.local() for step in allowed}:
            if (node, content, before) == (me, received, local.text):
                yield Outcome(Word(after), tuple(Send(target, Word(said)) for target, said in sent))

    def choices(me: str, local: Word, taken: Any) -> tuple[Choice, ...]:
        chances = [str(number) for number, _ in enumerate(outcomes(me, local, taken))]
        return tuple(Choice(name, Fraction(1, len(chances))) for name in chances)

    return Protocol(
        name="actors",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={"actor": Word}, member="actor", message=Word, command=str),
        actor=Actor(
            react=lambda me, local, taken, choice: list(outcomes(me, local, taken))[int(choice.name)],
            rule=lambda _local, _taken: Cited("step", ""),
            choices=choices,
        ),
        legitimacy=Legitimacy(
            anchor=lambda _locals: None,
            node_faults=lambda _anchor, _me, _local: (),
            message_faults=lambda _anchor, _target, _message: (),
        ),
        starts=Starts(space=lambda _size: OneOf(()), start=lambda _nodes: Start((), ()), bound=lambda _nodes: 0),
    )
