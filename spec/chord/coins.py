"""The one coin of Chord: whom a timeout asks, where the membership names somebody who may be a nearer head."""

from fractions import Fraction

from gomboc.spec.model import CERTAIN, Choice

USUAL = "head"
"""The coin that asks whom a node always asks."""

PEER = "peer "
"""What the name of any other coin begins with; the peer's name follows."""


def coins(usual: str | None, peers: tuple[str, ...]) -> tuple[Choice, ...]:
    """What the coin may show: whom the node always asks, as often as not, or one of the peers.

    Source: decided here
    """
    if len(peers) + (usual is not None) < 2:
        return CERTAIN
    share = Fraction(1, len(peers)) if usual is None else Fraction(1, 2 * len(peers))
    asks_usual = () if usual is None else (Choice(USUAL, Fraction(1, 2)),)
    return (*asks_usual, *(Choice(f"{PEER}{peer}", share) for peer in peers))


def asked_by(choice: Choice, usual: str | None, peers: tuple[str, ...]) -> str | None:
    """Whom the coin says to ask; None if there is nobody."""
    if choice.name.startswith(PEER):
        return choice.name.removeprefix(PEER)
    return usual if usual is not None or not peers else peers[0]
