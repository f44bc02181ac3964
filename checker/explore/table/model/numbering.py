"""Numbers for the local states of each node, for messages, for budgets, and for observers that found a fault."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from gomboc.checker.core.bad_models import shown
from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.symmetry import NoSymmetryError, insist_on_action, quotient, rename_of, renamings
from gomboc.checker.explore.table.model.checked_calls import asked
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Model
from gomboc.spec.core.network import World, begin
from gomboc.spec.core.protocol import Start


class Outer:
    """The fields on top of a state: one for each budget, and below them a bit for each observer."""

    def __init__(self, instance: Instance) -> None:
        self.observers = tuple(observer.name for observer in instance.protocol.promises.observers)
        self._budgets = tuple(sorted(instance.budget))
        self._shifts: dict[str, int] = {}
        self.bits = len(self.observers)
        for name, times in self._budgets:
            self._shifts[name] = self.bits
            self.bits += times.bit_length()

    @property
    def first(self) -> int:
        """The fields of an initial state."""
        return sum(times << self._shifts[name] for name, times in self._budgets)

    def left(self, name: str, outer: Array) -> Array:
        """The remainder of that budget, for each state."""
        times = dict(self._budgets).get(name, 0)
        if not times:
            return np.zeros(len(outer), np.int64)
        remaining: Array = outer >> self._shifts[name] & (1 << times.bit_length()) - 1
        return remaining

    def spent(self, name: str) -> int:
        """The number to subtract from the fields when that budget is used once."""
        return 1 << self._shifts[name]

    def unbroken(self, observer: str, outer: Array) -> Array:
        """For each state, whether that observer has found no fault."""
        unbroken: Array = outer >> self.observers.index(observer) & 1 == 0
        return unbroken

    def budget(self, outer: int) -> tuple[tuple[str, int], ...]:
        """The remainder of each budget, by name."""
        return tuple((name, int(self.left(name, np.array([outer]))[0])) for name, _ in self._budgets)

    def broken(self, outer: int) -> tuple[str, ...]:
        """The observers that have found a fault, by name."""
        return tuple(sorted(name for index, name in enumerate(self.observers) if outer >> index & 1))


class NodeStates:
    """The local states of one node by number.

    - `seen`: the state of each observer in a local state: states that differ in it have two numbers.
    - `asleep`: by number, whether the node is asleep; as an array since the last `freeze`.
    - `heard`: the number of messages to the node.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: list[Any] = []
        self.seen: list[tuple[Any, ...]] = []
        self.heard = 0
        self._sleeping: list[bool] = []
        self._numbers: dict[Any, int] = {}

    def number(self, value: Any, seen: tuple[Any, ...]) -> int | None:
        """The number of a local state; None if it has none."""
        return self._numbers.get(self._key(value, seen))

    def add(self, value: Any, seen: tuple[Any, ...], sleeping: bool) -> int:
        """A new number for a local state."""
        number = self._numbers[self._key(value, seen)] = len(self.values)
        self.values.append(value)
        self.seen.append(seen)
        self._sleeping.append(sleeping)
        return number

    @staticmethod
    def _key(value: Any, seen: tuple[Any, ...]) -> Any:
        return (value, seen) if seen else value

    def freeze(self) -> None:
        """Bring the array up to date."""
        self.asleep: Array = np.array(self._sleeping, bool)

    def is_asleep(self, number: int) -> bool:
        """Whether the node is asleep in a local state."""
        return self._sleeping[number]


def _as_it_is(value: Any, renaming: Mapping[str, str]) -> Any:
    del renaming
    return value


class Numbering:
    """The numbers of one instance. Messages are pairs (number of the target, content), from 1 on; 0 is none.

    By message, as arrays since the last `freeze`: `target` is the number of its target, and `inputs` its number among
    the messages to that target, from 1 on. `others` are the renamings of alike nodes, without the identity.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.names = instance.names()
        self.outer = Outer(instance)
        self.nodes = [NodeStates(name) for name in self.names]
        self.messages: list[tuple[int, Any]] = [(-1, None)]
        self._blank = tuple(observer.blank for observer in instance.protocol.promises.observers)
        self._places = {name: index for index, name in enumerate(self.names)}
        self._message_numbers: dict[tuple[int, Any], int] = {}
        self._inputs = [0]
        self.others = renamings(instance.alike)[1:]
        self._rename = rename_of(instance.protocol) if self.others else _as_it_is

    def freeze(self) -> None:
        """Bring the arrays up to date with the numbers given since."""
        for node in self.nodes:
            node.freeze()
        self.target = np.array([index for index, _ in self.messages], np.int32)
        self.inputs = np.array(self._inputs, np.int32)

    # The instance.

    @property
    def slots(self) -> int:
        """The maximal number of messages in flight at once."""
        most = self.instance.most
        return self.instance.copies * (len(self.messages) - 1) if most is None else most

    @property
    def in_sets(self) -> bool:
        """Whether the messages in flight are a set: of none there are two, and in no slot one that belongs there."""
        return self.instance.copies == 1

    @property
    def bounds(self) -> str:
        """The bounds of every claim, as text."""
        return self.instance.bounds()

    def model(self) -> Model:
        """The plain model; the tables represent its graph."""
        return quotient(self.instance)

    @property
    def size(self) -> tuple[int, ...]:
        """Sizes that grow with the tables."""
        return (len(self.messages), *(len(node.values) for node in self.nodes))

    @property
    def sleeps(self) -> bool:
        """Whether a node is asleep in some state."""
        return any(node.asleep.any() for node in self.nodes)

    # From numbers to values.

    def world(self, locals_: list[int], slots: list[int], outer: int) -> World:
        """The world that a state represents, given by its numbers."""
        named = tuple((node.name, node.values[number]) for node, number in zip(self.nodes, locals_, strict=True))
        roles = tuple((name, role) for name, role, _ in self.instance.locals)
        in_flight = tuple(sent for slot in slots for sent in self.contents(slot))
        world = begin(Start(roles, named, in_flight), self.instance.protocol.discipline, self.outer.budget(outer))
        return replace(world, seen=self._seen_by(locals_), broken=self.outer.broken(outer))

    def _seen_by(self, locals_: list[int]) -> tuple[tuple[str, str, Any], ...]:
        """The states of observers, except initial ones."""
        pairs = [
            (observer.name, node.name, seen)
            for node, number in zip(self.nodes, locals_, strict=True)
            for observer, seen in zip(self.instance.protocol.promises.observers, node.seen[number], strict=True)
            if seen != observer.blank
        ]
        return tuple(sorted(pairs, key=lambda pair: pair[:2]))

    def contents(self, number: int) -> tuple[tuple[str, Any], ...]:
        """The message of that number, with its target; empty for 0."""
        target, message = self.messages[number]
        return ((self.names[target], message),) if number else ()

    # From values to numbers.

    def in_slots(self, content: tuple[tuple[str, Any], ...]) -> list[int]:
        """The numbers of messages, in the order of the slots."""
        # Descending, so that a content has one form and empty slots (0) come last.
        return sorted((self.message(*sent) for sent in content), reverse=True)

    def local(self, index: int, value: Any, seen: tuple[Any, ...] | None = None) -> int:
        """The number of a local state of a node, with the states of its observers, and of each of its renamings."""
        node, seen = self.nodes[index], self._blank if seen is None else seen
        number = node.number(value, seen)
        if number is None:
            protocol = self.instance.protocol
            number = node.add(value, seen, asked(protocol, "asleep", lambda: protocol.environment.asleep(value), value))
            self._insist_on_action(value)
            # At once, so that `maps` finds the renamed value of every number.
            for renaming in self.others:
                to = self._places[renaming.get(node.name, node.name)]
                then = self.local(to, self.renamed(value, renaming))
                if self.nodes[to].is_asleep(then) != node.is_asleep(number):
                    why = f"of {node.name} in {shown(value)} and of {self.names[to]} in its renaming only one is asleep"
                    raise NoSymmetryError(self.instance.alike, why)
        return number

    def message(self, target: str, content: Any) -> int:
        """The number of a message to a node, and of each of its renamings."""
        key = self.place_of(target), content
        number = self._message_numbers.get(key)
        if number is None:
            number = self._message_numbers[key] = len(self.messages)
            self.messages.append(key)
            self.nodes[key[0]].heard += 1
            self._inputs.append(self.nodes[key[0]].heard)
            self._insist_on_action(content)
            for renaming in self.others:
                self.message(renaming.get(target, target), self.renamed(content, renaming))
        return number

    def place_of(self, target: str) -> int:
        """The number of a node. Raises UsageError if there is none of that name."""
        if target not in self._places:
            raise UsageError(f"A message is sent to {target!r}, which is no node of the instance.")
        return self._places[target]

    def renamed(self, value: Any, renaming: Mapping[str, str]) -> Any:
        """A local state or message with other names. Raises BadModelError if the protocol raises."""
        return asked(self.instance.protocol, "renamed", partial(self._rename, value, renaming), value)

    def _insist_on_action(self, value: Any) -> None:
        if self.others:
            insist_on_action(self.renamed, self.instance.alike, value)

    def maps(self) -> list[tuple[list[int], list[Array], Array]]:
        """For each renaming but the identity: the targets of nodes, and the new numbers of states and messages."""
        maps = []
        for renaming in self.others:
            goes = [self._places[renaming.get(name, name)] for name in self.names]
            states = [
                np.array([self.local(to, self.renamed(value, renaming)) for value in node.values], np.int64)
                for to, node in zip(goes, self.nodes, strict=True)
            ]
            messages = [0] + [self._message_numbers[goes[t], self.renamed(m, renaming)] for t, m in self.messages[1:]]
            maps.append((goes, states, np.array(messages, np.uint32)))
        return maps
