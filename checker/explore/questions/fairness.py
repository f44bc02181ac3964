"""Assumptions about a scheduler: its fairness to each class of actions, and the resolution of coins."""

from enum import Enum


class Fairness(Enum):
    """Fairness of a scheduler to each class of actions."""

    NONE = "none"
    """No assumption: any run counts."""
    WEAK = "weak"
    """A class takes a turn if from some point on one is enabled in every state."""
    STRONG = "strong"
    """A class takes a turn if one is enabled infinitely often."""


class Coins(Enum):
    """Resolution of coin tosses."""

    TOSSED = "tossed"
    """By chance, independently each time; claims hold with probability 1."""
    ADVERSARY = "adversary"
    """By the scheduler; claims hold for all results of the coins."""


def in_words(fairness: Fairness, coins: Coins, tosses: bool) -> str:
    """The set of runs that a claim is about, as text."""
    kind = {
        Fairness.NONE: "every run",
        Fairness.WEAK: "every weakly fair run",
        Fairness.STRONG: "every strongly fair run",
    }[fairness]
    if not tosses:
        return kind
    return f"{kind}, " + ("with probability 1" if coins is Coins.TOSSED else "however the coins fall")
