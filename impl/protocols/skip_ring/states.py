"""Local states as traces write them: any state that has this form can be loaded, however corrupted it is."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import Name
from gomboc.impl.protocols.skip_ring.forms import Label, WrittenClaim, WrittenEntry
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import TrieTuple
from gomboc.impl.publishing.validity import wrong_length


class SubscriberState(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The variables of a subscriber."""

    label: Label | None
    left: WrittenClaim | None
    right: WrittenClaim | None
    ring: WrittenClaim | None
    shortcuts: tuple[WrittenEntry, ...]
    wants: bool
    crashed: bool = False
    forgets: bool = False
    publications: tuple[Publication, ...] = ()
    hashes: tuple[TrieTuple, ...] = ()


class SupervisorState(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The variables of the supervisor."""

    database: tuple[WrittenEntry, ...]
    next: Annotated[int, Meta(ge=0)]
    suspects: tuple[Name, ...] = ()


State = TypeVar("State")


def load_subscriber(value: object, parameters: Limits | None) -> SubscriberState:
    """The state that this JSON value holds; `UsageError` if it has not the form of a subscriber's."""
    state = _load(value, SubscriberState)
    refuse_disorder("entry", [label for label, _ in state.shortcuts])
    keys, prefixes = [publication.key for publication in state.publications], [prefix for prefix, _ in state.hashes]
    refuse_disorder("key", keys)
    refuse_disorder("prefix", prefixes)
    _refuse_lengths(keys, prefixes, parameters)
    return state


def load_supervisor(value: object) -> SupervisorState:
    """The state that this JSON value holds; `UsageError` if it has not the form of a supervisor's."""
    state = _load(value, SupervisorState)
    refuse_disorder("entry", [label for label, _ in state.database])
    refuse_disorder("suspect", state.suspects)
    return state


def _load(value: object, kind: type[State]) -> State:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is not a state of the skip ring: {error}.") from error


def refuse_disorder(noun: str, texts: Iterable[str]) -> None:
    """Raise `UsageError` unless these are ascending, each once."""
    # Bit strings are in the order of their numbers, so the text alone tells.
    for former, latter in pairwise(texts):
        if former >= latter:
            raise UsageError(f"This is not a state of the skip ring: its {noun} {latter!r} comes after {former!r}.")


def _refuse_lengths(keys: Sequence[str], prefixes: Sequence[str], parameters: Limits | None) -> None:
    if parameters is None:
        if keys or prefixes:
            raise UsageError(
                "This is not a state of the skip ring: publications and hashes need the parameter key_bits."
            )
        return
    wrong = wrong_length(keys, prefixes, parameters.key_bits)
    if wrong is not None:
        raise UsageError(f"This is not a state of the skip ring: {wrong}.")


encode = msgspec.json.Encoder().encode
