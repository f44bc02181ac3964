"""The local steps of every node, closed under every message that can occur: one automaton for each node."""

from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.product.commands import Commands, Lasting, Order
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.table.model.checked_calls import hashed
from gomboc.checker.explore.table.model.tables import IDLE, Tables
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Commanded

TIMEOUT, COMMAND = 0, -1
"""Inputs that are no messages, as numbers: messages have numbers from 1 on."""

BATCH = 4_096
"""Number of local steps that are computed between two checks of the bounds."""

MOST_STEPS = 100_000
"""Maximal number of local steps: where local states grow without bound, the explorer is to have its turn."""


class Automata(msgspec.Struct, frozen=True):
    """The local steps of an instance, by their row in `tables`, which also has the state afterwards and the sends.

    - `rows[i]`: the rows of node i. `active[i][l]`: whether the timeout of node i is a step in its local state l.
    - By row: `source`, the local state before; `taken`, the message that is delivered, TIMEOUT or COMMAND; `pick`, one
      number for all results of the same coins.
    - `quiet[i]`: the rows of the commands to node i that are quiet.
    - `commands`: those that may come again and again. `classes[i][l]`: the class of local state l of node i, which
      decides, with those of the other nodes, the commands that may come. `budgets`: the names of the other commands.
    """

    tables: Tables
    rows: tuple[Array, ...]
    active: tuple[Array, ...]
    source: Array
    taken: Array
    pick: Array
    quiet: tuple[Array, ...]
    commands: tuple[Lasting, ...]
    classes: tuple[Array, ...]
    budgets: tuple[str, ...]


def automata(instance: Instance, watch: BoundWatch) -> Automata:
    """The automata of an instance: every local state that some node can get into if any message may arrive at any time.

    So may any command that has a budget. Raises BoundReachedError if a bound is reached first, or if there are more
    than MOST_STEPS; MissingRead if the commands depend on the messages in flight.
    """
    # Neither observers nor symmetry matter to convergence, and both would multiply the local states.
    tables = Tables(replace(instance, protocol=instance.protocol.changed(observers=()), alike=()))
    for node, (_, _, domain) in enumerate(instance.locals):
        for value in enumerate_values(domain):
            tables.local(node, hashed(instance.protocol, value))
    for target, message in enumerate_values(instance.messages) if instance.in_flight else ():
        tables.message(target, hashed(instance.protocol, message))
    completion = _Completion(tables, watch)
    completion.run()
    return _by_row(tables, completion.commands, completion.commanded)


class _Completion:
    """Computes every local step, and those of all states and messages that they lead to."""

    def __init__(self, tables: Tables, watch: BoundWatch) -> None:
        self._tables, self._watch = tables, watch
        self._asked = self._unwatched = 0
        self.commands = Commands(tables)
        self.commanded: dict[tuple[Order, int], int] = {}
        self._commanded_at: dict[Order, tuple[int, int]] = {}

    def run(self) -> None:
        """Fill the tables, round by round, until no step leads to anything new."""
        tables = self._tables
        done = [(0, 0) for _ in tables.nodes]
        inputs: list[list[int]] = [[0] for _ in tables.nodes]
        told = 1
        while True:
            for number in range(told, len(tables.messages)):
                inputs[tables.messages[number][0]].append(number)
            told = len(tables.messages)
            self._command()
            sizes = [(len(node.values), len(known)) for node, known in zip(tables.nodes, inputs, strict=True)]
            if sizes == done and told == len(tables.messages):
                tables.freeze()
                return
            for node, (states, known) in enumerate(sizes):
                self._ask(node, done[node], states, inputs[node][:known])
            done = sizes

    def _command(self) -> None:
        """Compute the step of every command that may come, in each local state of its node in which it may."""
        self.commands.grow()
        for order, combinations in self.commands.orders.items():
            size = len(combinations), len(self.commands.classes[order[0]])
            before = self._commanded_at.get(order, (0, 0))
            # With a new combination, the command may come in states in which it could not before.
            for state in self.commands.states(order, combinations, before[1] if before[0] == size[0] else 0):
                if (order, state) not in self.commanded:
                    self._count(1)
                    self.commanded[order, state] = self._tables.ask(order[0], state, Commanded(order[1]))
            self._commanded_at[order] = size

    def _ask(self, node: int, done: tuple[int, int], states: int, inputs: list[int]) -> None:
        """Compute the steps of so many local states with those inputs, except for those that are done."""
        self._count(states * len(inputs) - done[0] * done[1])
        later = [(state, number) for number in inputs[done[1] :] for state in range(done[0])]
        fresh = [(state, number) for state in range(done[0], states) for number in inputs]
        pairs = np.array([state << 32 | number for state, number in later + fresh], np.int64)
        for first in range(0, len(pairs), BATCH):
            batch = pairs[first : first + BATCH]
            self._insist(len(batch))
            self._tables.fill(node, batch)

    def _count(self, steps: int) -> None:
        self._asked += steps
        if self._asked > MOST_STEPS:
            raise BoundReachedError(f"there are more than {counted(MOST_STEPS, 'step')} of single nodes")

    def _insist(self, steps: int) -> None:
        """Raise BoundReachedError if a bound is reached; asked once for many steps, as that takes longer than one."""
        self._unwatched -= steps
        if self._unwatched < 0:
            self._unwatched = BATCH
            self._watch.insist()


def _by_row(tables: Tables, commands: Commands, commanded: dict[tuple[Order, int], int]) -> Automata:
    """The automata over complete tables; `commanded` has the first row of each command in each local state."""
    source, taken, pick = (np.zeros(tables.filled, np.int32) for _ in range(3))
    rows, active = [], []

    def entered(first: Array, states: Array, inputs: Array) -> Array:
        ways = tables.ways[first]
        # The results of one step stand in consecutive rows.
        numbers: Array = np.repeat(first, ways) + _counting(ways)
        source[numbers], taken[numbers] = np.repeat(states, ways), np.repeat(inputs, ways)
        pick[numbers] = np.repeat(first, ways)
        return numbers

    for node in range(len(tables.nodes)):
        inputs = np.array([TIMEOUT, *np.flatnonzero(tables.target == node)], np.int32)
        table = tables.rows[node][: len(tables.nodes[node].values), tables.inputs[inputs]]
        states, columns = np.nonzero(table != IDLE)
        rows.append(entered(table[states, columns], states, inputs[columns]))
        active.append(table[:, 0] != IDLE)
    lasting = []
    quiet = [np.empty(0, np.int64) for _ in tables.nodes]
    for order, combinations in commands.orders.items():
        states = np.array([*commands.states(order, combinations)], np.int32)
        first = np.array([commanded[order, state] for state in states.tolist()], np.int32)
        steps = entered(first, states, np.full(len(states), COMMAND, np.int32))
        if commands.is_quiet(order[1]):
            quiet[order[0]] = np.concatenate((quiet[order[0]], steps))
        if order in commands.lasting:
            steps = steps[np.isin(source[steps], [*commands.states(order, commands.lasting[order])])]
            rows[order[0]] = np.concatenate((rows[order[0]], steps))
            lasting.append(commands.lasting_one(order, steps))
    classes = tuple(np.array(numbers, np.int32) for numbers in commands.classes)
    arrays = tables, tuple(rows), tuple(active), source, taken, pick, tuple(quiet)
    return Automata(*arrays, tuple(lasting), classes, commands.budgets)


def _counting(lengths: Array) -> Any:
    """0, 1, ... up to each length, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
