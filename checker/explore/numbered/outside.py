"""Commands from outside, over numbers: computed once for each combination of the projections that they depend on."""

from collections.abc import Iterator

from gomboc.checker.core.bad_models import NotTabularError
from gomboc.checker.explore.numbered.deeds import Deeds, LocalAction
from gomboc.checker.explore.numbered.numbers import StateNumbers
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.spec.core.faults import assumption_faults, has_assumption, premise_faults
from gomboc.spec.core.instance import has_premise
from gomboc.spec.core.model import Offer, nothing_comes
from gomboc.spec.core.network import offered

Projection = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""The projection of each local state, and of the messages in each inbox, by number."""

ASKED_AGAIN = 2_000
"""How often an answer for a combination is compared with the answer for another one with equal projections."""


class Outside:
    """The offers of a protocol, and whether its assumption and premise hold after one of them is taken."""

    def __init__(self, values: Values, deeds: Deeds) -> None:
        self._values, self._deeds, self._protocol = values, deeds, values.protocol
        self._projections = StateNumbers(None)
        self._of_local: dict[int, int] = {}
        self._of_inbox: dict[int, tuple[int, ...]] = {}
        self._offers: dict[tuple[Projection, tuple[tuple[str, int], ...]], tuple[tuple[int, Offer], ...]] = {}
        self._kept: dict[tuple[Projection, bool], bool] = {}
        self._again = ASKED_AGAIN
        self._demands = has_assumption(self._protocol) or has_premise(self._protocol)

    def possible(self, state: State) -> Iterator[LocalAction]:
        """The steps that take an offer."""
        if self._protocol.environment.offers is nothing_comes:
            return
        size = self._values.size
        for index, offer in self._offered(state):
            made = self._deeds.commanded((index, state[index], state[size + index]), offer)
            ways = [way for deed in made for way in (self._deeds.with_losses(state, deed) if deed.falls else (deed,))]
            refused = {way.pick for way in ways if self._demands and not self._keeps(state, way)}
            yield from (way for way in ways if way.pick not in refused)

    def _offered(self, state: State) -> tuple[tuple[int, Offer], ...]:
        budget, _, _ = self._values.environment.values[state[-1]]
        key = self._projection(state), budget
        offers = self._offers.get(key)
        if offers is None:
            offers = self._offers[key] = self._asked(state)
        elif self._ask_again() and offers != self._asked(state):
            raise NotTabularError("refuses projections that leave out values on which offers depend")
        return offers

    def _asked(self, state: State) -> tuple[tuple[int, Offer], ...]:
        offers = offered(self._protocol, self._values.world(state))
        if len({(offer.node, offer.command) for offer in offers}) < len(offers):
            raise NotTabularError("refuses two equal offers in one state")
        return tuple((self._values.place[offer.node], offer) for offer in offers)

    def _keeps(self, state: State, deed: LocalAction) -> bool:
        """Whether assumption and premise hold after a command; the premise only if the command disturbs."""
        then = self._deeds.step(state, deed)
        key = self._projection(then), deed.disturbs
        keeps = self._kept.get(key)
        if keeps is None:
            keeps = self._kept[key] = self._lacks_nothing(then, deed)
        elif self._ask_again() and keeps != self._lacks_nothing(then, deed):
            raise NotTabularError("refuses projections that leave out values that assumption and premise read")
        return keeps

    def _lacks_nothing(self, then: State, deed: LocalAction) -> bool:
        world = self._values.world(then)
        states, in_flight = world.states(), world.in_flight()
        if assumption_faults(self._protocol, states, in_flight, commanded=True):
            return False
        return not (deed.disturbs and premise_faults(self._protocol, states, in_flight))

    def _ask_again(self) -> bool:
        self._again -= 1
        return self._again > 0

    def _projection(self, state: State) -> Projection:
        size = self._values.size
        inboxes = tuple([self._projections_in(inbox) for inbox in state[size:-1]])
        return tuple([self._projection_of(local) for local in state[:size]]), inboxes

    def _projection_of(self, local: int) -> int:
        number = self._of_local.get(local)
        if number is None:
            number = self._of_local[local] = self._projections.of(
                self._protocol.promises.projection(self._values.locals.values[local])
            )
        return number

    def _projections_in(self, inbox: int) -> tuple[int, ...]:
        numbers = self._of_inbox.get(inbox)
        if numbers is None:
            values = (self._values.messages.values[message] for message in self._values.inboxes.messages(inbox))
            projections = (self._protocol.promises.projection(value) for value in values)
            numbers = self._of_inbox[inbox] = tuple(
                self._projections.of(projection) for projection in projections if projection is not None
            )
        return numbers
