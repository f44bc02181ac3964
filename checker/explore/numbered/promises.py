"""Promises over numbers: each condition on a node, an inbox or an observer is evaluated once."""

from collections.abc import Callable
from functools import cache
from typing import Any

from gomboc.checker.explore.numbered.values import EMPTY, Numbers, State, Values
from gomboc.checker.explore.table.model.checked_calls import is_faultless
from gomboc.spec.core.faults import anchor_of
from gomboc.spec.core.model import Promise
from gomboc.spec.core.protocol import strangers


class NumberedPromises:
    """Legitimacy and well-formedness of states over numbers."""

    def __init__(self, values: Values) -> None:
        self._values, self._protocol = values, values.protocol
        self._shares, self._anchors = Numbers(), Numbers()
        self._right: dict[tuple[str, int, int, int], bool] = {}
        self._share = cache(lambda local: self._shares.of(self._protocol.legitimacy.share(values.locals.values[local])))
        self._is_formed_local = cache(lambda local: self._are_formed([values.locals.values[local]]))
        self._is_formed_inbox = cache(lambda inbox: self._are_formed(values.sent(inbox)))

    def holds(self, promise: Promise) -> Callable[[Any], bool]:
        """Whether a promise holds in a state over numbers."""
        match promise.name:
            case "closure" | "convergence" | "not_vacuous":
                return self.is_legitimate
            case "canonical":
                return self.is_well_formed
            case name if name in {observer.name for observer in self._protocol.promises.observers}:
                return lambda state: name not in self._values.rest.values[state[-1]][2]
        return lambda state: promise.holds(self._values.world(state))

    def is_legitimate(self, state: State) -> bool:
        """Whether a state has no fault."""
        size = self._values.size
        anchor = self._anchors.of(tuple(map(self._share, state[:size])))
        for index in range(size):
            inbox = state[size + index]
            awake = inbox != EMPTY and not self._values.is_asleep(state[index])
            if awake and not self._asked("inbox", anchor, index, inbox, state):
                return False
        if not all(self._asked("node", anchor, index, state[index], state) for index in range(size)):
            return False
        return self._asked("anchor", anchor, 0, 0, state)

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
        if kind == "anchor":
            return is_faultless(protocol, "anchor_faults", protocol.legitimacy.anchor_faults, anchor)
        if kind == "node":
            local = values.locals.values[number]
            return is_faultless(protocol, "node_faults", protocol.legitimacy.node_faults, anchor, name, local)
        faults = protocol.legitimacy.message_faults
        return all(is_faultless(protocol, "message_faults", faults, anchor, name, sent) for sent in values.sent(number))

    def is_well_formed(self, state: State) -> bool:
        """Whether values conform to their types, and refer only to nodes that exist."""
        size = self._values.size
        return all(map(self._is_formed_local, state[:size])) and all(map(self._is_formed_inbox, state[size:-1]))

    def _are_formed(self, contents: list[Any]) -> bool:
        protocol, there = self._protocol, frozenset(self._values.names)
        return not any(protocol.naming.malformed(value) or strangers(protocol, value, there) for value in contents)
