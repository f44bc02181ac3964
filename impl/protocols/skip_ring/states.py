"""Local states as traces write them: any state that has this form can be loaded, however corrupted it is."""

from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Fault, ascending, check_of, convert, first
from gomboc.impl.protocols.skip_ring.labels import Label, WrittenClaim, WrittenEntries
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import TrieTuple

_REFUSAL = "This is not a state of the skip ring"


def _key(publication: Publication) -> str:
    return publication.key


class SubscriberState(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The variables of a subscriber."""

    label: Label | None
    left: WrittenClaim | None
    right: WrittenClaim | None
    ring: WrittenClaim | None
    shortcuts: WrittenEntries
    wants: bool
    crashed: bool = False
    forgets: bool = False
    publications: Annotated[tuple[Publication, ...], ascending("key", _key)] = ()
    hashes: Annotated[tuple[TrieTuple, ...], ascending("prefix", first)] = ()


class SupervisorState(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The variables of the supervisor."""

    database: WrittenEntries
    next: Annotated[int, Meta(ge=0)]
    suspects: Annotated[tuple[Name, ...], ascending("suspect")] = ()


def load_subscriber(value: object, limits: Limits | None) -> SubscriberState:
    """The state that this JSON value holds; `UsageError` if it has not the form of a subscriber's."""
    if limits is None:
        return convert(value, SubscriberState, _REFUSAL, check_of(SubscriberState), _without_publications)
    return convert(value, SubscriberState, _REFUSAL, check_of(SubscriberState, limits))


def _without_publications(state: SubscriberState) -> Fault:
    needless = state.publications or state.hashes
    return "publications and hashes need the parameter key_bits" if needless else None


def load_supervisor(value: object) -> SupervisorState:
    """The state that this JSON value holds; `UsageError` if it has not the form of a supervisor's."""
    return convert(value, SupervisorState, _REFUSAL, check_of(SupervisorState))
