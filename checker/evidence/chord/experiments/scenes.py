"""Scenes of Chord: a small ring, and turns, each in a few words; and runs round by round."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import ClassVar

from gomboc.checker.errata.played import Played
from gomboc.checker.errata.scene import Stage, a_round, opening
from gomboc.spec.core.protocol import Protocol, Start, configured, variant
from gomboc.spec.protocols.chord import PROTOCOL
from gomboc.spec.protocols.chord.legitimacy import anchor, right_state
from gomboc.spec.protocols.chord.parameters import Parameters, parameters_of
from gomboc.spec.protocols.chord.space import ROLE, names_of
from gomboc.spec.protocols.chord.state import Node
from gomboc.spec.types.parameters import told


@cache
def protocol(options: Parameters, printed: str | None = None) -> Protocol:
    """The protocol with those parameters, or that variant of it."""
    return variant(configured(PROTOCOL, told(options)), printed)


def ring(options: Parameters, nodes: int, outside: Collection[int] = ()) -> Start:
    """An ideal ring of so many nodes, but for those with these numbers, with nothing in flight."""
    names = names_of(options.circle, nodes)
    members = anchor(options, {name: number not in outside for number, name in enumerate(names)})
    return of_states({name: right_state(options, members, name) if name in members else Node() for name in names})


def of_states(states: Mapping[str, Node]) -> Start:
    """Those states with nothing in flight."""
    return Start(tuple((name, ROLE) for name in sorted(states)), tuple(sorted(states.items())))


class Ring(Played, frozen=True, kw_only=True):
    """A ring and its turns: ideal at first, of all but the nodes outside, told by their numbers, counted from 0."""

    ours: ClassVar[Protocol] = PROTOCOL

    nodes: int
    turns: str
    outside: tuple[int, ...] = ()

    @property
    def options(self) -> Parameters:
        """The parameters of the ring."""
        return parameters_of(self.parameters)

    def start(self) -> Start:
        """The ideal ring."""
        return ring(self.options, self.nodes, self.outside)

    def broken(self, at: int = -1) -> set[str]:
        """The promises over states that are false at the end, or at that stage."""
        return broken(self.protocol, self.stages()[at])


played, scene = Ring.played, Ring.scene


def broken(by: Protocol, stage: Stage) -> set[str]:
    """The promises over states that are false."""
    return {promise.name for promise in by.promises.always if promise.faults(stage.states, stage.in_flight)}


def becomes_right(by: Protocol, states: Mapping[str, Node], most: int) -> bool:
    """Whether a system is right within so many rounds; the run ends early if no node changes for six rounds."""
    stage, unchanged = opening(of_states(states)), 0
    for _ in range(most):
        if stage.is_legitimate(by):
            return True
        before, stage = stage, a_round(by, stage)
        unchanged = unchanged + 1 if stage.states == before.states else 0
        if unchanged == 6:
            return False
    return stage.is_legitimate(by)
