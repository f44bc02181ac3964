"""Claims: that a node has a label."""

from functools import lru_cache

from msgspec import Struct

from gomboc.impl.protocols.skip_ring import labels


class Claim(Struct, frozen=True, gc=False):
    """That `node` has `label`, true or not; `written` is the same as messages and traces write it."""

    label: int
    node: str
    written: tuple[str, str]


@lru_cache(1 << 16)
def heard(written: tuple[str, str]) -> Claim:
    """The claim that a message or a state makes; `PeerError` if its label is not canonical."""
    return Claim(labels.from_text(written[0]), written[1], written)


def claim(label: int, node: str) -> Claim:
    """The claim that `node` has `label`."""
    return heard((labels.to_text(label), node))
