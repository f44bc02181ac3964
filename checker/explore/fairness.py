"""What a scheduler owes to whom, and who decides how coins fall."""

from enum import Enum


class Fairness(Enum):
    """What a scheduler owes to each class of actions."""

    NONE = "none"
    """Nothing: any run counts."""
    WEAK = "weak"
    """A turn, if from some point on one is possible in every state."""
    STRONG = "strong"
    """A turn, if one is possible again and again."""


class Coins(Enum):
    """Who decides how coins fall."""

    TOSSED = "tossed"
    """Chance, independently each time; what is claimed holds with probability 1."""
    ADVERSARY = "adversary"
    """The scheduler; what is claimed holds however they fall."""


def in_words(fairness: Fairness, coins: Coins, tosses: bool) -> str:
    """The runs that a claim is made of."""
    kind = {
        Fairness.NONE: "every run",
        Fairness.WEAK: "every weakly fair run",
        Fairness.STRONG: "every strongly fair run",
    }[fairness]
    if not tosses:
        return kind
    return f"{kind}, " + ("with probability 1" if coins is Coins.TOSSED else "however the coins fall")
