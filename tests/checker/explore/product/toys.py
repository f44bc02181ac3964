"""Toys of two nodes, "a" and "b", whose steps are tables, and what is known of them by local states alone."""

from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Answers, Open, Settled, answers
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import DEFAULT, Coins, Fairness, Question
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import Instance
from tests.checker.explore.table.protocols import instance_of, tabled

IN_TIME = {("a", 1, None): ((0, ()),), ("b", 0, None): ((0, (("b", 10),)),)}
"""The timeout of "a" leads to what is right, and "b" could go on without it for ever."""


def known(instance: Instance, question: Question = DEFAULT, bounds: Bounds = DEFAULT.bounds) -> Answers:
    """What local states tell of an instance."""
    return answers(instance, question, BoundWatch(bounds))


def settled(instance: Instance, fairness: Fairness = Fairness.WEAK, coins: Coins = Coins.TOSSED) -> Settled | Open:
    """What they tell of its convergence."""
    return known(instance, Question(fairness=fairness, coins=coins)).convergence


def toy(
    reactions: Any,
    wrong_locals: Collection[Any] = (),
    wrong_messages: Collection[Any] = (),
    locals_: Sequence[int] = (0, 1),
    messages: Sequence[Any] = (),
    asleep: int | None = None,
    b: int | None = None,
    **more: Any,
) -> Instance:
    """The instance of a table of steps, with these local states and messages at first.

    A node in the state `asleep` is asleep, and "b" begins in the state `b` if one is given.
    """
    protocol = tabled(reactions, wrong_locals, wrong_messages).changed(asleep=lambda local: local == asleep)
    made = instance_of(protocol, locals_, messages, len(messages), **more)
    return made if b is None else replace(made, locals=(made.locals[0], ("b", "node", OneOf((b,)))))


def wrong(node: str, *states: int) -> set[tuple[int, str, int]]:
    """These states of a node are at fault, whatever the authority "a" is in."""
    return {(anchor, node, state) for anchor in range(3) for state in states}
