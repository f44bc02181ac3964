"""The moves of each machine for each combination of the values that it reads: computed twice, to compare."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import msgspec

from gomboc.checker.core.bad_models import BadModelError, blamed, no_answer, shown
from gomboc.checker.core.user_code import FAULTS
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.spec.core.shared_memory import Counted, Machine, SharedMemory

PATIENCE = 1023
"""Number of combinations between two checks of the bounds, less one; one less than a power of two."""

LARGEST = 1 << 31
"""Exclusive bound on the absolute value that a machine adds to the sum of a promise."""


class Local(msgspec.Struct, frozen=True):
    """The answers of one machine, in the order of `product(own values, values of the first that it sees, ...)`.

    - `places`: the positions of those values in a state, the machine's own first
    - `moves`: for each combination the indices, among the machine's values, of those that it may move to
    - `counts`: for each promise, the number that each combination adds to its sum
    """

    places: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    counts: tuple[tuple[int, ...], ...]


def asked(memory: SharedMemory, insist: Callable[[], None] = go_on) -> tuple[Local, ...]:
    """The answers of every machine. Raises BadModelError if one cannot be trusted.

    `insist` is called repeatedly, and may raise.
    """
    return tuple(_asked(memory, machine, insist) for machine in memory.machines)


def insist_on_sense(memory: SharedMemory) -> None:
    """Raise BadModelError if names or values of a shared memory are inconsistent."""
    why = _tried(memory, memory.misstated, "while its names and values are read")
    if why:
        raise BadModelError(memory.name, why, None, "as it is stated")


def _asked(memory: SharedMemory, machine: Machine, insist: Callable[[], None]) -> Local:
    numbers = {value: number for number, value in enumerate(machine.values)}
    views = list(_views(memory, machine, insist))
    moves = tuple(_moves(memory, machine, numbers, view) for view in views)
    counts = tuple(tuple(_count(memory, promise, machine, view) for view in views) for promise in memory.promises)
    return Local(memory.places(machine), moves, counts)


def _views(memory: SharedMemory, machine: Machine, insist: Callable[[], None]) -> Iterator[tuple[Any, ...]]:
    domains = [memory.machines[index].values for index in memory.places(machine)]
    for number, view in enumerate(product(*domains)):
        if not number & PATIENCE:
            insist()
        yield view


def _moves(memory: SharedMemory, machine: Machine, numbers: dict[Any, int], view: tuple[Any, ...]) -> tuple[int, ...]:
    where = f"for the machine {machine.name}, which sees {shown(view)}"
    first = _tried(memory, lambda: dict(machine.moves(*view)), where)
    again = _tried(memory, lambda: dict(machine.moves(*view)), where)
    if list(first.items()) != list(again.items()):
        raise BadModelError(memory.name, "has moves that are others when they are asked for again", view, where)
    strange = _tried(memory, lambda: [value for value in first.values() if value not in numbers], where)
    if strange:
        raise BadModelError(memory.name, f"moves to {shown(strange[0])}, which is no value of the machine", view, where)
    return tuple(numbers[value] for value in first.values())


def _count(memory: SharedMemory, promise: Counted, machine: Machine, view: tuple[Any, ...]) -> int:
    where = f"for the machine {machine.name}, which sees {shown(view)}"
    count = _tried(memory, lambda: promise.counts(machine, *view), where)
    if not isinstance(count, int) or abs(count) >= LARGEST:
        problem = f"counts {shown(count)} for the promise {promise.name}, and no whole number below {LARGEST:,}"
        raise BadModelError(memory.name, problem, view, where)
    return int(count)


def holds(memory: SharedMemory, promise: Counted, total: int) -> bool:
    """Whether a promise holds for a sum. Raises BadModelError if it does not answer True or False."""
    where = f"for the sum {total}"
    answer: object = _tried(memory, lambda: promise.holds(total), where)
    if answer is not True and answer is not False:
        raise BadModelError(memory.name, no_answer(promise.name, answer), None, where)
    return answer


def _tried(memory: SharedMemory, call: Callable[[], Any], where: str) -> Any:
    try:
        return call()
    except FAULTS as error:
        raise blamed(error, memory.name, "raises", None, where) from error
