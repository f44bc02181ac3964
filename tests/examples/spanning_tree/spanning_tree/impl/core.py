"""The automaton of a node: values in, values out; time and randomness are arguments."""

import msgspec
from msgspec import Raw

from gomboc.impl import Input, Output, Received, Send, SetTimer, Timeout
from spanning_tree.impl.messages import Write
from spanning_tree.impl.states import Heard, State

PERIOD = 1.0


class Member:
    """The root, or another node."""

    def __init__(self, is_root: bool, name: str, state: State) -> None:
        self._is_root, self._name = is_root, name
        self._distance, self._parent = state.distance, state.parent
        self._heard = {heard.neighbour: heard.distance for heard in state.registers}

    def snapshot(self) -> Raw:
        """The whole local state, as JSON."""
        registers = tuple(Heard(neighbour, distance) for neighbour, distance in self._heard.items())
        return Raw(msgspec.json.encode(State(self._distance, self._parent, registers)))

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step, and return its outputs."""
        match event:
            case Timeout():
                self._choose_parent()
                written = Write(self._name, self._distance)
                return [SetTimer(now + PERIOD), *(Send(neighbour, written) for neighbour in self._heard)]
            case Received(Write(sender, distance)) if sender in self._heard:
                self._heard[sender] = distance
        return []

    def _choose_parent(self) -> None:
        if self._is_root:
            self._distance, self._parent = 0, None
        elif self._heard:
            least, self._parent = min((distance, neighbour) for neighbour, distance in self._heard.items())
            self._distance = least + 1
        else:
            self._parent = None
