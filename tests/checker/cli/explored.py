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


def four_machines_with_two_values() -> Any:
    return token_ring(4, 2)


def four_machines_in_memory() -> Any:
    return token_ring_in_memory(4, 3)


def four_machines_with_two_values_in_memory() -> Any:
    return token_ring_in_memory(4, 2)


def four_machines_that_flicker() -> Any:
    turns = iter(range(1000))
    ring = token_ring_in_memory(4, 3)
    first = replace(ring.machines[0], moves=lambda own, last: {"count": next(turns) % 3})
    return replace(ring, machines=(first, *ring.machines[1:]))


def with_arguments(number: int) -> Any:
    return counter(number)


def raising() -> None:
    raise RuntimeError("not today")


def without_a_start() -> Any:
    return counter(initial=lambda: ())


def without_a_promise() -> Any:
    return counter(promises=())


def _doing(what: Any) -> Any:
    return counter(step=lambda state, action: what())


def _interrupt() -> None:
    raise KeyboardInterrupt


def leaving_in_step() -> Any:
    return _doing(lambda: sys.exit(0))


def interrupting_in_step() -> Any:
    return _doing(_interrupt)


def dying_in_step() -> Any:
    return _doing(lambda: os._exit(0))


def leaving() -> None:
    sys.exit(0)


def dying() -> None:
    os._exit(0)


def leaving_in_rights() -> Closure:
    return Closure(linear.protocol, lambda: sys.exit(0), lambda start: (), "none")


def _weighed(*chances: Any) -> Any:
    """Both sides of a coin lead on, with those chances."""
    return counter(
        enabled=lambda state: tuple(enumerate(chances)) if state < 3 else (),
        step=lambda state, action: state + 1,
        pick=lambda action: "coin",
        chance=lambda action: action[1],
    )


def uneven() -> Any:
    return _weighed(Fraction(1, 2), Fraction(1, 4))


def negative() -> Any:
    return _weighed(Fraction(-1, 4), Fraction(5, 4))


def uneven_protocol() -> Any:
    half = (Choice("half", Fraction(1, 2)),)
    return replace(linear, protocol=linear.protocol.changed(choices=lambda me, local, taken: half))


def flickering() -> Any:
    turns = iter(range(1000))
    return counter(step=lambda state, action: 1 + next(turns) % 3)


def flickering_protocol() -> Any:
    turns = iter(range(1_000_000))

    def react(me: str, local: Any, taken: Any, choice: Choice) -> Any:
        return linear.protocol.actor.react(me, local, taken, choice) if next(turns) % 3 else Outcome(local)

    return replace(linear, protocol=linear.protocol.changed(react=react))


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


def a_step_that_raises() -> Any:
    return counter(step=step_of_two)


def fairness_that_raises() -> Any:
    return counter(enabled=lambda state: ("more",), step=lambda state, action: 0, fair=lambda action: action.turns)


def in_rounds() -> Any:
    """An instance of a synchronous protocol with nodes that hear nothing: so their receipts commute."""
    react = linear.protocol.actor.react

    def deaf(me: str, local: Any, taken: Any, choice: Choice) -> Any:
        return react(me, local, taken, choice) if isinstance(taken, Timeout) else Outcome(local)

    return replace(linear, protocol=linear.protocol.changed(discipline=Discipline.ROUNDS, react=deaf))


def short() -> Any:
    """An instance whose channels hold fewer messages than its nodes send."""
    return replace(linear, in_flight=1, most=1)


def short_from_the_start() -> Any:
    """An instance that starts with more messages in flight than its bound."""
    return replace(linear, in_flight=2, most=1)


def short_of_copies() -> Any:
    """An instance that starts with more copies of a message than its exact channels hold."""
    return replace(linear, in_flight=2, coalesce=False)


def without_nodes() -> Any:
    return replace(linear, locals=())


def alike_to_none() -> Any:
    return replace(linear, alike=("1", "z"))


def without_room() -> Any:
    return replace(linear, most=0)


def without_copies() -> Any:
    return replace(linear, copies=0)


def _ruled(**parts: Any) -> Any:
    return replace(linear, protocol=linear.protocol.changed(**parts))


def in_order() -> Any:
    return _ruled(discipline=Discipline.FIFO)


def not_commuting() -> Any:
    return _ruled(discipline=Discipline.ROUNDS, commuting=False)


def alike_with_promises() -> Any:
    return replace(_ruled(always=(Always("kept", "nowhere", lambda states, in_flight: ()),)), alike=("1", "2"))


def alike_in_rounds() -> Any:
    return replace(in_rounds(), alike=("1", "2"))
