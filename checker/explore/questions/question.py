"""The question to a model, common to all engines."""

import msgspec

from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.fairness import Coins, Fairness
from gomboc.checker.explore.questions.schedulers import Scheduler


class Question(msgspec.Struct, frozen=True):
    """A question to a model: under which scheduler, fairness, coins and bounds its promises are judged."""

    scheduler: Scheduler = Scheduler.CENTRAL
    fairness: Fairness = Fairness.WEAK
    coins: Coins = Coins.TOSSED
    bounds: Bounds = Bounds()


DEFAULT = Question()
