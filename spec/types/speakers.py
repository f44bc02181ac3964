"""Who may send a kind of message: a node that it names, a node with a role, or any node that has heard it."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, get_args

from gomboc.spec.core.protocol import Speaker


def anyone(sender: str, role: str, receiver: str, message: Any) -> bool:
    """Any node may say it: it is hearsay, or proves itself, as a signed publication does."""
    del sender, role, receiver, message
    return True


def named_in(field: str, *further: str) -> Speaker:
    """The node named in this field, such as `sender`, or by the path of fields."""
    return _whoever(attrgetter(".".join((field, *further))))


def _whoever(named: Callable[[Any], str]) -> Speaker:
    def may(sender: str, role: str, receiver: str, message: Any) -> bool:
        del role, receiver
        return named(message) == sender

    return may


def with_role(wanted: str) -> Speaker:
    """Only a node with this role."""

    def may(sender: str, role: str, receiver: str, message: Any) -> bool:
        del sender, receiver, message
        return role == wanted

    return may


def either(one: Speaker, other: Speaker) -> Speaker:
    """Whoever one or the other admits."""

    def may(sender: str, role: str, receiver: str, message: Any) -> bool:
        return one(sender, role, receiver, message) or other(sender, role, receiver, message)

    return may


def both(one: Speaker, other: Speaker) -> Speaker:
    """Whoever one and the other admit."""

    def may(sender: str, role: str, receiver: str, message: Any) -> bool:
        return one(sender, role, receiver, message) and other(sender, role, receiver, message)

    return may


def speakers(messages: Any, others: Mapping[type, Speaker] = MappingProxyType({})) -> Mapping[type, Speaker]:
    """Who sends each kind of a union of messages: as `others` says, and else the node in its field `sender`.

    Raises TypeError for a kind of which neither says it.
    """
    for kind in get_args(messages):
        if kind not in others and "sender" not in kind.__struct_fields__:
            raise TypeError(f"the sender of {kind.__name__} is not known: it has no field 'sender', and no other rule")
    return {kind: others.get(kind) or named_in("sender") for kind in get_args(messages)}
