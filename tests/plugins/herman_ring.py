"""Herman's ring: every machine looks at the one before, all at once; one that holds a token tosses a coin.

Source: T. Herman, Probabilistic self-stabilization, IPL 35(2), 1990
"""

from fractions import Fraction
from functools import cache
from itertools import product

from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Kind, Model, Promise

Bits = tuple[bool, ...]


def tokens(bits: Bits) -> tuple[int, ...]:
    """The machines that hold a token: their bit equals that of the machine before."""
    return tuple(machine for machine in range(len(bits)) if bits[machine] == bits[machine - 1])


def rounds(bits: Bits) -> tuple[Bits, ...]:
    """Every way in which the coins of the machines with tokens may fall."""
    return tuple(product((False, True), repeat=len(tokens(bits))))


def step(bits: Bits, coins: Bits) -> Bits:
    """The ring after a round: with a token one's coin, without one the bit of the machine before."""
    after = [bits[machine - 1] for machine in range(len(bits))]
    for machine, coin in zip(tokens(bits), coins, strict=True):
        after[machine] = coin
    return tuple(after)


def herman_ring(machines: int) -> Model:
    """An odd number of machines; all act in every round, so that chance alone decides."""

    def one_token(bits: Bits) -> bool:
        return len(tokens(bits)) == 1

    return Model(
        name="herman_ring",
        initial=lambda: product((False, True), repeat=machines),
        enabled=rounds,
        step=step,
        actor=lambda coins: "everybody",
        promises=(
            Promise(Kind.STABLE, "closure", one_token, "Herman 1990"),
            Promise(Kind.EVENTUALLY, "convergence", one_token, "Herman 1990"),
        ),
        pick=lambda coins: "a round",
        chance=lambda coins: Choice("coins", Fraction(1, 2 ** len(coins))).probability,
    )


def turned_ring(machines: int) -> Model:
    """The same ring up to rotation, and up to the exchange of both bits: neither changes the tokens' distances."""
    whole = herman_ring(machines)

    @cache
    def first(bits: Bits) -> Bits:
        """The first of the rings that are this one, turned, with the bits exchanged or not."""
        other = tuple(not bit for bit in bits)
        return min(ring[turn:] + ring[:turn] for ring in (bits, other) for turn in range(machines))

    return replace(
        whole,
        initial=lambda: dict.fromkeys(map(first, whole.initial())),
        step=lambda bits, coins: first(step(bits, coins)),
    )
