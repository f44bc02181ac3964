"""What is asked of a model, whichever engine answers."""

import msgspec

from gomboc.checker.explore.bounds import Bounds
from gomboc.checker.explore.fairness import Coins, Fairness
from gomboc.checker.explore.schedulers import Scheduler


class Question(msgspec.Struct, frozen=True):
    """What to ask of a model: under which scheduler, with which fairness, with whose coins, and how far."""

    scheduler: Scheduler = Scheduler.CENTRAL
    fairness: Fairness = Fairness.WEAK
    coins: Coins = Coins.TOSSED
    bounds: Bounds = Bounds()


DEFAULT = Question()
