"""Commands from outside, over numbers: computed once for each combination of the projections that they depend on."""

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import Any, TypeVar

from gomboc.checker.core.bad_models import NotTabularError
from gomboc.checker.explore.numbered.actions import LocalAction, LocalActions
from gomboc.checker.explore.numbered.values import Numbers, State, Values
from gomboc.spec.core.faults import has_assumption
from gomboc.spec.core.instance import has_premise, keeps_demands
from gomboc.spec.core.model import Offer, nothing_comes
from gomboc.spec.core.network import disturbs, offered

Answer = TypeVar("Answer")

ASKED_AGAIN = 2_000
"""How often an answer for a combination is compared with the answer for another one with equal projections."""


class NumberedCommands:
    """The offers of a protocol, as far as its assumption and premise hold after one of them is taken."""

    def __init__(self, values: Values, actions: LocalActions) -> None:
        self._values, self._actions, self._protocol = values, actions, values.protocol
        self._projections = Numbers()
        self._known: dict[Hashable, Any] = {}
        self._again = ASKED_AGAIN
        self._demands = has_assumption(self._protocol) or has_premise(self._protocol)
        project = self._protocol.promises.projection
        self._of_local = cache(lambda local: self._projections.of(project(values.locals.values[local])))
        self._of_inbox = cache(self._projections_in)

    def _projections_in(self, inbox: int) -> tuple[int, ...]:
        projections = map(self._protocol.promises.projection, self._values.sent(inbox))
        return tuple(self._projections.of(projection) for projection in projections if projection is not None)

    def possible(self, state: State) -> Iterator[LocalAction]:
        """The steps that take an offer."""
        if self._protocol.environment.offers is nothing_comes:
            return
        for index, offer in self._offered(state):
            made = self._actions.commanded(index, state[index], state[self._values.size + index], offer)
            ways = [way for action in made for way in self._actions.with_losses(state, action)]
            refused = {way.pick for way in ways if self._demands and not self._keeps(state, way)}
            yield from (way for way in ways if way.pick not in refused)

    def _offered(self, state: State) -> tuple[tuple[int, Offer], ...]:
        budget = self._values.rest.values[state[-1]][0]
        return self._once(state, budget, lambda: self._asked(state), "on which offers depend")

    def _asked(self, state: State) -> tuple[tuple[int, Offer], ...]:
        offers = offered(self._protocol, self._values.world(state))
        if len({(offer.node, offer.command) for offer in offers}) < len(offers):
            raise NotTabularError("refuses two equal offers in one state")
        return tuple((self._values.place[offer.node], offer) for offer in offers)

    def _keeps(self, state: State, action: LocalAction) -> bool:
        """Whether assumption and premise hold after a command; the premise only if the command disturbs."""
        then, asked = self._actions.step(state, action), disturbs(self._protocol, action.act)
        return self._once(
            then,
            asked,
            lambda: keeps_demands(self._protocol, action.act, self._values.world(then)),
            "that assumption and premise read",
        )

    def _once(self, state: State, asked: object, answer: Callable[[], Answer], read: str) -> Answer:
        """The answer for a state, by its projection. A projection is the user's claim, so it is sampled."""
        size = self._values.size
        key = (*map(self._of_local, state[:size]), *map(self._of_inbox, state[size:-1]), read, asked)
        if key not in self._known:
            self._known[key] = answer()
        elif self._again > 0:
            self._again -= 1
            if self._known[key] != answer():
                raise NotTabularError(f"refuses projections that leave out values {read}")
        result: Answer = self._known[key]
        return result
