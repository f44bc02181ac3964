"""Interface of a protocol core: an automaton that takes one input at a time and returns outputs.

A core owns its node's variables and nothing else. Time and randomness are arguments. Messages to send, the timer to
set, content for the application and facts that a trace cannot derive from states are outputs. Time is counted in
periods: one period is the time between two timeouts of a node, however long a driver makes it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Raw, Struct, json

from gomboc.impl.core.authority import Words
from gomboc.impl.core.errors import UsageError


class Timeout(Struct, frozen=True):
    """The timer that the core set has expired."""


class Received(Struct, frozen=True, gc=False):
    """A message has arrived; it belongs to the protocol and is well formed."""

    message: Struct


class Commanded(Struct, frozen=True, gc=False):
    """The node's application gives a command."""

    command: Struct


class Send(Struct, frozen=True, gc=False):
    """Send this message to node `to`."""

    to: str
    message: Struct


class SetTimer(Struct, frozen=True, gc=False):
    """Set the timer: the next timeout is due at this time; a driver may shift it a little."""

    at: float


class Delivered(Struct, frozen=True, gc=False):
    """Deliver this content to the node's application."""

    content: object


class Refused(Struct, frozen=True, gc=False):
    """Input of a peer or of the application was rejected for this reason; a driver counts the rejections."""

    reason: str


class Traced(Struct, frozen=True, gc=False):
    """Result of a random choice, by name: the one part of a step that a trace cannot derive from states."""

    coin: str


class HeldElsewhere(Struct, frozen=True, gc=False):
    """Another node holds every item that this node holds under a key with one of these prefixes; no part of a trace.

    The same of items with these ids, where an overlay names items so. `node` is None if it is not known which one.
    """

    node: str | None
    prefixes: tuple[str, ...] = ()
    ids: tuple[tuple[str, str, int], ...] = ()


class HeldAgain(Struct, frozen=True, gc=False):
    """Content that was delivered before, and was dropped since, is held again; no part of a trace."""

    content: object


Input = Timeout | Received | Commanded
Output = Send | SetTimer | Delivered | Refused | Traced | HeldElsewhere | HeldAgain


class RandomSource(Protocol):
    """The part of `random.Random` that a core may use."""

    def random(self) -> float:
        """A number in [0, 1), uniformly."""


class Core(Protocol):
    """The automaton of one node."""

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step at this time, in periods, and return its outputs."""

    def snapshot(self) -> Raw:
        """The whole local state as JSON, as the protocol's traces write it."""


def no_commands(written: bytes) -> Struct:
    """Raises UsageError: for a protocol without commands."""
    raise UsageError(f"This protocol has no commands: {written.decode(errors='replace')}.")


@dataclass(frozen=True, slots=True)
class Failing:
    """How nodes of a protocol fail; commands are structs, or JSON values.

    Nodes with one of the `roles` may `crash` and `restart(keep)`: with the variables that they had, or without; None if
    a crashed node never starts again. `asleep` tells from a core whether its node is down. `hears(roles, sender, node)`
    names the nodes that have to be told to `suspect` a node that is down and was just sent a message (by `sender`, if
    known), and to `trust` it when it is up again. Nodes with a role that `forgets` remember no suspicion: they are told
    again if they go on sending to a suspect, and never to trust it.

    If `watches(core)` is given, the failure detector is perfect and part of the system: a node that watches a crashed
    node is told so in the end, as often as it begins to watch it, and never about a node that is up.
    """

    roles: tuple[str, ...]
    crash: object
    restart: Callable[[bool], object] | None
    asleep: Callable[[Core], bool]
    hears: Callable[[Mapping[str, str], str | None, str], tuple[str, ...]] = lambda _roles, _sender, _node: ()
    suspect: Callable[[str], object] | None = None
    trust: Callable[[str], object] | None = None
    forgets: tuple[str, ...] = ()
    watches: Callable[[Core], Iterable[str]] | None = None


@dataclass(frozen=True, slots=True)
class Implementation:
    """One implementation of one protocol.

    `make` takes the role, the node's name, its state as a JSON value and a source of randomness, and raises
    `UsageError` for a state that the protocol's traces could not hold. `decode` reads a message and raises `PeerError`;
    `decode_command` reads a command and raises `UsageError`. Messages and commands are structs that msgspec writes;
    `encode` writes a message. `configured` takes the parameters of a trace's header and raises `UsageError` for invalid
    ones; None if there are no parameters. `words` says whose word each kind of message is. `blank` is, for each role,
    the state of a node that knows no other node and has no wishes. `failing` is None if no node ever fails.
    """

    name: str
    protocol: str
    make: Callable[[str, str, object, RandomSource], Core]
    decode: Callable[[bytes], Struct]
    encode: Callable[[Struct], bytes] = json.encode
    decode_command: Callable[[bytes], Struct] = no_commands
    variants: tuple["Implementation", ...] = ()
    configured: "Callable[[Mapping[str, object]], Implementation] | None" = None
    words: Words = field(default_factory=dict)
    blank: Mapping[str, object] = field(default_factory=dict)
    failing: Failing | None = None

    def commanded(self, command: object) -> Commanded:
        """The input by which an application gives this command, a struct or a JSON value."""
        return Commanded(self.decode_command(json.encode(command)))
