"""The table of local steps: the specification fills it on demand, once for each distinct step."""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

import msgspec
import numpy as np

from gomboc.checker.core.bad_models import shown
from gomboc.checker.explore.symmetry import NoSymmetryError
from gomboc.checker.explore.table.model.checked_calls import observed, outcomes
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Input, Outcome, Received, Send, Timeout

MISSING = -1
"""In a table of rows: not filled yet."""

ASKED_AGAIN = 1_000
"""Number of rows up to which the specification computes each step a second time, to see that the result is the same."""

IDLE = 0
"""The row of an input that is no step."""


class Row(msgspec.Struct, frozen=True):
    """One result of a step: the local state afterwards, and the messages sent.

    `breaks` has a bit for each observer that finds a fault. `ways` is the number of results of the step's coins, whose
    rows are consecutive.
    """

    after: int
    sends: tuple[int, ...]
    breaks: int
    ways: int


class Tables(Numbering):
    """The steps of one instance, by row, and the first row of each. Input 0 of a node is its timeout.

    - `rows[i][l, x]`: the first row for local state l and input x of node i.
    - `after`, `breaks`, `ways`, `sent`: by row, as in `Row`; `sent` is the number of messages sent, and `sends[k]` the
      k-th of them.

    A timeout that changes nothing is no step, unless `idle_counts`.
    """

    def __init__(self, instance: Instance, idle_counts: bool = False) -> None:
        super().__init__(instance)
        self._idle_counts = idle_counts
        self._rows = [Row(0, (), 0, 0)]
        self.rows: list[Array] = [np.full((8, 8), MISSING, np.int32) for _ in self.nodes]
        self.freeze()

    def freeze(self) -> None:
        """Bring the arrays up to date with the rows filled since."""
        super().freeze()
        for node in range(len(self.nodes)):
            self._make_room(node)
        self.after = np.array([row.after for row in self._rows], np.int32)
        self.ways = np.array([row.ways for row in self._rows], np.int32)
        self.breaks = np.array([row.breaks for row in self._rows], np.int64)
        self.sent = np.array([len(row.sends) for row in self._rows], np.int32)
        self.sends: Array = np.zeros((int(self.sent.max()), len(self._rows)), np.uint32)
        for number, row in enumerate(self._rows):
            self.sends[: len(row.sends), number] = row.sends

    @property
    def filled(self) -> int:
        """The number of rows, including those that are not in the arrays yet."""
        return len(self._rows)

    @property
    def size(self) -> tuple[int, ...]:
        """Sizes that grow with the tables."""
        return (self.filled, len(self.messages))

    def fill(self, node: int, pairs: Array) -> None:
        """Compute pairs of a node by the specification; call `freeze` afterwards.

        Each is one number: a local state above 32 bits, and below them a message or 0.
        """
        for local, message in (divmod(pair, 1 << 32) for pair in pairs.tolist()):
            row = self.ask(node, local, Received(self.messages[message][1]) if message else Timeout())
            self._make_room(node)
            self.rows[node][local, self._inputs[message]] = row

    def _make_room(self, index: int) -> None:
        rows, node = self.rows[index], self.nodes[index]
        height, width = len(node.values), node.heard + 1
        if height > rows.shape[0] or width > rows.shape[1]:
            # Doubled, so that the copies cost as much as the rows themselves, however many are added.
            grown = np.full((max(rows.shape[0], 2 * height), max(rows.shape[1], 2 * width)), MISSING, np.int32)
            grown[: rows.shape[0], : rows.shape[1]] = rows
            self.rows[index] = grown

    def ask(self, index: int, local: int, taken: Input) -> int:
        """The first row of an input, computed now by the specification; IDLE if the input is no step."""
        protocol, node = self.instance.protocol, self.nodes[index]
        if isinstance(taken, Timeout) and node.is_asleep(local):
            return IDLE
        ask_again = self.filled < ASKED_AGAIN
        results = outcomes(protocol, node.name, node.values[local], taken, ask_again, self._idle_counts)
        if self.others:
            self._insist_on_symmetry(node.name, node.values[local], taken, results)
        first = self.filled
        for outcome in results:
            seen, broken = observed(protocol, node.name, node.seen[local], outcome)
            after = self.local(index, outcome.local, seen)
            sends = tuple(self.message(send.target, send.message) for send in outcome.sends)
            self._rows.append(Row(after, sends, broken, len(results)))
        return first if results else IDLE

    def _insist_on_symmetry(self, node: str, local: Any, taken: Input, results: list[Outcome]) -> None:
        """Raise NoSymmetryError unless each renamed node takes the renamed input in the renamed state likewise."""
        for renaming in self.others:
            me, then = renaming.get(node, node), self.renamed(local, renaming)
            other = Received(self.renamed(taken.message, renaming)) if isinstance(taken, Received) else taken
            answers = outcomes(self.instance.protocol, me, then, other, idle_counts=self._idle_counts)
            expected = Counter(_content(self._elsewhere(outcome, renaming)) for outcome in results)
            if expected != Counter(map(_content, answers)):
                both = (node, taken, local), (me, other, then)
                steps = " and ".join(f"{who} takes {shown(it)} in {shown(at)}" for who, it, at in both)
                raise NoSymmetryError(self.instance.alike, f"{steps}, and the results differ")

    def _elsewhere(self, outcome: Outcome, renaming: Mapping[str, str]) -> Outcome:
        """A result with other names."""
        sends = tuple(
            Send(renaming.get(send.target, send.target), self.renamed(send.message, renaming)) for send in outcome.sends
        )
        return Outcome(self.renamed(outcome.local, renaming), sends)


def _content(outcome: Outcome) -> Hashable:
    """The state after a step, and the messages that it sends, in any order."""
    return outcome.local, frozenset(Counter((send.target, send.message) for send in outcome.sends).items())
