"""Models that the tests explore by the name of this module: good ones, and one for each way to be bad."""

import os
import sys
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Kind, Model, Outcome, Promise, Timeout
from gomboc.spec.core.pinned import Closure
from gomboc.spec.core.promises import Always
from gomboc.spec.core.protocol import Discipline
from tests.plugins.dijkstra_rings import token_ring, token_ring_in_memory
from tests.plugins.linearisation import linearisation

NUMBER = 5
linear = linearisation(1)


def counter(most: int = 3, **parts: Any) -> Model:
    """Counts to `most` and stays there, which it promises to reach."""
    promises = (
        Promise(Kind.STABLE, "closure", lambda state: state == most, "nowhere"),
        Promise(Kind.EVENTUALLY, "convergence", lambda state: state == most, "nowhere"),
    )
    whole = {
        "initial": lambda: range(most),
        "enabled": lambda state: ("more",) if state < most else (),
        "step": lambda state, action: state + 1,
        "actor": lambda action: "one",
        "promises": promises,
    }
    return Model("counter", **{**whole, **parts})


COUNTER = counter()


def four_machines() -> Any:
    return token_ring(4, 3)


four_machines_with_two_values = token_ring(4, 2)
four_machines_in_memory = token_ring_in_memory(4, 3)
four_machines_with_two_values_in_memory = token_ring_in_memory(4, 2)


def four_machines_that_flicker() -> Any:
    turns, ring = iter(range(1000)), four_machines_in_memory
    first = replace(ring.machines[0], moves=lambda own, last: {"count": next(turns) % 3})
    return replace(ring, machines=(first, *ring.machines[1:]))


def with_arguments(number: int) -> Any:
    return counter(number)


def raising() -> None:
    raise RuntimeError("not today")


def leaving() -> None:
    sys.exit(0)


def dying() -> None:
    os._exit(0)


def _interrupt() -> None:
    raise KeyboardInterrupt


without_a_start = counter(initial=lambda: ())
without_a_promise = counter(promises=())
leaving_in_step = counter(step=lambda state, action: leaving())
interrupting_in_step = counter(step=lambda state, action: _interrupt())
dying_in_step = counter(step=lambda state, action: dying())
leaving_in_rights = Closure(linear.protocol, lambda: sys.exit(0), lambda start: (), "none")


def _weighed(*chances: Any) -> Any:
    """Both sides of a coin lead on, with those chances."""
    return counter(
        enabled=lambda state: tuple(enumerate(chances)) if state < 3 else (),
        step=lambda state, action: state + 1,
        pick=lambda action: "coin",
        chance=lambda action: action[1],
    )


def _ruled(**parts: Any) -> Any:
    return replace(linear, protocol=linear.protocol.changed(**parts))


HALF = (Choice("half", Fraction(1, 2)),)
uneven = _weighed(Fraction(1, 2), Fraction(1, 4))
negative = _weighed(Fraction(-1, 4), Fraction(5, 4))
uneven_protocol = _ruled(choices=lambda me, local, taken: HALF)


def flickering() -> Any:
    turns = iter(range(1000))
    return counter(step=lambda state, action: 1 + next(turns) % 3)


def flickering_protocol() -> Any:
    turns = iter(range(1_000_000))

    def react(me: str, local: Any, taken: Any, choice: Choice) -> Any:
        return linear.protocol.actor.react(me, local, taken, choice) if next(turns) % 3 else Outcome(local)

    return _ruled(react=react)


def loop() -> Any:
    """Goes round for ever, through states of every kind that a file must be able to hold."""
    states = [
        (1, True, None, "a", Kind.ALWAYS),
        (1 << 60, frozenset({2, 1}), Fraction(1, 2)),
        Pair(1, ("b",)),
    ]
    return counter(
        initial=lambda: states[:1],
        enabled=lambda state: ("on",),
        step=lambda state, action: states[(states.index(state) + 1) % 3],
        promises=(Promise(Kind.EVENTUALLY, "convergence", lambda state: False, "nowhere"),),
    )


class Pair(msgspec.Struct, frozen=True):
    """A record."""

    one: int
    other: tuple


def step_of_two(state: Any, action: Any) -> Any:
    if state == 2:
        raise ValueError("two is too many")
    return state + 1


a_step_that_raises = counter(step=step_of_two)
fairness_that_raises = counter(
    enabled=lambda state: ("more",), step=lambda state, action: 0, fair=lambda action: action.turns
)


def deaf(me: str, local: Any, taken: Any, choice: Choice) -> Any:
    """The reaction of nodes that hear nothing: so their receipts commute."""
    return linear.protocol.actor.react(me, local, taken, choice) if isinstance(taken, Timeout) else Outcome(local)


in_rounds = _ruled(discipline=Discipline.ROUNDS, react=deaf)
in_order = _ruled(discipline=Discipline.FIFO)
not_commuting = _ruled(discipline=Discipline.ROUNDS, commuting=False)

short = replace(linear, in_flight=1, most=1)
"""An instance whose channels hold fewer messages than its nodes send."""
short_from_the_start = replace(linear, in_flight=2, most=1)
"""An instance that starts with more messages in flight than its bound."""
short_of_copies = replace(linear, in_flight=2, coalesce=False)
"""An instance that starts with more copies of a message than its exact channels hold."""

without_nodes = replace(linear, locals=())
without_room = replace(linear, most=0)
without_copies = replace(linear, copies=0)
alike_to_none = replace(linear, alike=("1", "z"))
alike_in_rounds = replace(in_rounds, alike=("1", "2"))
alike_with_promises = replace(
    _ruled(always=(Always("kept", "nowhere", lambda states, in_flight: ()),)), alike=("1", "2")
)
