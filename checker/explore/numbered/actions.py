"""Steps over numbers: each local step is computed once, and then looked up."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import msgspec
from msgspec.structs import replace

from gomboc.checker.core.bad_models import NotTabularError
from gomboc.checker.explore.numbered.values import EMPTY, Numbers, State, Values
from gomboc.checker.explore.table.model.checked_calls import asked, outcomes
from gomboc.spec.core.channels import Channels, Envelope
from gomboc.spec.core.instance import turns
from gomboc.spec.core.model import Commanded, Input, Offer, Outcome, Received, Timeout
from gomboc.spec.core.network import Act, World, observed, pick, spend
from gomboc.spec.core.protocol import Discipline

NOTHING = 0
"""The number that stands for the absence of a delivery to the application."""


class LocalAction(msgspec.Struct, frozen=True, eq=False):
    """One step of a node: the act and its result. There is one object for each.

    - `local`, `inbox`: the node's state and inbox after the act has taken its message.
    - `sends`: the index of each target, and the number of the message. `delivered`: the number of what is delivered.
    - `falls`: whether the node falls asleep. `pick`, `turns`: the numbers of its pick and of its fairness classes.
    """

    act: Act
    local: int
    inbox: int
    sends: tuple[tuple[int, int], ...]
    delivered: int
    falls: bool
    pick: int
    turns: tuple[int, ...]


class LocalActions:
    """The steps of all nodes, numbered on first use. A node is given by its index, its local state and its inbox."""

    def __init__(self, values: Values) -> None:
        self._values, self._protocol = values, values.protocol
        self._delivered, self._picks, self._turns = Numbers(()), Numbers(), Numbers()
        self.own, self.commanded, self._losing = cache(self._own), cache(self._commanded), cache(self._losing_of)
        self._observe, self._spend = cache(self._observed), cache(self._spent)

    # Enabled steps.

    def _own(self, index: int, local: int, inbox: int) -> tuple[tuple[LocalAction, ...], tuple[LocalAction, ...]]:
        """The timeouts of a node, and the deliveries to it, one for each result of its coins."""
        awake = not self._values.is_asleep(local)
        timeouts = self._made(index, local, inbox, Timeout()) if awake else ()
        return timeouts, tuple(self._deliveries(index, local, inbox))

    def _deliveries(self, index: int, local: int, inbox: int) -> Iterator[LocalAction]:
        for source, queue in self._values.inboxes.queues(inbox).items():
            envelope = Envelope(self._values.names[index], self._values.messages.values[queue[0]], source)
            rest = self._values.inboxes.without(inbox, source, first=1)
            yield from self._made(index, local, rest, Received(envelope.message), envelope)

    def _commanded(self, index: int, local: int, inbox: int, offer: Offer) -> tuple[LocalAction, ...]:
        """The steps of a node that takes an offer."""
        return self._made(index, local, inbox, Commanded(offer.command), None, offer)

    def _made(
        self,
        index: int,
        before: int,
        inbox: int,
        taken: Input,
        envelope: Envelope | None = None,
        offer: Offer | None = None,
    ) -> tuple[LocalAction, ...]:
        values, name = self._values, self._values.names[index]
        local = values.locals.values[before]
        results = outcomes(self._protocol, name, local, taken, ask_again=True)
        choices = self._protocol.actor.choices(name, local, taken) if results else ()
        if len(choices) > 1 and any(map(self._protocol.environment.asleep, (outcome.local for outcome in results))):
            raise NotTabularError("knows no coins by which a node falls asleep")
        made = []
        for choice, outcome in zip(choices, results, strict=True):
            act = Act(name, taken, choice, envelope, offer)
            after = values.locals.of(outcome.local)
            falls = values.is_asleep(after) and not values.is_asleep(before)
            sends = tuple((values.place[send.target], values.messages.of(send.message)) for send in outcome.sends)
            delivered, fair = self._delivered.of(outcome.delivered), tuple(map(self._turns.of, turns(act)))
            result = after, EMPTY if falls else inbox, sends, delivered, falls
            made.append(LocalAction(act, *result, self._picks.of(pick(act)), fair))
        return tuple(made)

    def with_losses(self, state: State, action: LocalAction) -> tuple[LocalAction, ...]:
        """A step, if by it a node falls asleep once for each set of its messages in flight that may be lost."""
        if not action.falls:
            return (action,)
        values, name = self._values, action.act.node
        after = self._sent(list(state), action)
        inboxes = ((other, after[values.size + index]) for index, other in enumerate(values.names) if other != name)
        most = ((other, len(values.inboxes.queues(inbox).get(name, ()))) for other, inbox in inboxes)
        return self._losing(action, tuple(most))

    def _losing_of(self, action: LocalAction, most: tuple[tuple[str, int], ...]) -> tuple[LocalAction, ...]:
        losing = []
        for way in product(*(range(count + 1) for _, count in most)):
            lost = tuple((target, count) for (target, _), count in zip(most, way, strict=True) if count)
            act = replace(action.act, lost=lost)
            losing.append(replace(action, act=act, pick=self._picks.of(pick(act))))
        return tuple(losing)

    # Results.

    def _sent(self, after: list[int], action: LocalAction) -> list[int]:
        """The state after the act has taken its message and its messages are sent."""
        values, name = self._values, action.act.node
        node, size = values.place[name], values.size
        after[node], after[size + node] = action.local, action.inbox
        for target, message in action.sends:
            after[size + target] = values.inboxes.put(after[size + target], name, message)
        return after

    def step(self, state: State, action: LocalAction) -> State:
        """The state after a step."""
        values, act = self._values, action.act
        size, inboxes = values.size, values.inboxes
        after = self._sent(list(state), action)
        for target, lost in act.lost:
            index = size + values.place[target]
            after[index] = inboxes.without(after[index], act.node, last=lost)
        for to, _ in action.sends:
            after[size + to] = EMPTY if values.is_asleep(after[to]) else inboxes.saturated(after[size + to])
        if action.delivered != NOTHING:
            after[-1] = self._observe(after[-1], act.node, action.delivered)
        if act.offer is not None and act.offer.budget:
            after[-1] = self._spend(after[-1], act.offer.budget)
        return tuple(after)

    def _observed(self, rest: int, name: str, delivered: int) -> int:
        outcome, world = Outcome(None, (), self._delivered.values[delivered]), self._world(rest)
        then = asked(self._protocol, "observe", lambda: observed(self._protocol, world, name, outcome), delivered)
        return self._values.rest_of(then)

    def _spent(self, rest: int, budget: str) -> int:
        return self._values.rest_of(spend(self._world(rest), budget))

    def _world(self, rest: int) -> World:
        """A world without nodes: only budgets, and the states of observers."""
        return World((), Channels(Discipline.FIFO), *self._values.rest.values[rest])
