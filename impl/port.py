"""The port: what an overlay says of itself, so that applications can publish and subscribe on it.

Each overlay fills it in its own folder, as `PORT`; nothing else here knows one overlay from another. Publications stand
in its states and messages under the keys `publications` (an array) and `publication` (one), and are handed over as
`Publication`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from impl.authenticator import Authenticator
from impl.automaton import Implementation

Command = Mapping[str, object]
"""A command as JSON has it."""


@dataclass(frozen=True, slots=True)
class Port:
    """What applications need of an overlay.

    `member` is the role of a node with an application; `join`, `leave(forget)` and `publish(number, payload)` are its
    commands. `contacts` are the roles, by name, of the nodes that everybody knows; there may be none. `agreed`
    picks of the parameters, which make sense, what has to be the same at all nodes. `authenticated` gives the
    implementation with these parameters whose publications this authenticator signs and verifies; it raises
    `UsageError` for parameters that make no sense, and is None if nothing can be published.
    """

    member: str
    join: Command
    leave: Callable[[bool], Command]
    publish: Callable[[int, str], Command]
    contacts: Mapping[str, str] = field(default_factory=dict)
    agreed: Callable[[Mapping[str, object]], object] = dict
    authenticated: Callable[[Mapping[str, object], Authenticator], Implementation] | None = None
