"""A state over numbers, and the world that it represents."""

from gomboc.checker.explore.numbered.numbers import Inboxes, Queue, StateNumbers
from gomboc.spec.core.channels import Channels, Envelope
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.network import World
from gomboc.spec.core.protocol import Discipline

State = tuple[int, ...]
"""The numbers of each node's local state, in the order of names, of each node's inbox, and of the rest of the world."""


class Values:
    """The values behind the numbers of an instance.

    `environment` numbers the rest of a world: the remaining budgets, the states of observers, and the observers
    that have found a fault.
    """

    def __init__(self, instance: Instance) -> None:
        self.protocol = instance.protocol
        self.names = tuple(sorted(instance.names()))
        self.size = len(self.names)
        self.place = {name: index for index, name in enumerate(self.names)}
        self.locals, self.messages, self.environment = StateNumbers(), StateNumbers(), StateNumbers()
        self.inboxes = Inboxes(instance.copies if instance.coalesce else None)
        self._asleep: dict[int, bool] = {}

    def is_asleep(self, local: int) -> bool:
        """Whether a node is asleep in that local state."""
        asleep = self._asleep.get(local)
        if asleep is None:
            asleep = self._asleep[local] = self.protocol.environment.asleep(self.locals.values[local])
        return asleep

    def state(self, world: World) -> State:
        """The state that represents a world."""
        locals_ = (self.locals.of(local) for _, local in world.locals)
        inboxes = (self._inbox(world, name) for name in self.names)
        return (*locals_, *inboxes, self.environment.of((world.budget, world.seen, world.broken)))

    def _inbox(self, world: World, name: str) -> int:
        queues: dict[str, Queue] = {}
        for envelope in world.channels.in_flight:
            if envelope.target == name:
                queues[envelope.source] = (*queues.get(envelope.source, ()), self.messages.of(envelope.message))
        return self.inboxes.number(queues)

    def world(self, state: State) -> World:
        """The world that a state represents."""
        budget, seen, broken = self.environment.values[state[-1]]
        locals_ = tuple((name, self.locals.values[number]) for name, number in zip(self.names, state, strict=False))
        in_flight = tuple(
            Envelope(name, self.messages.values[message], source)
            for name, inbox in zip(self.names, state[self.size :], strict=False)
            for source, queue in self.inboxes.contents(inbox)
            for message in queue
        )
        return World(locals_, Channels(Discipline.FIFO, in_flight), budget, seen, broken)
