"""Promises over numbers: what is asked of a node, an inbox or an observer is asked once."""

from collections.abc import Callable

from gomboc.checker.explore.numbered.numbers import EMPTY, Numbers
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.table.untrusted import is_faultless
from gomboc.spec.protocol import anchor_of, strangers


class Promises:
    """Legitimacy and form of states over numbers."""

    def __init__(self, values: Values) -> None:
        self._values, self._protocol = values, values.protocol
        self._shares, self._anchors = Numbers(), Numbers()
        self._of_local: dict[int, int] = {}
        self._right: dict[tuple[str, int, int, int], bool] = {}
        self._formed: dict[tuple[str, int], bool] = {}
        self._there = frozenset(values.names)

    def is_legitimate(self, state: State) -> bool:
        """Whether nothing is at fault in a state."""
        size = self._values.size
        anchor = self._anchors.of(tuple([self._share(local) for local in state[:size]]))
        for place in range(size):
            inbox = state[size + place]
            awake = inbox != EMPTY and not self._values.is_asleep(state[place])
            if awake and not self._asked("inbox", anchor, place, inbox, state):
                return False
        if not all(self._asked("node", anchor, place, state[place], state) for place in range(size)):
            return False
        return self._asked("anchor", anchor, 0, 0, state)

    def _share(self, local: int) -> int:
        found = self._of_local.get(local)
        if found is None:
            found = self._of_local[local] = self._shares.of(self._protocol.share(self._values.locals.values[local]))
        return found

    def _asked(self, what: str, anchor: int, place: int, number: int, state: State) -> bool:
        key = what, anchor, place, number
        found = self._right.get(key)
        if found is None:
            found = self._right[key] = self._is_right(what, place, number, state)
        return found

    def _is_right(self, what: str, place: int, number: int, state: State) -> bool:
        """Whether nothing is at fault with the anchor of a state, with a node or with an inbox."""
        protocol, values, name = self._protocol, self._values, self._values.names[place]
        anchor = anchor_of(protocol, values.world(state).states())
        match what:
            case "anchor":
                return is_faultless(protocol, "anchor_faults", protocol.anchor_faults, anchor)
            case "node":
                return is_faultless(
                    protocol, "node_faults", protocol.node_faults, anchor, name, values.locals.values[number]
                )
        messages = (values.messages.values[message] for message in values.inboxes.messages(number))
        return all(
            is_faultless(protocol, "message_faults", protocol.message_faults, anchor, name, message)
            for message in messages
        )

    def is_well_formed(self, state: State) -> bool:
        """Whether values are what their types say, and name nobody who is not there."""
        size = self._values.size
        return all(self._is_formed("local", local) for local in state[:size]) and all(
            self._is_formed("inbox", inbox) for inbox in state[size:-1]
        )

    def _is_formed(self, what: str, number: int) -> bool:
        found = self._formed.get((what, number))
        if found is None:
            values, protocol = self._values, self._protocol
            inside = [number] if what == "local" else values.inboxes.messages(number)
            every = [(values.locals if what == "local" else values.messages).values[each] for each in inside]
            wrong = any(protocol.malformed(value) or strangers(protocol, value, self._there) for value in every)
            found = self._formed[what, number] = not wrong
        return found

    def unbroken(self, observer: str) -> Callable[[State], bool]:
        """Whether an observer has found no fault."""
        besides = self._values.besides.values
        return lambda state: observer not in besides[state[-1]][2]
