"""Numbers for local states and messages, and the table of local steps, which the specification fills on demand."""

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from gomboc.checker.core.bad_models import NotTabularError
from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.questions.tabular import why_not_tables
from gomboc.checker.explore.symmetry import quotient, rename_of, renamings
from gomboc.checker.explore.table.model.checked_calls import is_asleep, observed, outcomes
from gomboc.checker.explore.table.model.environment_state import Outer
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Commanded, Input, Model, Received, Timeout
from gomboc.spec.core.network import World, begin
from gomboc.spec.core.protocol import Start

Array = npt.NDArray[Any]

MISSING = -1
"""In a table of rows: not filled yet."""

ASKED_AGAIN = 1_000
"""Number of rows up to which the specification computes each step a second time, to see that the result is the same."""

KINDS = (Timeout, Received, Commanded)
"""The kinds of input, as in `most_ways`."""

IDLE = 0
"""The row of an input that is no step."""


class Tables:
    """The tables of one instance. Messages are numbered from 1 on; 0 is none. Input 0 of a node is its timeout.

    - `locals[i]`, `messages`: the values by number; a message is a pair (number of its target, content).
    - `inputs[m]`: the number of message m among the messages to its target, from 1 on.
    - `rows[i][l, x]`: the first row for local state l and input x of node i; its `ways` rows are consecutive.
    - `after`, `sends`, `breaks`: by row, the local state afterwards, the messages sent, and a bit for each observer
      that finds a fault.
    - `seen[i][l]`: the state of each observer at node i in local state l: states that differ in it have two numbers.
    - `asleep[i][l]`: whether node i is asleep in local state l; its timeouts are no steps.

    A timeout that changes nothing is no step, unless `idle_counts`.
    """

    def __init__(self, instance: Instance, idle_counts: bool = False) -> None:
        why = why_not_tables(instance)
        if why:
            raise NotTabularError(why)
        self._idle_counts = idle_counts
        self.instance = instance
        self.names = instance.names()
        self.outer = Outer(instance)
        self.blank = tuple(observer.blank for observer in instance.protocol.promises.observers)
        self.locals: list[list[Any]] = [[] for _ in self.names]
        self.seen: list[list[tuple[Any, ...]]] = [[] for _ in self.names]
        self._asleep: list[list[bool]] = [[] for _ in self.names]
        self.messages: list[tuple[int, Any]] = [(-1, None)]
        self.most_ways = [1, 1, 1]
        self._local_numbers: list[dict[Any, int]] = [{} for _ in self.names]
        self._message_numbers: dict[tuple[int, Any], int] = {}
        self._places = {name: index for index, name in enumerate(self.names)}
        self._heard = [0 for _ in self.names]
        self._inputs = [0]
        self.rows: list[Array] = [np.full((8, 8), MISSING, np.int32) for _ in self.names]
        self._after: list[int] = [0]
        self._sends: list[tuple[int, ...]] = [()]
        self._breaks: list[int] = [0]
        self._ways: list[int] = [0]
        self._renamings = renamings(instance.alike)
        self._rename = rename_of(instance.protocol) if len(instance.alike) > 1 else None
        self.freeze()

    def freeze(self) -> None:
        """Bring the arrays up to date with the rows filled since."""
        for node in range(len(self.names)):
            self._make_room(node)
        self.target = np.array([index for index, _ in self.messages], np.int32)
        self.inputs = np.array(self._inputs, np.int32)
        self.after = np.array(self._after, np.int32)
        self.ways = np.array(self._ways, np.int32)
        self.breaks = np.array(self._breaks, np.int64)
        self.asleep = [np.array(asleep, bool) for asleep in self._asleep]
        most = max(map(len, self._sends))
        self.sends: Array = np.zeros((most, len(self._sends)), np.uint32)
        for row, sent in enumerate(self._sends):
            self.sends[: len(sent), row] = sent
        self.sent = np.array([len(sent) for sent in self._sends], np.int32)

    @property
    def slots(self) -> int:
        """The maximal number of messages in flight at once."""
        most = self.instance.most
        return self.instance.copies * (len(self.messages) - 1) if most is None else most

    @property
    def bounds(self) -> str:
        """The bounds of every claim, as text."""
        return self.instance.bounds()

    def steps_of(self) -> "Tables":
        """The tables that contain the rows of single steps: these."""
        return self

    def world(self, locals_: list[int], slots: list[int], outer: int) -> World:
        """The world that a state represents, given by its numbers."""
        named = tuple((name, self.locals[node][locals_[node]]) for node, name in enumerate(self.names))
        roles = tuple((name, role) for name, role, _ in self.instance.locals)
        in_flight = tuple(sent for slot in slots for sent in self.contents(slot))
        world = begin(Start(roles, named, in_flight), self.instance.protocol.discipline, self.outer.budget(outer))
        return replace(world, seen=self._seen_by(locals_), broken=self.outer.broken(outer))

    def _seen_by(self, locals_: list[int]) -> tuple[tuple[str, str, Any], ...]:
        """The states of observers, except initial ones."""
        pairs = [
            (observer.name, name, seen)
            for node, name in enumerate(self.names)
            for observer, seen in zip(
                self.instance.protocol.promises.observers, self.seen[node][locals_[node]], strict=True
            )
            if seen != observer.blank
        ]
        return tuple(sorted(pairs, key=lambda pair: pair[:2]))

    def model(self) -> Model:
        """The plain model; the tables represent its graph."""
        return quotient(self.instance)

    def contents(self, number: int) -> tuple[tuple[str, Any], ...]:
        """The message of that number, with its target; empty for 0."""
        target, message = self.messages[number]
        return ((self.names[target], message),) if number else ()

    def in_slots(self, content: tuple[tuple[str, Any], ...]) -> list[int]:
        """The numbers of messages, in the order of the slots."""
        # Descending, so that a content has one form and empty slots (0) come last.
        return sorted((self.message(*sent) for sent in content), reverse=True)

    @property
    def sleeps(self) -> bool:
        """Whether a node is asleep in some state."""
        return any(any(asleep) for asleep in self._asleep)

    def local(self, node: int, value: Any, seen: tuple[Any, ...] | None = None) -> int:
        """The number of a local state of a node, with the states of its observers, and of each of its renamings."""
        numbers, seen = self._local_numbers[node], self.blank if seen is None else seen
        key = (value, seen) if seen else value
        number = numbers.get(key)
        if number is None:
            self._asleep[node].append(is_asleep(self.instance.protocol, value))
            number = numbers[key] = len(numbers)
            self.locals[node].append(value)
            self.seen[node].append(seen)
            # At once, so that `maps` finds the renamed value of every number.
            for renaming in self._renamings[1:]:
                self.local(
                    self._places[renaming.get(self.names[node], self.names[node])],
                    self._renamed(value, renaming),
                )
        return number

    def _renamed(self, value: Any, renaming: dict[str, str]) -> Any:
        return self._rename(value, renaming) if self._rename else value

    def message(self, target: str, content: Any) -> int:
        """The number of a message to a node, and of each of its renamings."""
        key = self.place_of(target), content
        number = self._message_numbers.get(key)
        if number is None:
            number = self._message_numbers[key] = len(self.messages)
            self.messages.append(key)
            self._heard[key[0]] += 1
            self._inputs.append(self._heard[key[0]])
            for renaming in self._renamings[1:]:
                self.message(renaming.get(target, target), self._renamed(content, renaming))
        return number

    def place_of(self, target: str) -> int:
        """The number of a node. Raises UsageError if there is none of that name."""
        if target not in self._places:
            raise UsageError(f"A message is sent to {target!r}, which is no node of the instance.")
        return self._places[target]

    @property
    def filled(self) -> tuple[int, int]:
        """The numbers of rows and messages, including those that are not in the arrays yet."""
        return len(self._after), len(self.messages)

    def fill(self, node: int, pairs: Array) -> None:
        """Compute pairs (local state, message or 0) of a node by the specification; call `freeze` afterwards."""
        for local, message in pairs.tolist():
            row = self.ask(node, local, Received(self.messages[message][1]) if message else Timeout())
            self._make_room(node)
            self.rows[node][local, self._inputs[message]] = row

    def _make_room(self, node: int) -> None:
        rows = self.rows[node]
        height, width = len(self.locals[node]), self._heard[node] + 1
        if height > rows.shape[0] or width > rows.shape[1]:
            # Doubled, so that the copies cost as much as the rows themselves, however many are added.
            grown = np.full((max(rows.shape[0], 2 * height), max(rows.shape[1], 2 * width)), MISSING, np.int32)
            grown[: rows.shape[0], : rows.shape[1]] = rows
            self.rows[node] = grown

    def ask(self, node: int, local: int, taken: Input) -> int:
        """The first row of an input, computed now by the specification; IDLE if the input is no step."""
        protocol, name, value = self.instance.protocol, self.names[node], self.locals[node][local]
        if isinstance(taken, Timeout) and self._asleep[node][local]:
            return IDLE
        results = outcomes(protocol, name, value, taken, len(self._after) < ASKED_AGAIN, self._idle_counts)
        first, kind = len(self._after), KINDS.index(type(taken))
        for outcome in results:
            seen, broken = observed(protocol, name, self.seen[node][local], outcome)
            self._after.append(self.local(node, outcome.local, seen))
            self._sends.append(tuple(self.message(send.target, send.message) for send in outcome.sends))
            self._breaks.append(broken)
            self._ways.append(len(results))
        self.most_ways[kind] = max(self.most_ways[kind], len(results))
        return first if results else IDLE

    def maps(self) -> list[tuple[list[int], list[Array], Array]]:
        """For each renaming but the identity: the targets of nodes, and the new numbers of states and messages."""
        maps = []
        for renaming in self._renamings[1:]:
            goes = [self._places[renaming.get(name, name)] for name in self.names]
            states = [
                np.array(
                    [self._local_numbers[goes[i]][self._renamed(v, renaming)] for v in values],
                    np.int64,
                )
                for i, values in enumerate(self.locals)
            ]
            messages = [0] + [self._message_numbers[goes[t], self._renamed(m, renaming)] for t, m in self.messages[1:]]
            maps.append((goes, states, np.array(messages, np.uint32)))
        return maps
