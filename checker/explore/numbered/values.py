"""A state over numbers: each local state and each inbox by its number, and the world that they represent."""

from collections.abc import Hashable
from functools import cache
from itertools import groupby
from typing import Any

from gomboc.spec.core.channels import Channels, Envelope
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.network import World
from gomboc.spec.core.protocol import Discipline

State = tuple[int, ...]
"""The numbers of each node's local state, in the order of names, of each node's inbox, and of the rest of the world."""

Queue = tuple[int, ...]
"""The messages on one link, by number, the earlier before the later."""

EMPTY = 0
"""The number of the empty inbox."""


class Numbers:
    """Values by number, in the order of first use."""

    def __init__(self, *first: Hashable) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Hashable, int] = {}
        for value in first:
            self.of(value)

    def of(self, value: Hashable) -> int:
        """The number of a value, a new one if it has none."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self.values)
            self.values.append(value)
        return number


class Inboxes:
    """Inboxes by number: the messages in flight to one node, link by link.

    Of consecutive equal messages on one link, `copies` are kept; None: all.
    """

    def __init__(self, copies: int | None) -> None:
        self._copies = copies
        self._numbers = Numbers(())
        self.put, self.saturated = cache(self._put), cache(self._saturated)

    def queues(self, number: int) -> dict[str, Queue]:
        """The messages in an inbox by source, ascending; empty links are left out."""
        return dict(self._numbers.values[number])

    def messages(self, number: int) -> Queue:
        """The messages in an inbox."""
        return sum(self.queues(number).values(), ())

    def number(self, queues: dict[str, Queue]) -> int:
        """The number of the inbox with those queues."""
        return self._numbers.of(tuple((source, queues[source]) for source in sorted(queues) if queues[source]))

    def _put(self, number: int, source: str, message: int) -> int:
        """The inbox with a further message."""
        queues = self.queues(number)
        return self.number({**queues, source: (*queues.get(source, ()), message)})

    def without(self, number: int, source: str, first: int = 0, last: int = 0) -> int:
        """The inbox without so many of the first and of the last messages of a source."""
        queues = self.queues(number)
        queue = queues.get(source, ())
        return self.number({**queues, source: queue[first : len(queue) - last]})

    def _saturated(self, number: int) -> int:
        """The inbox in which surplus consecutive copies of a message have coalesced."""
        queues = self.queues(number)
        return self.number({source: self._kept(queue) for source, queue in queues.items()})

    def _kept(self, queue: Queue) -> Queue:
        if self._copies is None:
            return queue
        runs = (list(run) for _, run in groupby(queue))
        return tuple(message for run in runs for message in run[: self._copies])


class Values:
    """The values behind the numbers of an instance.

    `rest` numbers the rest of a world: the remaining budgets, the states of observers, and the observers that have
    found a fault.
    """

    def __init__(self, instance: Instance) -> None:
        self.protocol = instance.protocol
        self.names = tuple(sorted(instance.names()))
        self.size = len(self.names)
        self.place = {name: index for index, name in enumerate(self.names)}
        self.locals, self.messages, self.rest = Numbers(), Numbers(), Numbers()
        self.inboxes = Inboxes(instance.copies if instance.coalesce else None)
        self.is_asleep = cache(lambda local: self.protocol.environment.asleep(self.locals.values[local]))

    def sent(self, inbox: int) -> list[Any]:
        """The messages in an inbox."""
        return [self.messages.values[message] for message in self.inboxes.messages(inbox)]

    def state(self, world: World) -> State:
        """The state that represents a world."""
        locals_ = (self.locals.of(local) for _, local in world.locals)
        inboxes = dict.fromkeys(self.names, EMPTY)
        for envelope in world.channels.in_flight:
            message = self.messages.of(envelope.message)
            inboxes[envelope.target] = self.inboxes.put(inboxes[envelope.target], envelope.source, message)
        return (*locals_, *inboxes.values(), self.rest_of(world))

    def rest_of(self, world: World) -> int:
        """The number of the rest of a world."""
        return self.rest.of((world.budget, world.seen, world.broken))

    def world(self, state: State) -> World:
        """The world that a state represents."""
        locals_ = tuple((name, self.locals.values[number]) for name, number in zip(self.names, state, strict=False))
        in_flight = tuple(
            Envelope(name, self.messages.values[message], source)
            for name, inbox in zip(self.names, state[self.size :], strict=False)
            for source, queue in self.inboxes.queues(inbox).items()
            for message in queue
        )
        return World(locals_, Channels(Discipline.FIFO, in_flight), *self.rest.values[state[-1]])
