"""Whether any command from outside may come: asked once for each combination of what commands depend on."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import prod
from typing import Any

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.core.dependency_tracker import MissingRead
from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.product.automata import Automata
from gomboc.checker.explore.table.model.checked_calls import asked, hashed
from gomboc.spec.core.model import Offer, nothing_comes

MOST = 100_000
"""Maximal number of combinations for which commands are asked."""


class Unread:
    """Messages in flight that are not known. Raises MissingRead when they are read."""

    def _read(self, *arguments: Any) -> Any:
        del arguments
        raise MissingRead(("the messages in flight",))

    __iter__ = __len__ = __getitem__ = __bool__ = __contains__ = __eq__ = __add__ = __radd__ = __getattr__ = _read


def why_commanded(made: Automata) -> str:
    """Why commands from outside may come in some combination of local states, as text; empty if none does.

    Raises BadModelError if a protocol's projection leaves out what its offers depend on.
    """
    protocol = made.tables.instance.protocol
    if protocol.environment.offers is nothing_comes:
        return ""
    classes = [list(_classes(made, node)) for node in range(len(made.active))]
    if prod(map(len, classes)) > MOST:
        return f"commands may depend on more than {counted(MOST, 'combination')} of local states"
    budget = dict(made.tables.instance.budget)
    try:
        for chosen in product(*classes):
            for offer in _offers(made, chosen):
                if not offer.budget or budget.get(offer.budget, 0):
                    return f"commands may come from outside, as {type(offer.command).__name__} to {offer.node}"
    except MissingRead:
        return "the commands that may come from outside depend on the messages in flight"
    return ""


def _classes(made: Automata, node: int) -> Iterator[tuple[Any, Any]]:
    """The first and the last local state of a node for each projection."""
    protocol = made.tables.instance.protocol
    known: dict[Any, tuple[Any, Any]] = {}
    for value in made.tables.nodes[node].values:
        seen = hashed(protocol, asked(protocol, "projection", partial(protocol.promises.projection, value), value))
        first, _ = known.get(seen, (value, value))
        known[seen] = first, value
    yield from known.values()


def _offers(made: Automata, chosen: tuple[tuple[Any, Any], ...]) -> tuple[Offer, ...]:
    """The offers in local states of these projections."""
    protocol, names = made.tables.instance.protocol, made.tables.names
    unread: Any = Unread()

    def offers(end: int) -> tuple[Offer, ...]:
        states = dict(zip(names, (pair[end] for pair in chosen), strict=True))
        return asked(protocol, "environment", lambda: tuple(protocol.environment.offers(states, unread)), states)

    if offers(0) != offers(-1):
        problem = "has a projection that leaves out what environment looks at"
        raise BadModelError(protocol.name, problem, tuple(pair[-1] for pair in chosen))
    return offers(0)
