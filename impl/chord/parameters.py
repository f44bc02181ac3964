"""The parameters of a trace's header."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.chord.circle import Circle
from gomboc.impl.errors import UsageError


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Length and origin of ids; length of lists; optional behaviour of nodes.

    With `meet`, a node now and then asks a peer; without `fingers`, it has none; towards each of the `keys`, which are
    hexadecimal, it tells its application the next hop.
    """

    bits: Annotated[int, Meta(ge=1, le=256)] = 256
    ids: Literal["hash", "number"] = "hash"
    r: Annotated[int, Meta(ge=1, le=256)] = 3
    meet: bool = False
    fingers: bool = True
    keys: tuple[str, ...] = ()

    def circle(self) -> Circle:
        """The circle of their ids."""
        return Circle(self.bits, hashed=self.ids == "hash")


def read(values: Mapping[str, object]) -> Parameters:
    """Parameters from JSON values; `UsageError` for invalid values."""
    try:
        parameters = msgspec.convert(dict(values), Parameters)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of Chord: {error}.") from error
    circle = parameters.circle()
    for key in parameters.keys:
        wrong = circle.wrong_key(key)
        if wrong is not None:
            raise UsageError(f"These are not parameters of Chord: {wrong}.")
    return parameters
