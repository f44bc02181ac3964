"""The parameters of a trace's header, and the types of fields with conditions that depend on them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from gomboc.impl.core.counting import counted
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Fault, Rule, check_of, convert
from gomboc.impl.protocols.chord.circle import Circle

Key = Annotated[str, Rule(lambda key, parameters: parameters.circle.wrong_key(key))]


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Length and origin of ids; length of lists; optional behaviour of nodes.

    With `meet`, a node now and then asks a peer; without `fingers`, it has none.
    """

    bits: Annotated[int, Meta(ge=1, le=256)] = 256
    ids: Literal["hash", "number"] = "hash"
    r: Annotated[int, Meta(ge=1, le=256)] = 3
    meet: bool = False
    fingers: bool = True

    @property
    def circle(self) -> Circle:
        """The circle of their ids."""
        return _circle(self.bits, self.ids == "hash")

    def wrong_finger(self, number: int) -> Fault:
        """The reason why no finger has this number."""
        none = f"there is no finger {number}, since ids have {counted(self.bits, 'bit')}"
        return none if number >= self.bits else None

    def wrong_successors(self, successors: tuple[str, ...]) -> Fault:
        """The reason why these are no list of successors."""
        if len(successors) > self.r:
            return f"it has {counted(len(successors), 'successor')}, and lists have {self.r} at most"
        # Whether they are nearest first is not asked: an order is what a corrupted list has lost.
        return "it has a successor twice" if len(set(successors)) < len(successors) else None


@lru_cache(maxsize=64)
def _circle(bits: int, hashed: bool) -> Circle:
    return Circle(bits, hashed=hashed)


NodeName = Annotated[Name, Rule(lambda name, parameters: parameters.circle.wrong_name(name))]
Finger = Annotated[int, Meta(ge=0), Rule(lambda number, parameters: parameters.wrong_finger(number))]
Successors = Annotated[
    tuple[NodeName, ...], Rule(lambda successors, parameters: parameters.wrong_successors(successors))
]
"""Nodes, nearest first."""


def read(values: Mapping[str, object]) -> Parameters:
    """Parameters from JSON values; `UsageError` for invalid values."""
    refusal = "These are not parameters of Chord"
    return convert(dict(values), Parameters, refusal, lambda read: check_of(Parameters, read)(read))
