"""Numbers for whole rounds: local states between rounds, and bundles of messages that arrive in one round.

The messages that a node receives in one round are numbered as a whole, as a bundle. So a state of the system is, for
each node, the number of its state and that of its bundle; and the next bundle of a node is the union of the messages
that all nodes send to it. If there are commands, there is a second bundle: a command between two rounds sends in the
round that begins, so its messages arrive in the one after it. A node's round is composed of its single steps: only
these are computed by the specification.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from gomboc.checker.explore.questions.rounds import round_bounds, round_model
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.model.tables import Tables
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Model, Send
from gomboc.spec.core.network import World

Union = Callable[[Array, Array], Array]
"""The unions of bundles for the same node, pair by pair."""


class Rows(msgspec.Struct, frozen=True):
    """The results of steps, by row: the local state afterwards, and a bit for each observer that finds a fault.

    `gives[t]` is the bundle for node t.
    """

    after: Array
    broken: Array
    gives: Array


class Within(msgspec.Struct):
    """Many states in the middle of a round: some of the nodes have completed it, with every result of their coins.

    - `sources`: the state in which each began. `ways`: the results of all coins so far, as one number.
    - `locals_`: the local state between rounds of each node that is done, and `asleep` whether it is asleep then.
    - `bundles`: the messages to each node so far. `broken`: a bit for each observer that has found a fault.
    """

    sources: Array
    ways: Array
    locals_: list[Array]
    asleep: list[Array]
    bundles: list[Array]
    broken: Array

    def take(self, rows: Array, ways: Array, results: Rows, union: Union) -> tuple[Array, Array]:
        """Take steps, given by their first rows and the numbers of their results; the last bundles get their messages.

        Each state is repeated as often as its coin has results. Returns the rows taken, and the indices repeated.
        """
        repeated = np.arange(len(rows))
        if (ways > 1).any():
            repeated = np.repeat(repeated, ways)
            which = np.arange(len(repeated)) - np.repeat(np.cumsum(ways) - ways, ways)
            self._repeat(repeated)
            self.ways = self.ways * int(ways.max()) + which
            rows = rows[repeated] + which
        for target, sent in enumerate(results.gives, len(self.bundles) - len(results.gives)):
            self.bundles[target] = union(self.bundles[target], sent[rows])
        self.broken = self.broken | results.broken[rows]
        return rows, repeated

    def _repeat(self, repeated: Array) -> None:
        self.sources, self.ways, self.broken = self.sources[repeated], self.ways[repeated], self.broken[repeated]
        self.locals_, self.asleep, self.bundles = (
            [column[repeated] for column in columns] for columns in (self.locals_, self.asleep, self.bundles)
        )

    def received(self) -> list[Array]:
        """The bundles; those to nodes that are asleep are empty."""
        both = zip(self.bundles, self.asleep, strict=True)
        return [np.where(asleep, 0, bundle) for bundle, asleep in both]


TOO_MUCH = -1
"""The union of bundles that is beyond the bound."""


class RoundTables(Numbering):
    """Numbers in which `messages` are bundles: a pair (number of the target, messages in their order).

    - `steps`: the tables of single steps, which number local states and messages for themselves, since within a round
      there are more of either. `results`: their rows, with the bundles that they send.
    - `begins[i][l]`, `ends[i][s]`: the number in `steps` of local state l of node i, and the inverse, or -1.
    - `held[b, k]`: the number in `steps` of message k of bundle b, in their order; 0 if it has no more.
    - `commanded`: whether a command was possible in some state, so that there are bundles for the round after the next.
    """

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        self.steps = Tables(instance, idle_counts=True)
        self.commanded = False
        nothing = np.empty(0, np.int64)
        self.results = Rows(nothing, nothing, np.zeros((len(self.names), 0), np.int64))
        self._pairs, self._unions = nothing, nothing
        self.freeze()
        self.freeze_steps()

    @property
    def slots(self) -> int:
        """The number of bundles: one for each node, or two."""
        return len(self.names) * (1 + self.commanded)

    @property
    def in_sets(self) -> bool:
        """Whether the bundles in flight are a set; they are not, as each is in the slot of its target."""
        return False

    @property
    def size(self) -> tuple[int, ...]:
        """Sizes that grow with the tables."""
        return (self.commanded, *super().size)

    def world(self, locals_: list[int], slots: list[int], outer: int) -> World:
        """The world that a state represents, given by its numbers."""
        world = super().world(locals_, slots[: len(self.names)], outer)
        later = [Send(*sent) for slot in slots[len(self.names) :] for sent in self.contents(slot)]
        return replace(world, channels=world.channels.put("", later))

    @property
    def bounds(self) -> str:
        """The bounds of every claim, as text."""
        return round_bounds(self.instance)

    def model(self) -> Model:
        """The plain model; the tables represent its graph."""
        return round_model(self.instance)

    def contents(self, number: int) -> tuple[tuple[str, Any], ...]:
        """The messages of a bundle, with their target."""
        target, messages = self.messages[number]
        return tuple((self.names[target], message) for message in messages or ())

    def in_slots(self, content: tuple[tuple[str, Any], ...]) -> list[int]:
        """The bundle of each node, with these messages in flight."""
        return [self.bundle(name, [sent for to, sent in content if to == name]) for name in self.names]

    def freeze(self) -> None:
        """Bring the arrays up to date with the numbers given since."""
        super().freeze()
        begins = [
            [self.steps.local(index, *both) for both in zip(node.values, node.seen, strict=True)]
            for index, node in enumerate(self.nodes)
        ]
        held = [[self.steps.message(*sent) for sent in self.contents(number)] for number in range(len(self.messages))]
        self.sizes = np.array([len(numbers) for numbers in held], np.int32)
        self.held = np.zeros((len(held), int(self.sizes.max(initial=0))), np.uint32)
        for number, numbers in enumerate(held):
            self.held[number, : len(numbers)] = numbers
        self.steps.freeze()
        self.begins = [np.array(numbers, np.int32) for numbers in begins]
        self.ends = [np.full(len(node.values), -1, np.int32) for node in self.steps.nodes]
        for ends, known in zip(self.ends, self.begins, strict=True):
            ends[known] = np.arange(len(known), dtype=np.int32)

    def freeze_steps(self) -> None:
        """Bring the tables of single steps up to date, and number the bundles that they send."""
        known, steps = self.results.gives, self.steps
        if steps.filled == known.shape[1]:
            return
        steps.freeze()
        fresh = steps.sends.T[known.shape[1] :].tolist()
        bundles = [self.in_slots(tuple(sent for m in row for sent in steps.contents(m))) for row in fresh]
        gives = np.concatenate((known, np.array(bundles, np.int64).T), axis=1)
        self.results = Rows(steps.after, steps.breaks, gives)

    def rest(self, node: int, numbers: Array) -> Array:
        """The numbers of local states between rounds, given those in `steps`; states without a number get one."""
        steps = self.steps.nodes[node]
        known: Array = np.full(len(steps.values), -1, np.int32)
        known[: len(self.ends[node])] = self.ends[node]
        for number in np.unique(numbers[known[numbers] < 0]).tolist():
            known[number] = self.local(node, steps.values[number], steps.seen[number])
        self.ends[node] = known
        rest: Array = known[numbers]
        return rest

    def bundle(self, target: str, messages: list[Any]) -> int:
        """The number of a bundle for a node; its copies coalesce or are too many, depending on the instance."""
        counted = Counter(messages)
        if not self.instance.coalesce and max(counted.values(), default=0) > self.instance.copies:
            return TOO_MUCH
        # Sorted by content, and not in order of sending: the order of one round's receipts has no effect
        # (`local_rounds.py`), so bundles that differ in it are one.
        kept = [message for message, times in counted.items() for _ in range(min(times, self.instance.copies))]
        return self.message(target, tuple(sorted(kept, key=msgspec.msgpack.encode))) if kept else 0

    def union(self, one: Array, other: Array) -> Array:
        """The unions of bundles for the same node, pair by pair. Missing ones are filled in."""
        if not one.any():
            return other
        if not other.any():
            return one
        over = (one < 0) | (other < 0)
        # Unions are kept by pair: few bundles occur, and a union sorts and hashes their messages.
        pairs = np.where(over, 0, one << 32 | other)
        index = np.minimum(np.searchsorted(self._pairs, pairs), max(0, len(self._pairs) - 1))
        if not len(self._pairs) or (self._pairs[index] != pairs).any():
            self._unite(np.unique(pairs))
            index = np.searchsorted(self._pairs, pairs)
        return np.where(over, TOO_MUCH, self._unions[index])

    def _unite(self, pairs: Array) -> None:
        fresh = np.setdiff1d(pairs, self._pairs, assume_unique=True)
        united = np.array([self._united(*divmod(pair, 1 << 32)) for pair in fresh.tolist()], np.int64)
        keys = np.concatenate((self._pairs, fresh))
        order = np.argsort(keys, kind="stable")
        self._pairs, self._unions = keys[order], np.concatenate((self._unions, united))[order]

    def _united(self, one: int, other: int) -> int:
        if not one or not other:
            return one or other
        (target, some), (_, more) = self.messages[one], self.messages[other]
        return self.bundle(self.names[target], [*some, *more])
