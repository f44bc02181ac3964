"""The one coin of Chord: the node that a timeout asks, if the membership names a possible nearer head."""

from fractions import Fraction

from gomboc.spec.core.model import CERTAIN, Choice

USUAL = "head"
"""The coin that asks the usual node."""

PEER = "peer "
"""The prefix of the name of any other coin; the peer's name follows."""


def coins(usual: str | None, peers: tuple[str, ...]) -> tuple[Choice, ...]:
    """The results of the coin: the usual node with probability 1/2, or one of the peers.

    Source: decided here
    """
    if len(peers) + (usual is not None) < 2:
        return CERTAIN
    share = Fraction(1, len(peers)) if usual is None else Fraction(1, 2 * len(peers))
    asks_usual = () if usual is None else (Choice(USUAL, Fraction(1, 2)),)
    return (*asks_usual, *(Choice(f"{PEER}{peer}", share) for peer in peers))


def asked_by(choice: Choice, usual: str | None, peers: tuple[str, ...]) -> str | None:
    """The node to ask by the coin; None if there is none."""
    if choice.name.startswith(PEER):
        return choice.name.removeprefix(PEER)
    return usual if usual is not None or not peers else peers[0]
