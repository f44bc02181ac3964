"""Scenes of Skip+: so many rounds from a start, in which everything arrives in order and then all nodes time out."""

from functools import cache

from gomboc.checker.errata.scene import Script, with_rounds
from gomboc.checker.evidence.skip_plus.experiments.rounds import System
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_plus import PROTOCOL


@cache
def variant(name: str) -> Protocol:
    """The protocol with a printed rule."""
    (protocol,) = (erratum.protocol for erratum in PROTOCOL.variants.errata if erratum.name == name)
    return protocol


def rounds(first: System, most: int, name: str | None = None, bound: int | None = None) -> Script:
    """So many rounds from there, by our rules or with a printed one."""
    protocol = PROTOCOL if name is None else variant(name)
    return with_rounds(protocol, Script(first.start(), (), bound), most)
