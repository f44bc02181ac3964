"""What an application may ask of its broker, what the failure detector says, and what befalls a broker."""

import msgspec
from msgspec import Struct

from gomboc.impl.delta_fault_tolerance.filters import Attributes, Filter, wrong_attributes, wrong_filter
from gomboc.impl.delta_fault_tolerance.names import Name
from gomboc.impl.errors import UsageError


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What every command is."""


class Publish(Command, frozen=True):
    """The client publishes."""

    attributes: Attributes


class Subscribe(Command, frozen=True):
    """The client wants what matches this filter."""

    filter: Filter


class Unsubscribe(Command, frozen=True):
    """The client does not want it any more."""

    filter: Filter


class Join(Command, frozen=True):
    """A broker that is outside becomes a leaf of the tree."""


class Crash(Command, frozen=True):
    """The broker fails: it keeps its incarnation, its place in the tree, and its client's subscriptions."""


class Restart(Command, frozen=True):
    """A broker that has failed begins to recover."""


class Down(Command, frozen=True):
    """The failure detector says that this broker has failed."""

    node: Name


Any = Publish | Subscribe | Unsubscribe | Join | Crash | Restart | Down

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """The command that bytes write; `UsageError` for bytes that write none."""
    try:
        command: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of delta-fault-tolerance: {error}.") from error
    wrong: str | None = None
    match command:
        case Publish(attributes):
            wrong = wrong_attributes(attributes)
        case Subscribe(predicates) | Unsubscribe(predicates):
            wrong = wrong_filter(predicates)
    if wrong is not None:
        raise UsageError(f"This is not a command of delta-fault-tolerance: {wrong}.")
    return command
