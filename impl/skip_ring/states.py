"""Local states as traces write them: any state that has this form can be loaded, however corrupted it is."""

from itertools import pairwise
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from impl.errors import UsageError
from impl.skip_ring.messages import Label, Name, WrittenClaim

WrittenEntry = tuple[Label, Name | None]


class SubscriberState(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a subscriber."""

    label: Label | None
    left: WrittenClaim | None
    right: WrittenClaim | None
    ring: WrittenClaim | None
    shortcuts: tuple[WrittenEntry, ...]
    wants: bool


class SupervisorState(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of the supervisor."""

    database: tuple[WrittenEntry, ...]
    next: Annotated[int, Meta(ge=0)]


State = TypeVar("State")


def load_subscriber(value: object) -> SubscriberState:
    """The state that this JSON value holds; `UsageError` if it has not the form of a subscriber's."""
    state = _load(value, SubscriberState)
    _refuse_disorder(state.shortcuts)
    return state


def load_supervisor(value: object) -> SupervisorState:
    """The state that this JSON value holds; `UsageError` if it has not the form of a supervisor's."""
    state = _load(value, SupervisorState)
    _refuse_disorder(state.database)
    return state


def _load(value: object, kind: type[State]) -> State:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is not a state of the skip ring: {error}.") from error


def _refuse_disorder(entries: tuple[WrittenEntry, ...]) -> None:
    # Bit strings are in the order of their numbers, so the text alone tells.
    for (former, _), (latter, _) in pairwise(entries):
        if former >= latter:
            raise UsageError(f"This is not a state of the skip ring: its entry {latter!r} comes after {former!r}.")


encode = msgspec.json.Encoder().encode
