"""The skip ring with faults: a node with a label takes no other one; a node does not report its state."""

from dataclasses import replace
from typing import Any

import msgspec

from gomboc.impl.core.automaton import Core, Input, Output, RandomSource, Received
from gomboc.impl.protocols.skip_ring import IMPLEMENTATION as RIGHT


class Deaf:
    def __init__(self, core: Core, state: Any) -> None:
        self._core, self._labelled = core, bool(state.get("label"))

    def handle(self, now: float, event: Input) -> list[Output]:
        kind = type(event.message).__name__ if isinstance(event, Received) else ""
        return [] if self._labelled and kind == "SetData" else self._core.handle(now, event)

    def snapshot(self) -> msgspec.Raw:
        return self._core.snapshot()


class Mute(Deaf):
    def snapshot(self) -> msgspec.Raw:
        return msgspec.Raw(b"{}")


def make(role: str, name: str, state: Any, random: RandomSource) -> Core:
    return Deaf(RIGHT.make(role, name, state, random), msgspec.to_builtins(state))


def make_mute(role: str, name: str, state: Any, random: RandomSource) -> Core:
    return Mute(RIGHT.make(role, name, state, random), msgspec.to_builtins(state))


IMPLEMENTATION = replace(RIGHT, name="skip_ring.deaf", make=make, variants=(), configured=None)
MUTE = replace(RIGHT, name="skip_ring.mute", make=make_mute, variants=(), configured=None)
