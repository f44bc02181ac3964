"""A toy with traces that are counted by hand: each node holds a word, sends it, and adopts a word that it receives.

Node `a` is the authority: the system is legitimate when every node and every message has the word of `a`. States and
messages are of one type on purpose, so that machinery that confuses them is detected.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.judge.system import System
from gomboc.checker.simulate.spec_runner import encoded
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Fault, Input, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Actor, Cited, Discipline, Legitimacy, Naming, Protocol, Start, Starts, Vocabulary
from tests.toys.judging import judgement, reader

TELLS = {"a": "b", "b": "a", "c": "b"}
SILENT, SPEAK, TWICE = (
    Choice("silent", Fraction(1, 2)),
    Choice("speak", Fraction(1, 4)),
    Choice("twice", Fraction(1, 4)),
)


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str


class Say(msgspec.Struct, frozen=True, tag_field="kind", tag="say", forbid_unknown_fields=True):
    text: str


def react(me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
    match taken:
        case Timeout():
            words_sent = {"silent": (), "speak": (local,), "twice": (local, Word("good"))}[choice.name]
            return Outcome(local, tuple(Send(TELLS[me], word) for word in words_sent))
        case Received(word):
            return Outcome(word, (), (word.text,))
        case Commanded(Say(text)) if text != "riddle":
            return Outcome(Word(text))
    raise ValueError(f"there is no rule for {taken!r}")


def choices(me: str, local: Any, taken: Input) -> Any:
    return (SILENT, SPEAK, TWICE) if isinstance(taken, Timeout) else CERTAIN


RULES = {
    Timeout: Cited("tell", "Section 1"),
    Received: Cited("hear", "Section 2"),
    Commanded: Cited("obey", "Section 3"),
}


def malformed(value: Any) -> tuple[Any, ...]:
    return () if value.text else (Fault("canonical", "", "a word", "", "Section 4"),)


def anchor_faults(anchor: Any) -> tuple[Any, ...]:
    return (Fault("authority_is_sane", "a", "a word", anchor, "Section 5"),) if anchor == "mad" else ()


def node_faults(anchor: Any, me: str, local: Any) -> tuple[Any, ...]:
    return () if local.text == anchor else (Fault("agrees", me, anchor, local.text, "Section 6"),)


def message_faults(anchor: Any, target: str, message: Any) -> tuple[Any, ...]:
    return () if message.text == anchor else (Fault("will_agree", target, anchor, message.text, "Section 7"),)


def toy(discipline: Discipline) -> Protocol:
    return Protocol(
        name=f"toy_{discipline.value}",
        discipline=discipline,
        vocabulary=Vocabulary(
            roles={"teller": Word}, member="teller", message=Word, command=Say, fixed={"a": "teller"}
        ),
        actor=Actor(react=react, rule=lambda local, taken: RULES[type(taken)], choices=choices),
        legitimacy=Legitimacy(
            anchor=lambda states: states["a"].text,
            node_faults=node_faults,
            message_faults=message_faults,
            anchor_faults=anchor_faults,
        ),
        starts=Starts(space=lambda size: OneOf((start(),)), start=lambda nodes: start(), bound=lambda nodes: 3),
        naming=Naming(malformed=malformed),
    )


def start() -> Start:
    return Start((("a", "teller"), ("b", "teller")), (("a", Word("good")), ("b", Word("good"))))


def echoing(parameters: Mapping[str, Any]) -> Any:
    """The toy in which a node passes a received word on, if the parameter `echo` says so."""
    if not isinstance(parameters["echo"], bool):
        raise ValueError(f"echo is true or false, not {parameters['echo']!r}")
    return ECHO.changed(react=_echo) if parameters["echo"] else ECHO


def _echo(me: str, local: Any, taken: Input, choice: Choice) -> Any:
    outcome = react(me, local, taken, choice)
    return replace(outcome, sends=(Send(TELLS[me], taken.message),)) if isinstance(taken, Received) else outcome


UNORDERED, FIFO, ROUNDS = (toy(discipline) for discipline in Discipline)
ECHO = UNORDERED.changed(name="toy_echo", parameters=("echo",), configured=echoing)


def header(
    a: str = "good", b: str = "good", messages: Sequence[Any] = (), protocol: Protocol = UNORDERED, **more: Any
) -> dict[str, Any]:
    """A header; `messages` are triples of id, target and text, `more` has further keys, or the word of a node `c`."""
    words = {"a": a, "b": b} | ({"c": more.pop("c")} if "c" in more else {})
    return {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": protocol.name,
        "parameters": {},
        "roles": dict.fromkeys(words, "teller"),
        "states": {name: {"text": text} for name, text in words.items()},
        "messages": in_flight(*messages),
        "origin": {"implementation": "by hand"},
        **more,
    }


def in_flight(*messages: Any) -> list[Any]:
    return [{"id": id_, "to": to, "message": {"text": text}} for id_, to, text in messages]


def rests(node: str, text: str = "good", **more: Any) -> dict[str, Any]:
    return {"node": node, "took": "timeout", "state": {"text": text}, "sent": [], **more}


def tells(node: str, id_: Any, text: str = "good", **more: Any) -> Any:
    return rests(node, text, **{"sent": in_flight((id_, TELLS.get(node, "a"), text)), **more})


def hears(node: str, id_: Any, text: str = "good", **more: Any) -> dict[str, Any]:
    return {"node": node, "took": id_, "state": {"text": text}, "sent": [], "delivered": [text], **more}


def obeys(node: str, text: str, **more: Any) -> Any:
    return rests(node, text, took={"kind": "say", "text": text}, **more)


def written(*lines: Any) -> Any:
    """A trace of those lines, as bytes."""
    return encoded(lines)


def judged(*lines: Any, protocol: Protocol = UNORDERED, options: Options = DEFAULT) -> Any:
    """The judgement of a trace of the toy; the header is written for `protocol`."""
    head, *steps = lines
    return judgement(protocol, written({**head, "protocol": protocol.name}, *steps), options)


def system_and_steps(*lines: Any, protocol: Protocol = UNORDERED) -> tuple[Any, ...]:
    """The system at the start of a trace of the toy, and its steps."""
    head, *steps = lines
    its = reader(protocol, written({**head, "protocol": protocol.name}, *steps))
    return System(its.header, protocol), list(its.steps())
