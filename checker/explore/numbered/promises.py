"""Promises over numbers: each condition on a node, an inbox or an observer is evaluated once."""

from collections.abc import Callable

from gomboc.checker.explore.numbered.numbers import EMPTY, StateNumbers
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.table.model.checked_calls import is_faultless
from gomboc.spec.core.faults import anchor_of
from gomboc.spec.core.protocol import strangers


class NumberedPromises:
    """Legitimacy and well-formedness of states over numbers."""

    def __init__(self, values: Values) -> None:
        self._values, self._protocol = values, values.protocol
        self._shares, self._anchors = StateNumbers(), StateNumbers()
        self._of_local: dict[int, int] = {}
        self._right: dict[tuple[str, int, int, int], bool] = {}
        self._formed: dict[tuple[str, int], bool] = {}
        self._there = frozenset(values.names)

    def is_legitimate(self, state: State) -> bool:
        """Whether a state has no fault."""
        size = self._values.size
        anchor = self._anchors.of(tuple([self._share(local) for local in state[:size]]))
        for index in range(size):
            inbox = state[size + index]
            awake = inbox != EMPTY and not self._values.is_asleep(state[index])
            if awake and not self._asked("inbox", anchor, index, inbox, state):
                return False
        if not all(self._asked("node", anchor, index, state[index], state) for index in range(size)):
            return False
        return self._asked("anchor", anchor, 0, 0, state)

    def _share(self, local: int) -> int:
        number = self._of_local.get(local)
        if number is None:
            number = self._of_local[local] = self._shares.of(
                self._protocol.legitimacy.share(self._values.locals.values[local])
            )
        return number

    def _asked(self, kind: str, anchor: int, index: int, number: int, state: State) -> bool:
        key = kind, anchor, index, number
        right = self._right.get(key)
        if right is None:
            right = self._right[key] = self._is_right(kind, index, number, state)
        return right

    def _is_right(self, kind: str, index: int, number: int, state: State) -> bool:
        """Whether the anchor of a state, a node or an inbox has no fault."""
        protocol, values, name = self._protocol, self._values, self._values.names[index]
        anchor = anchor_of(protocol, values.world(state).states())
        match kind:
            case "anchor":
                return is_faultless(protocol, "anchor_faults", protocol.legitimacy.anchor_faults, anchor)
            case "node":
                return is_faultless(
                    protocol, "node_faults", protocol.legitimacy.node_faults, anchor, name, values.locals.values[number]
                )
        messages = (values.messages.values[message] for message in values.inboxes.messages(number))
        return all(
            is_faultless(protocol, "message_faults", protocol.legitimacy.message_faults, anchor, name, message)
            for message in messages
        )

    def is_well_formed(self, state: State) -> bool:
        """Whether values conform to their types, and refer only to nodes that exist."""
        size = self._values.size
        return all(self._is_formed("local", local) for local in state[:size]) and all(
            self._is_formed("inbox", inbox) for inbox in state[size:-1]
        )

    def _is_formed(self, kind: str, number: int) -> bool:
        formed = self._formed.get((kind, number))
        if formed is None:
            values, protocol = self._values, self._protocol
            inside = [number] if kind == "local" else values.inboxes.messages(number)
            contents = [(values.locals if kind == "local" else values.messages).values[item] for item in inside]
            wrong = any(
                protocol.naming.malformed(value) or strangers(protocol, value, self._there) for value in contents
            )
            formed = self._formed[kind, number] = not wrong
        return formed

    def unbroken(self, observer: str) -> Callable[[State], bool]:
        """The predicate that an observer has found no fault."""
        environment = self._values.environment.values
        return lambda state: observer not in environment[state[-1]][2]
