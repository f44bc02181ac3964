"""The parameters of a ring in the header of a trace."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gomboc.spec.protocols.chord.names import Circle, Ids
from gomboc.spec.types.parameters import read


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of a ring.

    Ids and keys have `bits` bits, and `ids` says where ids come from. A list has `r` successors at most. With `meet`, a
    node also asks peers that the membership names. Without `fingers`, no node keeps or refreshes any.

    Source: Section 2.2.3, init; Stoica et al. 2003, Section IV-E.3; `meet` is ours
    """

    bits: Annotated[int, Meta(ge=1, le=256)] = 256
    ids: Ids = "hash"
    r: Annotated[int, Meta(ge=1, le=256)] = 3
    meet: bool = False
    fingers: bool = True

    @property
    def circle(self) -> Circle:
        """The circle of identifiers."""
        return _circle(self.bits, self.ids)


@cache
def _circle(bits: int, ids: Ids) -> Circle:
    return Circle(bits, ids)


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The parameters in a header. Raises ValueError, in a sentence, if they are invalid."""
    return read(
        header,
        Parameters,
        "bits must be a number from 1 to 256, ids 'hash' or 'number', r a number from 1 to 256, and meet and "
        "fingers true or false",
    )
