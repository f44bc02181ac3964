"""Calls to a protocol that is not trusted yet: faults of its steps and predicates raise BadModelError."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeVar

import msgspec

from gomboc.checker.core.bad_models import CHANGES, FLICKERS, BadModelError, blamed, shown, why_no_chances
from gomboc.checker.core.user_code import FAULTS
from gomboc.spec.core.guarded import outcome_fault
from gomboc.spec.core.instance import Instance, is_idle
from gomboc.spec.core.model import CERTAIN, Input, Outcome
from gomboc.spec.core.protocol import Protocol, Start

Answer = TypeVar("Answer")


def hashed(protocol: Protocol, value: Any) -> Any:
    """The value. Raises BadModelError if it cannot be hashed."""
    try:
        hash(value)
    except FAULTS as error:
        raise blamed(error, protocol.name, "has a value that cannot be hashed", value) from error
    return value


def asked(protocol: Protocol, name: str, question: Callable[[], Answer], about: Any) -> Answer:
    """The answer of a protocol. Raises BadModelError if it raises; `name` and `about` are its function and argument."""
    try:
        return question()
    except FAULTS as error:
        raise blamed(error, protocol.name, f"raises in {name}", about) from error


def observed(protocol: Protocol, node: str, seen: tuple[Any, ...], outcome: Outcome) -> tuple[tuple[Any, ...], int]:
    """The state of each observer after a step, and a bit for each that finds a fault.

    Raises BadModelError if an observer raises, or its state cannot be hashed.
    """
    if not outcome.delivered or not seen:
        return seen, 0
    return asked(protocol, "observe", lambda: _observed(protocol, node, seen, outcome), outcome.delivered)


def _observed(protocol: Protocol, node: str, seen: tuple[Any, ...], outcome: Outcome) -> tuple[tuple[Any, ...], int]:
    after, broken = list(seen), 0
    for index, observer in enumerate(protocol.promises.observers):
        for delivered in outcome.delivered:
            after[index], faults = observer.observe(node, after[index], msgspec.to_builtins(delivered))
            broken |= bool(faults) << index
    hash(tuple(after))
    return tuple(after), broken


def some_starts(instance: Instance, remaining: Iterator[Start], most: int) -> list[Start]:
    """The next starts of an instance. Raises BadModelError if the instance raises."""
    try:
        return list(islice(remaining, most))
    except FAULTS as error:
        raise blamed(error, instance.protocol.name, "raises in admits", None, "while its starts are built") from error


def outcomes(
    protocol: Protocol, node: str, local: Any, taken: Input, ask_again: bool = False, idle_counts: bool = False
) -> list[Outcome]:
    """The results of an input, one for each result of its coins; empty if it is no step, unless that counts.

    Raises BadModelError if the protocol raises, changes the state, returns a value that cannot be hashed, answers
    differently if it is asked again, or if the chances of its coins do not add up to 1.
    """
    # As it is before the step, which may change it; the text of a frozen value is hardly ever asked for, and costly.
    before, text = hash(local), "" if _is_frozen(local) else shown(local)

    def where() -> str:
        return f"when node {node!r} takes {shown(taken)} in the state {text or shown(local)}"

    try:
        idle = not idle_counts and is_idle(protocol, node, local, taken)
        coins = () if idle else protocol.actor.choices(node, local, taken)
        results = [protocol.actor.react(node, local, taken, choice) for choice in coins]
        again = [protocol.actor.react(node, local, taken, choice) for choice in coins] if ask_again else results
        wrong = next(filter(None, map(outcome_fault, results)), "")
        if not wrong:
            hash(tuple((outcome.local, outcome.sends) for outcome in results))
        changed = hash(local) != before
        flickers = again != results
    except FAULTS as error:
        raise blamed(error, protocol.name, "raises in a step", local, where()) from error
    problem = f"answers {shown(results)}: {wrong}" if wrong else CHANGES if changed else FLICKERS if flickers else ""
    if coins is not CERTAIN:
        problem = problem or why_no_chances(("these coins", choice.probability) for choice in coins)
    if problem:
        raise BadModelError(protocol.name, problem, local, where())
    return results


def _is_frozen(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, msgspec.Struct) and value.__struct_config__.frozen)


def is_faultless(protocol: Protocol, name: str, faults: Callable[..., object], *arguments: Any) -> bool:
    """Whether a predicate of a protocol finds no fault. Raises BadModelError if it raises or returns no tuple."""
    try:
        answer = faults(*arguments)
    except FAULTS as error:
        raise blamed(error, protocol.name, f"raises in {name}", arguments[-1]) from error
    if not isinstance(answer, tuple):
        problem = f"has a predicate {name} that answers {answer!r}, not a tuple of faults"
        raise BadModelError(protocol.name, problem, arguments[-1])
    return not answer
