"""Steps over numbers: each local step is computed once, and then looked up."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from gomboc.checker.core.bad_models import NotTabularError
from gomboc.checker.explore.numbered.numbers import EMPTY, StateNumbers
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.table.model.checked_calls import asked, outcomes
from gomboc.spec.core.channels import Channels, Envelope
from gomboc.spec.core.instance import turns
from gomboc.spec.core.model import Commanded, Input, Offer, Outcome, Received, Timeout
from gomboc.spec.core.network import Act, World, disturbs, observed, pick, spend
from gomboc.spec.core.protocol import Discipline

Sends = tuple[tuple[int, int], ...]
"""The index of each target, and the number of the message."""

Local = tuple[int, int, int]
"""A node by its index, its local state and its inbox."""

NOTHING = 0
"""The number that stands for the absence of a delivery to the application."""


class LocalAction:
    """One step of a node: the act and its result. There is one object for each.

    `inbox` is the node's inbox after the act has taken its message, and `falls` whether the node falls asleep.
    """

    __slots__ = ("act", "chance", "delivered", "disturbs", "falls", "inbox", "local", "node", "pick", "sends", "turns")

    def __init__(self, act: Act, node: int, local: int, inbox: int, sends: Sends, delivered: int, falls: bool) -> None:
        self.act, self.node, self.local, self.inbox = act, node, local, inbox
        self.sends, self.delivered, self.falls = sends, delivered, falls
        self.pick: Hashable = ()
        self.turns: tuple[Hashable, ...] = ()
        self.chance: Fraction = act.choice.probability
        self.disturbs = False


class Deeds:
    """The steps of all nodes, numbered on first use."""

    def __init__(self, values: Values) -> None:
        self._values, self._protocol = values, values.protocol
        self._delivered, self._picks, self._turns = StateNumbers(()), StateNumbers(), StateNumbers()
        self._own: dict[Local, tuple[tuple[LocalAction, ...], tuple[LocalAction, ...]]] = {}
        self._commanded: dict[tuple[Local, Offer], tuple[LocalAction, ...]] = {}
        self._losing: dict[tuple[LocalAction, tuple[tuple[str, int], ...]], tuple[LocalAction, ...]] = {}
        self._observed: dict[tuple[int, int, int], int] = {}
        self._spent: dict[tuple[int, str], int] = {}

    # Enabled steps.

    def own(self, at: Local) -> tuple[tuple[LocalAction, ...], tuple[LocalAction, ...]]:
        """The timeouts of a node, and the deliveries to it, one for each result of its coins."""
        deeds = self._own.get(at)
        if deeds is None:
            awake = not self._values.is_asleep(at[1])
            deeds = self._own[at] = self._made(at, Timeout()) if awake else (), tuple(self._deliveries(at))
        return deeds

    def _deliveries(self, at: Local) -> Iterator[LocalAction]:
        index, local, inbox = at
        for source, queue in self._values.inboxes.contents(inbox):
            envelope = Envelope(self._values.names[index], self._values.messages.values[queue[0]], source)
            rest = self._values.inboxes.without_first(inbox, source)
            yield from self._made((index, local, rest), Received(envelope.message), envelope)

    def commanded(self, at: Local, offer: Offer) -> tuple[LocalAction, ...]:
        """The steps of a node that takes an offer."""
        deeds = self._commanded.get((at, offer))
        if deeds is None:
            deeds = self._commanded[at, offer] = self._made(at, Commanded(offer.command), None, offer)
        return deeds

    def _made(
        self, at: Local, taken: Input, envelope: Envelope | None = None, offer: Offer | None = None
    ) -> tuple[LocalAction, ...]:
        index, before, inbox = at
        values, name = self._values, self._values.names[index]
        local = values.locals.values[before]
        results = outcomes(self._protocol, name, local, taken, ask_again=True)
        choices = self._protocol.actor.choices(name, local, taken) if results else ()
        if len(choices) > 1 and any(map(self._protocol.environment.asleep, (outcome.local for outcome in results))):
            raise NotTabularError("knows no coins by which a node falls asleep")
        made = []
        for choice, outcome in zip(choices, results, strict=True):
            after = values.locals.of(outcome.local)
            sends = tuple((values.place[send.target], values.messages.of(send.message)) for send in outcome.sends)
            falls = values.is_asleep(after) and not values.is_asleep(before)
            act = Act(name, taken, choice, envelope, offer)
            made.append(
                self._with_numbers(
                    LocalAction(act, index, after, inbox, sends, self._delivered.of(outcome.delivered), falls)
                )
            )
        return tuple(made)

    def _with_numbers(self, deed: LocalAction) -> LocalAction:
        """The same step, with numbers for its pick and its fairness classes."""
        deed.pick = (self._picks.of(pick(deed.act)),)
        deed.turns = tuple(map(self._turns.of, turns(deed.act)))
        deed.disturbs = disturbs(self._protocol, deed.act)
        return deed

    def with_losses(self, state: State, deed: LocalAction) -> tuple[LocalAction, ...]:
        """A step by which a node falls asleep, once for each set of its messages in flight that may be lost."""
        after = self._sent(list(state), deed)
        values, name = self._values, self._values.names[deed.node]
        others = ((target, index) for index, target in enumerate(values.names) if index != deed.node)
        most = tuple((target, values.inboxes.count(after[values.size + index], name)) for target, index in others)
        deeds = self._losing.get((deed, most))
        if deeds is None:
            deeds = self._losing[deed, most] = tuple(self._losing_of(deed, most))
        return deeds

    def _losing_of(self, deed: LocalAction, most: tuple[tuple[str, int], ...]) -> Iterator[LocalAction]:
        for way in product(*(range(count + 1) for _, count in most)):
            lost = tuple((target, count) for (target, _), count in zip(most, way, strict=True) if count)
            act = replace(deed.act, lost=lost)
            yield self._with_numbers(
                LocalAction(act, deed.node, deed.local, deed.inbox, deed.sends, deed.delivered, True)
            )

    # Results.

    def _sent(self, after: list[int], deed: LocalAction) -> list[int]:
        """The state after the act has taken its message and its messages are sent."""
        size, name = self._values.size, self._values.names[deed.node]
        after[deed.node], after[size + deed.node] = deed.local, deed.inbox
        for target, message in deed.sends:
            after[size + target] = self._values.inboxes.put(after[size + target], name, message)
        return after

    def step(self, state: State, deed: LocalAction) -> State:
        """The state after a step."""
        values, act = self._values, deed.act
        size, inboxes = values.size, values.inboxes
        after = self._sent(list(state), deed)
        for target, lost in act.lost:
            index = size + values.place[target]
            after[index] = inboxes.without_last(after[index], act.node, lost)
        for to, _ in deed.sends:
            asleep = values.is_asleep(after[to])
            after[size + to] = EMPTY if asleep else inboxes.saturated(after[size + to])
        if deed.falls:
            after[size + deed.node] = EMPTY
        if deed.delivered != NOTHING:
            after[-1] = self._observe(after[-1], deed.node, deed.delivered)
        if act.offer is not None and act.offer.budget:
            after[-1] = self._spend(after[-1], act.offer.budget)
        return tuple(after)

    def _observe(self, environment: int, node: int, delivered: int) -> int:
        key = environment, node, delivered
        number = self._observed.get(key)
        if number is None:
            name, outcome = self._values.names[node], Outcome(None, (), self._delivered.values[delivered])
            then = asked(
                self._protocol,
                "observe",
                lambda: observed(self._protocol, self._world(environment), name, outcome),
                delivered,
            )
            number = self._observed[key] = self._values.environment.of((then.budget, then.seen, then.broken))
        return number

    def _spend(self, environment: int, budget: str) -> int:
        number = self._spent.get((environment, budget))
        if number is None:
            then = spend(self._world(environment), budget)
            number = self._spent[environment, budget] = self._values.environment.of(
                (then.budget, then.seen, then.broken)
            )
        return number

    def _world(self, environment: int) -> World:
        """A world without nodes: only budgets, and the states of observers."""
        return World((), Channels(Discipline.FIFO), *self._values.environment.values[environment])
