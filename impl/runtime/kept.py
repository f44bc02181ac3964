"""The value kept of a node with filters, from which it comes back after a crash."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.runtime.starts import Start


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of the node's last start, the latest starts of its peers, and the state that a crash leaves."""

    node: str
    agreement: str
    start: Annotated[int, Meta(ge=0)]
    peers: dict[str, Start]
    left: object


def kept_of(name: str, agreement: str, written: object) -> Kept:
    """The value kept of this node under this agreement. Raises `UsageError` for any other value."""
    try:
        kept = msgspec.convert(written, Kept)
    except msgspec.ValidationError as error:
        raise UsageError(f"This was not kept of a node: give the `kept` value of {name}.") from error
    if kept.node != name:
        raise UsageError(
            f"This was kept of {kept.node!r}, and not of {name!r}: give the value that was kept of {name!r}."
        )
    if kept.agreement != agreement:
        raise UsageError(f"This was kept under {kept.agreement}, and {name} has {agreement}: give it the same.")
    return kept
