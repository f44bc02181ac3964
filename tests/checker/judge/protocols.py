"""The toy of words with what a protocol may declare besides: sleeping nodes, assumptions, quiet commands, promises."""

from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Commanded, Fault, InFlight, Input, Outcome, States
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Protocol
from tests.toys.words.spec import FIFO, ROUNDS, UNORDERED, Say

ASLEEP = "asleep"

Faults = tuple[Fault, ...]


def _sleepy(protocol: Protocol) -> Protocol:
    """With sleeping nodes: only a command has any effect on a sleeping node, and it is never wrong."""

    def react(me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
        asleep = local.text == ASLEEP and not isinstance(taken, Commanded)
        return Outcome(local) if asleep else protocol.actor.react(me, local, taken, choice)

    def node_faults(anchor: Any, me: str, local: Any) -> Faults:
        return () if local.text == ASLEEP else protocol.legitimacy.node_faults(anchor, me, local)

    return protocol.changed(asleep=lambda local: local.text == ASLEEP, quiet=(), react=react, node_faults=node_faults)


SLEEPY, SLEEPY_FIFO, SLEEPY_ROUNDS = map(_sleepy, (UNORDERED, FIFO, ROUNDS))


def _wrong(rule: str, wrong: bool) -> Faults:
    return (Fault(rule, "b", "right", "wrong", "Section 9"),) if wrong else ()


def _needs(states: States, in_flight: InFlight) -> Faults:
    return _wrong("is_not_bad", states["b"].text in ("bad", "worse"))


def _assumes(states: States, in_flight: InFlight) -> Faults:
    return _wrong("is_not_bad", states["b"].text == "bad")


def _misreports(states: States, node: str, command: Any) -> Faults:
    return _wrong("wrong", states[node].text == "bad")


def _polite(states: States, in_flight: InFlight) -> Faults:
    said = {word.text for word in states.values()} | {word.text for _, word in in_flight}
    return _wrong("words", "rude" in said)


def _once(node: str, seen: tuple[str, ...], delivered: str) -> tuple[tuple[str, ...], Faults]:
    return (*seen, delivered), _wrong("new", delivered in seen)


POLITE, ONCE = Always("polite", "Section 8", _polite), Observer("once", "Section 8", (), _once)
NEEDY, ASSUMING = UNORDERED.changed(premise=_needs), UNORDERED.changed(assumption=_assumes)

DECLARING = {
    "names": UNORDERED.changed(named=lambda value: (value.text,) if len(value.text) == 1 else ()),
    "premise": NEEDY,
    "assumption": ASSUMING,
    "assumption on commands": UNORDERED.changed(commands_assumption=_assumes),
    "reports": UNORDERED.changed(misreports=_misreports),
    "quiet": UNORDERED.changed(quiet=(Say,)),
    "quiet if idle": UNORDERED.changed(quiet_if_idle=(Say,)),
    "quiet, premise": NEEDY.changed(quiet=(Say,)),
    "always": UNORDERED.changed(always=(POLITE,)),
    "observer": UNORDERED.changed(observers=(ONCE,)),
    "observer of all": UNORDERED.changed(observers=(replace(ONCE, whole=True),)),
    "edges": UNORDERED.changed(edges=lambda node, value: ((node, value.text),)),
    "rude messages": UNORDERED.changed(
        message_faults=lambda *of: (*UNORDERED.legitimacy.message_faults(*of), *_wrong("is_polite", True))
    ),
    "assumption, always, observer": ASSUMING.changed(always=(POLITE,), observers=(ONCE,)),
}
"""A word may name the node of this name; `b` may have to be good, or told so, or everybody polite; and the like."""

PROTOCOLS = {
    "": UNORDERED,
    "fifo": FIFO,
    "rounds": ROUNDS,
    "sleep": SLEEPY,
    "sleep, fifo": SLEEPY_FIFO,
    "sleep, rounds": SLEEPY_ROUNDS,
    **DECLARING,
}
"""All of them, by what they declare."""
