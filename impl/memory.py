"""A network in memory: nodes of one process, a clock that is moved by hand, and delays out of one seed.

Nothing is lost. Which order is kept is the network's discipline.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random

from gomboc.impl.clock import ManualClock
from gomboc.impl.disciplines import JITTER, Discipline, Times, times
from gomboc.impl.errors import UsageError
from gomboc.impl.transport import Parcel


@dataclass(slots=True)
class MemoryNetwork:
    """Delays, in periods, are exponential with mean `mean_delay`; `undeliverable` counts what was sent to nobody.

    Under ROUNDS hosts need the network's `times` too, or their timeouts do not keep to the rounds.
    """

    clock: ManualClock
    random: Random
    mean_delay: float = 0.2
    discipline: Discipline = Discipline.UNORDERED
    undeliverable: int = 0
    times: Times = field(init=False)
    _numbers: "count[int]" = field(default_factory=count)
    _listening: dict[str, Callable[[Parcel], None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a mean delay of 0 or less with `UsageError`."""
        if not self.mean_delay > 0:
            raise UsageError(f"The mean delay has to be above 0, not {self.mean_delay}.")
        delay = partial(self.random.expovariate, 1 / self.mean_delay)
        self.times = times(self.discipline, delay, JITTER, self.random)

    def transport(self, name: str) -> "MemoryTransport":
        """The connection of the node with this name; whoever listened under it before hears no more."""
        self.disconnect(name)
        return MemoryTransport(self, name)

    def disconnect(self, name: str) -> None:
        """From now on nothing reaches this node."""
        self._listening.pop(name, None)

    def listen(self, name: str, receive: Callable[[Parcel], None]) -> None:
        """From now on what reaches this node is given to `receive`."""
        self._listening[name] = receive

    def send(self, sender: str, to: str, written: bytes) -> int:
        """Give bytes on their way, and say under which number."""
        parcel = Parcel(next(self._numbers), sender, written)
        arrives = self.times.arrives(self.clock.now(), sender, to)
        self.clock.call_at(arrives, partial(self._arrive, to, parcel))
        return parcel.number

    def _arrive(self, to: str, parcel: Parcel) -> None:
        if to in self._listening:
            self._listening[to](parcel)
        else:
            self.undeliverable += 1


@dataclass(frozen=True, slots=True)
class MemoryTransport:
    """One node's connection to the network."""

    network: MemoryNetwork
    name: str

    def listen(self, receive: Callable[[Parcel], None]) -> None:
        """From now on, give what arrives to `receive`."""
        self.network.listen(self.name, receive)

    def send(self, to: str, written: bytes) -> int:
        """Give bytes on their way, and say under which number."""
        return self.network.send(self.name, to, written)
