"""Checks on the starts that a user's protocol gives, before a header is made of one: a fault is reported as its own."""

from collections.abc import Iterator
from typing import Any

import msgspec

from gomboc.checker.core.bad_models import shown
from gomboc.spec.core.guarded import ProtocolFaultError, is_ours
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.core.registry import reference_of


def checked_start(protocol: Protocol, function: str, start: Any) -> Start:
    """The start that `function`, space or start, of a protocol gives. Our protocols are trusted.

    Raises ProtocolFaultError for a start of which no header can be made.
    """
    called = getattr(protocol.starts, function)
    # Ours may be partial functions, for their parameters.
    if not is_ours(getattr(called, "func", called)) and (fault := start_fault(protocol, start)):
        raise ProtocolFaultError(f"{reference_of(protocol.name)}: {function} gives {fault}")
    checked: Start = start
    return checked


def start_fault(protocol: Protocol, start: Any) -> str:
    """The first fault of a start, and the remedy, in words; empty if there is none."""
    if not isinstance(start, Start):
        return f"{shown(start)}, of type {type(start).__name__}: make it a Start"
    if not all(map(_are_pairs, (start.roles, start.locals, start.in_flight))):
        return f"{shown(start)}: make each of roles, locals and in_flight a tuple of pairs"
    return next(filter(None, _faults(protocol, start)), "")


def _faults(protocol: Protocol, start: Start) -> Iterator[str]:
    roles = dict(start.roles)
    if set(roles) != set(dict(start.locals)):
        yield f"roles to {', '.join(roles)}, and states to {', '.join(dict(start.locals))}: name the same nodes"
    yield from (_role_fault(protocol, name, role) for name, role in start.roles)
    yield from (_state_fault(protocol, name, roles[name], local) for name, local in start.locals)
    yield from (_message_fault(protocol, target, message) for target, message in start.in_flight)


def _are_pairs(values: Any) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, tuple) and len(value) == 2 for value in values)


def _role_fault(protocol: Protocol, name: str, role: str) -> str:
    known = ", ".join(protocol.vocabulary.roles)
    return (
        ""
        if role in protocol.vocabulary.roles
        else f"{name!r} the role {role!r}, and its roles are: {known}: use one of these"
    )


def _state_fault(protocol: Protocol, name: str, role: str, local: Any) -> str:
    kind = protocol.vocabulary.roles[role]
    wanted = f"and the role {role!r} has states of type {_named(kind)}: give it one"
    return _change_fault(local) or ("" if _is_of(kind, local) else f"{name!r} the state {shown(local)}, {wanted}")


def _message_fault(protocol: Protocol, target: str, message: Any) -> str:
    wanted = f"which is not of the type {_named(protocol.vocabulary.message)}: give it one"
    right = _is_of(protocol.vocabulary.message, message)
    return _change_fault(message) or ("" if right else f"{target!r} the message {shown(message)}, {wanted}")


def _change_fault(value: Any) -> str:
    try:
        hash(value)
    except TypeError as error:
        return f"{shown(value)}, which can be changed ({error}): make states and messages of frozen values"
    return ""


def _is_of(kind: Any, value: Any) -> bool:
    """Whether a value is the same after it was written to a trace and read as this type."""
    try:
        read: object = msgspec.convert(msgspec.to_builtins(value), kind)
    except (TypeError, ValueError):
        return False
    return bool(read == value)


def _named(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))
