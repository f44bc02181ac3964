"""Who may send a kind of message: a node that it names, a node with a role, or any node that has heard it."""

from collections.abc import Mapping
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
    named = attrgetter(".".join((field, *further)))
    return lambda sender, _role, _receiver, message: bool(named(message) == sender)


def with_role(wanted: str) -> Speaker:
    """Only a node with this role."""
    return lambda _sender, role, _receiver, _message: role == wanted


def either(one: Speaker, other: Speaker) -> Speaker:
    """Whoever one or the other admits."""
    return lambda *said: one(*said) or other(*said)


def both(one: Speaker, other: Speaker) -> Speaker:
    """Whoever one and the other admit."""
    return lambda *said: one(*said) and other(*said)


def speakers(messages: Any, others: Mapping[type, Speaker] = MappingProxyType({})) -> Mapping[type, Speaker]:
    """Who sends each kind of a union of messages: as `others` says, and else the node in its field `sender`.

    Raises TypeError for a kind of which neither says it.
    """
    for kind in get_args(messages):
        if kind not in others and "sender" not in kind.__struct_fields__:
            raise TypeError(f"the sender of {kind.__name__} is not known: it has no field 'sender', and no other rule")
    return {kind: others.get(kind) or named_in("sender") for kind in get_args(messages)}
