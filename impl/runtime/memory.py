"""A network in memory: nodes of one process, a clock that is moved by hand, and delays drawn from one seed.

The order of messages is the network's discipline. No message is lost, except under FIFO, where two nodes have a
connection: messages in flight to a node that stops are lost, and so are those sent to it until it listens again. What
was for a node that is not there is given back to the connection that sent it, and never to a later start of its node.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random

from gomboc.impl.core.errors import UsageError
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.disciplines import JITTER, Discipline, Times, times
from gomboc.impl.runtime.transport import Parcel, Returned


@dataclass(frozen=True, slots=True)
class _Listener:
    """The functions of a node that has begun to listen, and the connection by which it did so."""

    connection: object
    receive: Callable[[Parcel], None]
    returned: Returned


@dataclass(slots=True)
class MemoryNetwork:
    """Network with exponential delays of mean `mean_delay` periods; `undeliverable` counts messages without a receiver.

    Under ROUNDS hosts need the network's `times` too, or their timeouts do not keep to the rounds.
    """

    clock: ManualClock
    random: Random
    mean_delay: float = 0.2
    discipline: Discipline = Discipline.UNORDERED
    undeliverable: int = 0
    times: Times = field(init=False)
    _numbers: "count[int]" = field(default_factory=count)
    _listening: dict[str, _Listener] = field(default_factory=dict)
    _last: dict[str, _Listener] = field(default_factory=dict)
    _cut: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Refuse a mean delay of 0 or less with `UsageError`."""
        if not self.mean_delay > 0:
            raise UsageError(f"The mean delay has to be above 0, not {self.mean_delay}.")
        delay = partial(self.random.expovariate, 1 / self.mean_delay)
        self.times = times(self.discipline, delay, JITTER, self.random)

    def transport(self, name: str) -> "MemoryTransport":
        """The connection of the node with this name; an earlier listener of that name receives no more."""
        self.disconnect(name)
        return MemoryTransport(self, name)

    def disconnect(self, name: str) -> None:
        """Cut the node off: it receives no more, and no sender is told so."""
        self._listening.pop(name, None)
        self._cut.add(name)

    def listen(self, name: str, listener: _Listener) -> None:
        """Give parcels for this node to this listener from now on."""
        self._listening[name] = self._last[name] = listener
        self._cut.discard(name)

    def close(self, name: str, connection: object) -> None:
        """There is no node of this name any more, unless another connection has taken the name over."""
        if name in self._listening and self._listening[name].connection is connection:
            del self._listening[name]

    def send(self, sender: str, to: str, written: bytes, connection: "MemoryTransport | None" = None) -> int:
        """Send bytes, and return their number; without a connection they are given back to the sender's last one."""
        parcel = Parcel(next(self._numbers), sender, written)
        arrives = self.times.arrives(self.clock.now(), sender, to)
        self.clock.call_at(arrives, partial(self._arrive, to, parcel, self._listening.get(to), connection))
        return parcel.number

    def _arrive(
        self, to: str, parcel: Parcel, listener: _Listener | None, connection: "MemoryTransport | None"
    ) -> None:
        """Hand a parcel over that was sent by this connection, when `listener` was the receiver's."""
        is_connected = self.discipline is not Discipline.FIFO or listener is self._listening.get(to)
        if to in self._listening and is_connected:
            self._listening[to].receive(parcel)
            return
        self.undeliverable += 1
        # A sender that has closed is told as well: a trace must not wait for what one gone node has sent to another.
        # Under FIFO a receiver that has come back is there, though what was sent to it before is lost.
        own = self._last.get(parcel.sender) if connection is None else connection.listener
        if to not in self._cut and to not in self._listening and own is not None:
            own.returned(to, parcel)


@dataclass(slots=True, eq=False)
class MemoryTransport:
    """One node's connection to the network."""

    network: MemoryNetwork
    name: str
    listener: _Listener | None = None

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """Give arriving parcels to `receive` from now on, and parcels sent to absent nodes to `returned`."""
        self.listener = _Listener(self, receive, returned)
        self.network.listen(self.name, self.listener)

    def send(self, to: str, written: bytes) -> int:
        """Send bytes, and return their number."""
        return self.network.send(self.name, to, written, self)

    def close(self) -> None:
        """From now on there is no node of this name, until one listens again."""
        self.network.close(self.name, self)
