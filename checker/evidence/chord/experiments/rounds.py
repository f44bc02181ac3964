"""Runs of Chord round by round: everything in flight arrives, then each node has a timeout."""

from collections.abc import Mapping

from gomboc.checker.errata.scene import Script, Stage, opening, round_of, take
from gomboc.checker.evidence.chord.experiments.scenes import of_states
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.chord.state import Node


def becomes_right(by: Protocol, states: Mapping[str, Node], most: int) -> bool:
    """Whether a system is right within so many rounds; the run ends early if no node changes for six rounds."""
    stage = opening(Script(of_states(dict(states)), ()).start)
    unchanged = 0
    for _ in range(most):
        if stage.is_legitimate(by):
            return True
        after = a_round(by, stage)
        unchanged = unchanged + 1 if after.states == stage.states else 0
        if unchanged == 6:
            return False
        stage = after
    return stage.is_legitimate(by)


def a_round(by: Protocol, stage: Stage) -> Stage:
    """The stage after a round."""
    for turn in round_of(stage):
        stage = take(by, stage, turn)
    return stage
