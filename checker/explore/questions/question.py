"""Question to a model: the scheduler, its fairness, the resolution of coins, and the bounds of the exploration."""

from enum import Enum

import msgspec

from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.schedulers import Scheduler


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


class Question(msgspec.Struct, frozen=True):
    """A question to a model: under which scheduler, fairness, coins and bounds its promises are judged.

    `numbers`: whether probabilities and expected numbers of steps, of the best and the worst scheduler, are computed.
    """

    scheduler: Scheduler = Scheduler.CENTRAL
    fairness: Fairness = Fairness.WEAK
    coins: Coins = Coins.TOSSED
    bounds: Bounds = Bounds()
    numbers: bool = False


DEFAULT = Question()
