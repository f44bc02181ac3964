"""Zave's machine as a protocol, so that the judge can check her executions: one node holds the state of all of them.

An event is a command to that node, and each property that was claimed is a promise over every state.

Source: Zave 2012
"""

from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from gomboc.checker.errata.scene import Script, Turn
from gomboc.checker.evidence.chord.experiments.claimed import CLAIMED, Claimed
from gomboc.checker.evidence.chord.experiments.machine import Known, System, alone, zave
from gomboc.checker.evidence.chord.experiments.zave import Run
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Fault, InFlight, Input, Outcome, States, Timeout
from gomboc.spec.core.promises import Always
from gomboc.spec.core.protocol import (
    Actor,
    Cited,
    Discipline,
    Legitimacy,
    Naming,
    Promises,
    Protocol,
    Start,
    Starts,
    Vocabulary,
)

TRACES = Path(__file__).parents[1] / "traces"
"""The folder of her executions as traces, each with the name of the property that it breaks."""

NODE, ROLE = "all", "machine"
SOURCE = "Zave 2012"


class Machine(msgspec.Struct, frozen=True):
    """The state of every node, as in `machine.System`; `checks`: whether joiners and heads ask."""

    known: tuple[Known | None, ...]
    checks: bool
    dead: tuple[int, ...] = ()
    notices: tuple[tuple[int, int], ...] = ()

    def system(self) -> System:
        """The same state for the properties and the events."""
        return System(self.known, frozenset(self.dead), frozenset(self.notices))

    def followed_by(self, system: System) -> "Machine":
        """The machine in that state."""
        return replace(self, known=system.known, dead=tuple(sorted(system.dead)), notices=tuple(sorted(system.notices)))


class Happens(msgspec.Struct, frozen=True, tag_field="kind", tag="happens"):
    """An event, such as `1 joins before 0`."""

    event: str


class Nothing(msgspec.Struct, frozen=True, tag_field="kind", tag="nothing"):
    """The type of messages, of which there are none: nodes read each other's state."""


def react(me: str, local: Machine, taken: Input, _choice: Choice) -> Outcome:
    """The machine after an event; ValueError for one that cannot happen."""
    match taken:
        case Timeout():
            return Outcome(local)
        case Commanded(Happens(event)):
            following = zave(local.checks).after(local.system(), event)
            if following is not None:
                return Outcome(local.followed_by(following))
    raise ValueError(f"{me} has no rule for {taken}")


def rule(_local: Machine, taken: Input) -> Cited:
    """The event's name; nothing happens at a timeout."""
    return Cited("event" if isinstance(taken, Commanded) else "idle", SOURCE)


def start(nodes: int, checks: bool = True) -> Start:
    """Node 0 alone, and others that have never been there."""
    return Start(((NODE, ROLE),), ((NODE, Machine(alone(nodes).known, checks)),), ())


def _faults(name: str, claimed: Claimed, states: States, _in_flight: InFlight) -> tuple[Fault, ...]:
    holds = claimed(states[NODE].system())
    return () if holds else (Fault(name, NODE, True, False, SOURCE),)


PROTOCOL = Protocol(
    name="chord_of_zave",
    discipline=Discipline.UNORDERED,
    vocabulary=Vocabulary(roles={ROLE: Machine}, member=ROLE, message=Nothing, command=Happens, fixed={NODE: ROLE}),
    actor=Actor(react=react, rule=rule, choices=lambda *_: CERTAIN),
    legitimacy=Legitimacy(
        anchor=lambda _: (), node_faults=lambda *_: (), message_faults=lambda *_: (), anchor_faults=lambda _: ()
    ),
    starts=Starts(space=lambda size: OneOf((start(size.nodes),)), start=start, bound=lambda _: 1),
    promises=Promises(
        always=tuple(Always(name, SOURCE, partial(_faults, name, claimed)) for name, claimed in CLAIMED.items())
    ),
    naming=Naming(malformed=lambda _: ()),
)


def script(run: Run) -> Script:
    """An execution as the commands of a scene."""
    turns = tuple(Turn(NODE, Commanded(Happens(event))) for event in run.happens)
    return Script(start(run.nodes, run.checks), turns)
