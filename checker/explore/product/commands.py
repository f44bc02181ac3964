"""Commands from outside: asked once for each combination of what they depend on, and never by messages in flight."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from math import prod
from typing import Any

import msgspec
import numpy as np

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.core.dependency_tracker import MissingRead
from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.bounds import BoundReachedError
from gomboc.checker.explore.table.model.checked_calls import asked, hashed
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.model.tables import ASKED_AGAIN
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.faults import has_assumption
from gomboc.spec.core.instance import has_premise
from gomboc.spec.core.model import Offer, nothing_comes

MOST = 25_000
"""Maximal number of combinations for which commands are asked."""

Combination = tuple[int, ...]
"""A class of equal projections for each node."""

Order = tuple[int, Any]
"""A node, by number, and a command to it."""


class Unread(tuple[()]):
    """Messages in flight that are not known. Raises MissingRead when they are read, and remembers it.

    A tuple, as the messages in flight are elsewhere: a function may tell by the type what it is given.
    """

    was_read = False

    def _read(self, *arguments: Any) -> Any:
        del arguments
        self.was_read = True
        raise MissingRead(("the messages in flight",))

    __iter__ = __len__ = __getitem__ = __contains__ = __eq__ = __ne__ = __hash__ = __repr__ = _read
    __add__ = __radd__ = __mul__ = __rmul__ = __lt__ = __le__ = __gt__ = __ge__ = count = index = _read


class Lasting(msgspec.Struct, frozen=True):
    """A command that may come again and again, since no budget limits it.

    - `node` takes it, by the steps `rows`. `offered`: the combinations of classes in which it may come, a row each.
    - `due`: those in which it is owed and nothing may refuse it.
    """

    node: int
    rows: Array
    offered: Array
    due: frozenset[Combination]


class Commands:
    """The commands that may come in some combination of local states.

    - `classes[i]`: the class of each local state of node i.
    - `orders`: for each command to a node, the combinations in which it may come. `lasting` and `due`: those in which
      no budget limits it, and those in which it is owed besides.
    """

    def __init__(self, tables: Numbering) -> None:
        self._tables = tables
        self._protocol = tables.instance.protocol
        self._budget = dict(tables.instance.budget)
        self.classes: list[list[int]] = [[] for _ in tables.nodes]
        self._numbers: list[dict[Any, int]] = [{} for _ in tables.nodes]
        self._values: list[list[tuple[Any, Any]]] = [[] for _ in tables.nodes]
        self._asked = [0 for _ in tables.nodes]
        self._asked_again = 0
        self.orders: dict[Order, set[Combination]] = {}
        self.lasting: dict[Order, set[Combination]] = {}
        self.due: dict[Order, set[Combination]] = {}
        self._known = cache(self._those_of)

    @property
    def budgets(self) -> tuple[str, ...]:
        """The names of the budgets from which a command may be given."""
        never = self._protocol.environment.offers is nothing_comes
        return () if never else tuple(sorted(name for name, times in self._budget.items() if times))

    def grow(self) -> None:
        """Take up the local states that were numbered since.

        Raises MissingRead if the offers depend on messages, BoundReachedError if there are more than MOST combinations,
        BadModelError if a projection leaves out what the offers depend on.
        """
        if self._protocol.environment.offers is nothing_comes:
            return
        for node in range(len(self.classes)):
            self._classify(node)
        if prod(map(len, self._values)) > MOST:
            why = f"commands may depend on more than {counted(MOST, 'combination')} of local states"
            raise BoundReachedError(why)
        for combination in self._new_combinations():
            # What is no offer, or cannot be hashed, is the protocol's fault as much as an exception.
            asked(self._protocol, "environment", partial(self._enter, combination), combination)
        self._asked = [len(values) for values in self._values]

    def _new_combinations(self) -> Iterator[Combination]:
        """The combinations with a class that was not there before: new at a node, old at those before it."""
        sizes = [(known, len(values)) for known, values in zip(self._asked, self._values, strict=True)]
        for node, (known, size) in enumerate(sizes):
            before, after = (range(old) for old, _ in sizes[:node]), (range(now) for _, now in sizes[node + 1 :])
            yield from product(*before, range(known, size), *after)

    def _classify(self, node: int) -> None:
        protocol, numbers, values = self._protocol, self._numbers[node], self._values[node]
        for value in self._tables.nodes[node].values[len(self.classes[node]) :]:
            seen = hashed(protocol, asked(protocol, "projection", partial(protocol.promises.projection, value), value))
            number = numbers.setdefault(seen, len(values))
            if number == len(values):
                values.append((value, value))
            values[number] = values[number][0], value
            self.classes[node].append(number)

    def _offers(self, combination: Combination) -> tuple[Offer, ...]:
        """The offers in local states of these classes. Raises BadModelError if others of these classes have others."""
        protocol, names = self._protocol, self._tables.names
        pairs = [values[number] for values, number in zip(self._values, combination, strict=True)]

        def offers(end: int) -> tuple[Offer, ...]:
            states, unread = dict(zip(names, (pair[end] for pair in pairs), strict=True)), Unread()
            try:
                return tuple(protocol.environment.offers(states, unread))
            finally:
                # Even a bare `except:` in the protocol does not make an answer of it.
                if unread.was_read:
                    raise MissingRead(("the messages in flight",))

        answer = offers(0)
        # A projection is the user's claim, so it is sampled.
        if self._asked_again < ASKED_AGAIN and any(first is not last for first, last in pairs):
            self._asked_again += 1
            if offers(1) != answer:
                problem = "has a projection that leaves out what environment looks at"
                raise BadModelError(protocol.name, problem, tuple(pair[1] for pair in pairs))
        return answer

    def _enter(self, combination: Combination) -> None:
        for offer in self._offers(combination):
            for known in self._known(offer):
                known.add(combination)

    def _those_of(self, offer: Offer) -> tuple[set[Combination], ...]:
        """The sets of combinations to which one belongs in which an offer is made."""
        order = self._tables.place_of(offer.node), offer.command
        if offer.budget:
            return (self.orders.setdefault(order, set()),) if self._budget.get(offer.budget, 0) else ()
        lasting = self.orders.setdefault(order, set()), self.lasting.setdefault(order, set())
        return (*lasting, self.due.setdefault(order, set())) if offer.owed else lasting

    def states(self, order: Order, combinations: set[Combination], known: int = 0) -> Iterator[int]:
        """The local states, from `known` on, in which a command comes to its node in some of those combinations."""
        node = order[0]
        some = {combination[node] for combination in combinations}
        yield from (known + index for index, number in enumerate(self.classes[node][known:]) if number in some)

    def lasting_one(self, order: Order, rows: Array) -> Lasting:
        """One of the commands without a budget, by the steps of its node."""
        due = frozenset() if self._may_be_refused(order[1]) else frozenset(self.due.get(order, ()))
        return Lasting(order[0], rows, np.array(sorted(self.lasting[order])), due)

    def is_quiet(self, command: Any) -> bool:
        """Whether a command may not end legitimacy."""
        return self._protocol.environment.is_quiet(command, idle=False)

    def _may_be_refused(self, command: Any) -> bool:
        """Whether a command may not come although it is offered: it would break an assumption, or end the premise."""
        return has_assumption(self._protocol) or (has_premise(self._protocol) and not self.is_quiet(command))
