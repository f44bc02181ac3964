"""An implementation of the protocol spanning_tree, written from the textbook, without a look at the specification."""

from collections.abc import Mapping

from gomboc.impl import Core, Implementation, RandomSource
from spanning_tree.impl import messages
from spanning_tree.impl.core import Member
from spanning_tree.impl.states import load


def _make(role: str, name: str, value: object, random: RandomSource) -> Core:
    del random
    return Member(role == "root", name, load(value))


ALONE: Mapping[str, object] = {"distance": 0, "parent": None, "registers": []}
IMPLEMENTATION = Implementation(
    name="spanning_tree",
    protocol="spanning_tree",
    make=_make,
    decode=messages.decode,
    blank={"root": ALONE, "node": ALONE},
)
