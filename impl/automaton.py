"""What every core is: an automaton that takes one input at a time and answers with outputs.

A core owns its node's variables and nothing else. Time and randomness are given to it; what it sends, the timer it
wants, what it hands to its application and what only it can tell a trace are outputs. Time is counted in periods:
one period is the time between two timeouts of a node, however long a driver makes it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Raw, Struct


class Timeout(Struct, frozen=True):
    """The timer that the core asked for has run out."""


class Received(Struct, frozen=True, gc=False):
    """A message has arrived; it is one of the protocol's, and well formed."""

    message: Struct


class Commanded(Struct, frozen=True, gc=False):
    """The node's application asks for something."""

    command: Struct


class Send(Struct, frozen=True, gc=False):
    """This message goes to that node."""

    to: str
    message: Struct


class SetTimer(Struct, frozen=True, gc=False):
    """The next timeout is due at this time; a driver may shift it a little."""

    at: float


class Delivered(Struct, frozen=True, gc=False):
    """This goes to the node's application."""

    content: object


class Refused(Struct, frozen=True, gc=False):
    """Something that a peer or the application gave was not accepted, for this reason; a driver counts them."""

    reason: str


class Traced(Struct, frozen=True, gc=False):
    """The name of the coin's result: the one thing about a step that cannot be read off its ends."""

    coin: str


class HeldElsewhere(Struct, frozen=True, gc=False):
    """Another node holds every item that this node holds under a key with this prefix; no part of a trace."""

    prefix: str


Input = Timeout | Received | Commanded
Output = Send | SetTimer | Delivered | Refused | Traced | HeldElsewhere


class RandomSource(Protocol):
    """What a core may know of `random.Random`."""

    def random(self) -> float:
        """A number in [0, 1), uniformly."""


class Core(Protocol):
    """One node's automaton."""

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step at this time, in periods, and say what comes of it."""

    def snapshot(self) -> Raw:
        """The whole local state as JSON, as the protocol's traces write it."""


def _nobody(roles: Mapping[str, str], sender: str | None, node: str) -> tuple[str, ...]:
    del roles, sender, node
    return ()


@dataclass(frozen=True, slots=True)
class Failing:
    """What a protocol says of nodes that fail; commands are JSON values.

    Nodes with one of the `roles` may `crash` and `restart(keep)`: with the variables that they had, or without; None if
    who has crashed never starts again.
    `asleep` says of a core whether its node is down. `hears(roles, sender, node)` names those that must be told to
    `suspect` a node that is down and was just sent something (by `sender`, if that is known), and to `trust` it when it
    is there again. Who `forgets` whom it suspects is told again when it goes on sending to it.

    If `watches(core)` is given, the detector is perfect, and part of the system: whoever watches a node that is down is
    told so in the end, as often as it begins to watch it, and never of a node that is there.
    """

    roles: tuple[str, ...]
    crash: object
    restart: Callable[[bool], object] | None
    asleep: Callable[[Core], bool]
    hears: Callable[[Mapping[str, str], str | None, str], tuple[str, ...]] = _nobody
    suspect: Callable[[str], Mapping[str, object]] | None = None
    trust: Callable[[str], Mapping[str, object]] | None = None
    forgets: bool = False
    watches: Callable[[Core], Iterable[str]] | None = None


@dataclass(frozen=True, slots=True)
class Implementation:
    """One implementation of one protocol.

    `make` takes the role, the node's name, its state as a JSON value and a source of randomness, and raises
    `UsageError` for a state that the protocol's traces could not hold. `decode` reads a message and raises
    `PeerError`; `decode_command` reads a command and raises `UsageError`. Messages and commands are structs that
    msgspec writes. `configured` takes the parameters of a trace's header and raises `UsageError` for those that
    make no sense; None if there are no parameters. `blank` is, for each role, the state of a node that knows nobody
    and wants nothing. `failing` is None if no node ever fails.
    """

    name: str
    protocol: str
    make: Callable[[str, str, object, RandomSource], Core]
    decode: Callable[[bytes], Struct]
    encode: Callable[[Struct], bytes]
    decode_command: Callable[[bytes], Struct]
    variants: tuple["Implementation", ...] = ()
    configured: "Callable[[Mapping[str, object]], Implementation] | None" = None
    blank: Mapping[str, object] = field(default_factory=dict)
    failing: Failing | None = None
