"""Commands of an application to a subscriber, and events of failures and detectors."""

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import Name
from gomboc.impl.protocols.skip_ring.forms import WrittenEntry
from gomboc.impl.protocols.skip_ring.states import refuse_disorder
from gomboc.impl.publishing.publication import Number


class Command(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    """Base of all commands."""


class Join(Command, frozen=True, tag="subscribe"):
    """From now on the application wants the node in the ring."""


class Leave(Command, frozen=True, tag="unsubscribe"):
    """From now on the application does not want the node in the ring, nor its publications if it is to `forget`."""

    forget: bool = False


class Issue(Command, frozen=True, tag="publish"):
    """A publication of the node's own; no number is used twice."""

    number: Number
    payload: str


class Crash(Command, frozen=True, tag="crash"):
    """From now on nothing that reaches the node has any effect."""


class Restart(Command, frozen=True, tag="restart"):
    """The node is there again: with the variables that it had if it could `keep` them, else with empty ones."""

    keep: bool


class Suspect(Command, frozen=True, tag="suspect"):
    """The supervisor's failure detector holds this node to be crashed."""

    node: Name


class Trust(Command, frozen=True, tag="trust"):
    """The supervisor's failure detector trusts this node again."""

    node: Name


class Restore(Command, frozen=True, tag="restore"):
    """The supervisor starts again with these entries."""

    database: tuple[WrittenEntry, ...]


Any = Join | Leave | Issue | Crash | Restart | Suspect | Trust | Restore

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """The command that these bytes write; `UsageError` if they write none."""
    try:
        command: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of the skip ring: {error}.") from error
    if isinstance(command, Restore):
        refuse_disorder("entry", [label for label, _ in command.database])
    return command
