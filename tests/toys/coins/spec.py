"""A protocol small enough to count by hand: a timeout tosses a coin and sends the result; receivers keep it."""

from fractions import Fraction
from typing import Any

from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Fault, Input, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Actor, Cited, Discipline, Legitimacy, Naming, Protocol, Start, Starts, Vocabulary

HEADS, TAILS = Choice("heads", Fraction(1, 3)), Choice("tails", Fraction(2, 3))
OTHER = {"a": "b", "b": "a"}


def react(me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
    match taken:
        case Timeout():
            return Outcome(local, (Send(OTHER[me], choice.name),))
        case Received(message):
            return Outcome((*local, message), (), (message,))
        case Commanded(what):
            return Outcome((*local, what))
    raise ValueError(f"no rule for {taken!r}")


def choices(me: str, local: Any, taken: Input) -> Any:
    return (HEADS, TAILS) if isinstance(taken, Timeout) else CERTAIN


def node_faults(anchor: Any, me: str, local: Any) -> tuple[Any, ...]:
    return (Fault("no_tails", me, "heads", "tails", "nowhere"),) if "tails" in local else ()


def message_faults(anchor: Any, target: str, message: Any) -> tuple[Any, ...]:
    return (Fault("no_tails_sent", target, "heads", message, "nowhere"),) if message == "tails" else ()


def malformed(value: Any) -> tuple[Any, ...]:
    return (Fault("canonical", "", "a word", value, "nowhere"),) if value == "" else ()


def toy(discipline: Discipline) -> Protocol:
    """The toy under a discipline."""
    return Protocol(
        name="toy",
        discipline=discipline,
        vocabulary=Vocabulary(roles={"thrower": tuple}, member="thrower", message=str, command=str),
        actor=Actor(
            react=react, rule=lambda local, taken: Cited(type(taken).__name__.lower(), "nowhere"), choices=choices
        ),
        legitimacy=Legitimacy(
            anchor=lambda locals_: locals_["a"], node_faults=node_faults, message_faults=message_faults
        ),
        starts=Starts(space=lambda size: OneOf((start(),)), start=lambda nodes: start(), bound=lambda nodes: 1),
        naming=Naming(malformed=malformed),
    )


def start(*in_flight: Any) -> Start:
    """Both throwers with empty hands."""
    return Start((("a", "thrower"), ("b", "thrower")), (("a", ()), ("b", ())), in_flight)


UNORDERED, FIFO, ROUNDS = (toy(discipline) for discipline in Discipline)
