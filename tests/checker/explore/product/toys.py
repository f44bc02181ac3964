"""Toys of two nodes, "a" and "b", whose steps are tables, and what is settled of them on local states."""

from collections.abc import Collection, Sequence
from typing import Any

from gomboc.checker.explore.product.settle import Open, Settled, settle
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.spec.core.instance import Instance
from tests.checker.explore.table.protocols import instance_of, tabled

IN_TIME = {("a", 1, None): ((0, ()),), ("b", 0, None): ((0, (("b", 10),)),)}
"""The timeout of "a" leads to what is right, and "b" could go on without it for ever."""


def settled(instance: Instance, fairness: Fairness = Fairness.WEAK, coins: Coins = Coins.TOSSED) -> Settled | Open:
    """What local states tell of an instance, without a bound."""
    return settle(instance, Question(fairness=fairness, coins=coins), BoundWatch(Bounds()))


def toy(
    reactions: Any,
    wrong_locals: Collection[Any] = (),
    wrong_messages: Collection[Any] = (),
    locals_: Sequence[int] = (0, 1),
    messages: Sequence[Any] = (),
    **more: Any,
) -> Instance:
    """The instance of a table of steps, with these local states and messages at first."""
    return instance_of(tabled(reactions, wrong_locals, wrong_messages), locals_, messages, len(messages), **more)


def wrong(node: str, *states: int) -> set[tuple[int, str, int]]:
    """These states of a node are at fault, whatever the authority "a" is in."""
    return {(anchor, node, state) for anchor in range(3) for state in states}
