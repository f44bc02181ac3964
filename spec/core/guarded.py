"""Checks on the functions of a protocol that is not ours: a mistake of a function is reported as that protocol's fault.

The functions of our protocols are trusted, since the tests check the same of them. Each function is called twice with
the same arguments at its first calls, and at one of many later calls: checking every call would double the cost of
every step.
"""

import math
import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial, wraps
from itertools import count
from typing import Any, NamedTuple, Never

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from gomboc.spec.core.domain import Bag, OneOf, Record, Table, Union
from gomboc.spec.core.model import Choice, Fault, Offer, Outcome, Send
from gomboc.spec.core.protocol import RECORDS, Cited, Protocol, Start

FIRST_CALLS = 256
"""The number of first calls of each function that are checked in full."""

LATER_CALLS = 64
"""Of later calls, one in this many is checked in full."""

WATCHED = "watched by gomboc"
"""The attribute that marks a watched function."""

SHOWN = 160
"""The most characters of a value that a message shows."""


class ProtocolFaultError(Exception):
    """A function of a protocol broke a rule for such functions; the message is a sentence without its full stop."""


def no_reason(answer: Any) -> str:
    """No reason: for an answer that is of another type altogether."""
    del answer
    return ""


def outcome_fault(outcome: Any) -> str:
    """The field of an Outcome that is wrong, and how it must be, in words; empty if there is none."""
    if not isinstance(outcome, Outcome):
        return ""
    for field in ("sends", "delivered"):
        value = getattr(outcome, field)
        if not isinstance(value, tuple):
            return f"its {field} must be a tuple, not a {type(value).__name__}"
    sends: tuple[object, ...] = outcome.sends
    wrong = (f"and one is {_short(send)}" for send in sends if not isinstance(send, Send))
    return next((f"its sends must be of type Send, {one}" for one in wrong), "")


class Requirement(NamedTuple):
    """Requirements on one function: its return value, in words and as a test, and the exceptions that it may raise.

    `again`: the function is called twice and must answer the same; False where answers cannot be compared, such as
    domains and anchors of any type. `takes_values`: its arguments are states and messages, which must be hashable.
    `keeps`: its answer is kept, so it must be hashable. `why`: the part of an answer that is wrong, in words.
    `renames`: a mapping among its arguments is a renaming, and none of these values.
    """

    returns: str
    right: Callable[[Any], bool]
    raises: tuple[type[Exception], ...] = ()
    again: bool = True
    takes_values: bool = False
    keeps: bool = False
    why: Callable[[Any], str] = no_reason
    renames: bool = False


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _all(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, tuple) and all(isinstance(element, kind) for element in value)


def _is_outcome(value: Any) -> bool:
    return isinstance(value, Outcome) and not outcome_fault(value)


def _is_choices(value: Any) -> bool:
    return bool(value) and _all(Choice)(value)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_observation(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and _all(Fault)(value[1])


def _is_domain(value: Any) -> bool:
    return isinstance(value, OneOf | Union | Record | Table | Bag)


def _is_sentence(value: Any) -> bool:
    return value is None or isinstance(value, str)


FAULTS = Requirement("a tuple of Fault", _all(Fault))
DOMAIN = Requirement("a domain", _is_domain, again=False)
KEPT = Requirement("a hashable value", _is(Hashable), takes_values=True, keeps=True)
OBSERVATION = Requirement("a pair of the observer's state and a tuple of Fault", _is_observation)
CONFIGURED = Requirement("a Protocol", _is(Protocol), (ValueError,), again=False)

RULES = {
    "react": Requirement("an Outcome", _is_outcome, (ValueError,), takes_values=True, why=outcome_fault),
    "choices": Requirement("a tuple of Choices, not empty", _is_choices, (ValueError,), takes_values=True),
    "rule": Requirement("a Cited", _is(Cited), (KeyError,), takes_values=True),
    "fired": Requirement("a tuple of Cited", _all(Cited), (KeyError,), takes_values=True),
    "malformed": FAULTS._replace(takes_values=True),
    "anchor": Requirement("anything", _is(object), again=False),
    "anchor_faults": FAULTS,
    "node_faults": FAULTS,
    "message_faults": FAULTS,
    "premise": FAULTS,
    "assumption": FAULTS,
    "misreports": FAULTS,
    "space": DOMAIN,
    "disturbances": DOMAIN,
    "start": Requirement("a Start", _is(Start)),
    "bound": Requirement("a whole number of rounds, 0 or more", _is_count),
    "edges": Requirement("a tuple", _is(tuple)),
    "asleep": Requirement("True or False", _is(bool), takes_values=True),
    "share": KEPT,
    "projection": KEPT,
    "misnamed": Requirement("a text or None", _is_sentence),
    "named": Requirement("a tuple of texts", _all(str), takes_values=True),
    "renamed": KEPT._replace(takes_values=True, renames=True),
    "offers": Requirement("a tuple of Offer", _all(Offer)),
}
"""The requirements on each function that a protocol states."""


def watch(protocol: Protocol, reference: str) -> None:
    """Have each function of the protocol watched from now on; `reference` is the caller's name for it.

    From then on, ProtocolFaultError is raised for a function that raises, that returns a value of another type or one
    that cannot be kept, that returns another value for the same arguments, or that changes its arguments.
    """
    # In place, although it is frozen: the models of the caller's module refer to this very object. Its records may be
    # those of another protocol, too, and stay as they are.
    for name in RECORDS:
        record = getattr(protocol, name)
        checked = {
            field: watched(function, f"{reference}: {field}", RULES[field]) for field, function in _stated(record)
        }
        force_setattr(protocol, name, replace(record, **checked))
    variants = replace(protocol.variants, configured=_configured(protocol.variants.configured, reference))
    force_setattr(protocol, "variants", variants)
    for promise in protocol.promises.always:
        force_setattr(promise, "faults", watched(promise.faults, f"{reference}: {promise.name}", FAULTS))
        force_setattr(
            promise, "projection", watched(promise.projection, f"{reference}: {promise.name}: projection", KEPT)
        )
    for observer in protocol.promises.observers:
        force_setattr(observer, "observe", watched(observer.observe, f"{reference}: {observer.name}", OBSERVATION))
    for erratum in protocol.variants.errata:
        watch(erratum.protocol, reference)


def unwatched(protocol: Protocol) -> Protocol:
    """The protocol with its functions as they are, for values that have no digest."""
    records = {}
    for name in RECORDS:
        record = getattr(protocol, name)
        inner = {field: function.__wrapped__ for field, function in _stated(record) if hasattr(function, WATCHED)}
        if inner:
            records[name] = replace(record, **inner)
    return replace(protocol, **records) if records else protocol


def _stated(record: Any) -> Iterator[tuple[str, Any]]:
    """The functions of a record that have requirements, by field."""
    return ((field, getattr(record, field)) for field in record.__struct_fields__ if field in RULES)


def is_ours(function: Any) -> bool:
    """Whether a function or type is defined in gomboc; parameters may be bound to it by `functools.partial`."""
    defined = function.func if isinstance(function, partial) else function
    return (getattr(defined, "__module__", None) or "").startswith("gomboc.")


def _configured(function: Any, reference: str) -> Any:
    """The function that configures a protocol; the protocols that it returns are watched, too."""
    asked = watched(function, f"{reference}: configured", CONFIGURED)
    if asked is function:
        return function

    @wraps(asked)
    def watching(parameters: Mapping[str, Any]) -> Protocol:
        protocol: Protocol = asked(parameters)
        watch(protocol, reference)
        return protocol

    return watching


def watched(function: Any, name: str, rule: Requirement) -> Any:
    """The function, wrapped to raise ProtocolFaultError where it breaks `rule`.

    None, our functions, and functions that are watched already are returned unchanged.
    """
    if function is None or is_ours(function) or hasattr(function, WATCHED):
        return function
    called = count()

    @wraps(function)
    def watching(*arguments: Any) -> Any:
        number = next(called)
        if number >= FIRST_CALLS and number % LATER_CALLS:
            return _answer(function, name, rule, arguments)
        before = _digests(name, rule, arguments)
        answer = _answer(function, name, rule, arguments)
        _check_kept(name, rule, arguments, answer)
        if before != _digests(name, rule, arguments):
            raise ProtocolFaultError(f"{name}{_shown(arguments)} changes its argument: have it answer with a new value")
        if rule.again and _answer(function, name, rule, arguments) != answer:
            says = "gives two answers to the same question: have it depend on its arguments alone, and state its coins"
            raise ProtocolFaultError(f"{name}{_shown(arguments)} {says}")
        return answer

    setattr(watching, WATCHED, True)
    return watching


def _answer(function: Callable[..., Any], name: str, rule: Requirement, arguments: tuple[Any, ...]) -> Any:
    """The function's answer.

    An exception that it may not raise becomes ProtocolFaultError, and it cannot end the process.
    """
    leave, os._exit = os._exit, _refuse
    try:
        answer = function(*arguments)
    except rule.raises:
        raise
    except BaseException as error:
        if is_ours(type(error)) or _is_interrupt(error):
            raise
        raised = f"{type(error).__name__}: {error}".rstrip(": ")
        raise ProtocolFaultError(f"{name}{_shown(arguments)} raises {raised}: fix it") from error
    finally:
        os._exit = leave
    if not rule.right(answer):
        says = rule.why(answer)
        wrong = f": {says}" if says else f", and must answer {rule.returns}"
        raise ProtocolFaultError(f"{name}{_shown(arguments)} answers {_short(answer)}{wrong}")
    return answer


def _refuse(status: int) -> Never:
    raise SystemExit(status)


def _is_interrupt(error: BaseException) -> bool:
    """Whether the error may come from the keyboard, or from exhausted memory."""
    return isinstance(error, KeyboardInterrupt | MemoryError)


def _check_kept(name: str, rule: Requirement, arguments: tuple[Any, ...], answer: Any) -> None:
    """Raise for an answer with a state or message that cannot be kept in a set, or that no trace can hold."""
    kept = (answer.local, *(send.message for send in answer.sends)) if isinstance(answer, Outcome) else ()
    for value in (*kept, answer) if rule.keeps else kept:
        _digest(name, value)
        if _holds_nan(value):
            says = f"answers {_short(answer)}, and NaN is not equal to itself: keep it out of states and messages"
            raise ProtocolFaultError(f"{name}{_shown(arguments)} {says}")


def _holds_nan(value: Any) -> bool:
    match value:
        case float():
            return math.isnan(value)
        case tuple() | frozenset():
            return any(map(_holds_nan, value))
        case Struct():
            return any(_holds_nan(getattr(value, field)) for field in value.__struct_fields__)
    return False


def _digests(name: str, rule: Requirement, arguments: tuple[Any, ...]) -> tuple[int, ...]:
    """A digest of the arguments, which differs if one of them is changed.

    Raises for a state or message that is not hashable.
    """
    if rule.renames:
        arguments = tuple(tuple(one.items()) if isinstance(one, Mapping) else one for one in arguments)
    if rule.takes_values:
        return tuple(_digest(name, argument) for argument in arguments)
    return tuple(hash(argument) for argument in arguments if _is_hashable(argument))


def _digest(name: str, value: Any) -> int:
    try:
        return hash(value)
    except TypeError as error:
        says = f"{_short(value)} can be changed ({error}): make states and messages of frozen values"
        raise ProtocolFaultError(f"{name}: {says}") from error


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _shown(arguments: tuple[Any, ...]) -> str:
    return f"({', '.join(map(_short, arguments))})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
