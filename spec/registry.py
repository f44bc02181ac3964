"""Which protocols there are: the folders of `spec`, what is installed, and what the caller has named.

Every folder of `spec` is a protocol and exports PROTOCOL. A distribution can bring others, as entry points of the group
`gomboc.protocols`; a caller can name others, as package.module:PROTOCOL. A trace's header chooses among these by name:
it causes no other import.
"""

import os
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType

from gomboc import spec
from gomboc.spec.guarded import watch
from gomboc.spec.protocol import Protocol

GROUP = "gomboc.protocols"
"""The group of the entry points, whose names are those of the protocols."""

NAMED = "GOMBOC_PROTOCOLS"
"""The environment variable with what the caller has named, between blanks: processes that are started inherit it."""

NAME = re.compile(r"[0-9A-Za-z_.-]{1,64}")


class UnfitProtocolError(ValueError):
    """What is named is no protocol that can be used: a sentence, without its full stop."""


@cache
def _references() -> Mapping[str, tuple[str, ...]]:
    """Where each protocol is, as module:attribute, by its name. Only what the caller has named is imported."""
    found: dict[str, set[str]] = {}
    for module in pkgutil.iter_modules(spec.__path__):
        if module.ispkg:
            found.setdefault(module.name, set()).add(f"gomboc.spec.{module.name}:PROTOCOL")
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, set()).add(point.value)
    for reference in named():
        found.setdefault(load(reference).name, set()).add(reference)
    return MappingProxyType({name: tuple(sorted(places)) for name, places in found.items()})


@cache
def protocol_names() -> tuple[str, ...]:
    """The names of all protocols that there are, in alphabetical order."""
    return tuple(sorted(_references()))


def reference_of(name: str) -> str:
    """Where the protocol of that name is, as module:attribute.

    Raises KeyError, with what there is instead, for an unknown one, and UnfitProtocolError if there are two.
    """
    if name not in protocol_names():
        raise KeyError(f"there is no protocol {name!r}; there are: {', '.join(protocol_names())}")
    places = _references()[name]
    if len(places) > 1:
        raise UnfitProtocolError(f"two protocols are called {name!r}, {' and '.join(places)}: rename or remove one")
    return places[0]


def named() -> tuple[str, ...]:
    """What the caller has named, as module:attribute."""
    return tuple(os.environ.get(NAMED, "").split())


def strangers() -> tuple[str, ...]:
    """Where the protocols are that are none of ours, as module:attribute, in order."""
    places = {place for each in _references().values() for place in each}
    return tuple(sorted(place for place in places if not place.startswith(f"{spec.__name__}.")))


@cache
def find_protocol(name: str) -> Protocol:
    """The protocol of that name.

    Raises KeyError, with what there is instead, for an unknown one, and UnfitProtocolError for one that cannot be used.
    """
    reference = reference_of(name)
    found = load(reference)
    if found.name != name:
        raise UnfitProtocolError(f"{reference} is installed as {name!r} and calls itself {found.name!r}: use one name")
    return found


def add(reference: str) -> Protocol:
    """Have the protocol at package.module:NAME count among all, in this process and in those that it starts.

    Raises UnfitProtocolError if it cannot be used, or if another one has its name.
    """
    protocol = load(reference)
    if reference not in named():
        os.environ[NAMED] = f"{os.environ.get(NAMED, '')} {reference}".strip()
    forget()
    reference_of(protocol.name)
    return protocol


def forget() -> None:
    """Look anew which protocols there are, the next time that somebody asks."""
    for remembered in (_references, protocol_names, find_protocol):
        remembered.cache_clear()


def load(reference: str) -> Protocol:
    """The protocol at module:attribute. Raises UnfitProtocolError if it is none, or if its module fails."""
    name, _, attribute = reference.partition(":")
    if not name or not attribute:
        raise UnfitProtocolError(f"{reference!r} names no protocol: write package.module:PROTOCOL")
    try:
        module = import_module(name)
    except (Exception, SystemExit) as error:
        failed = f"{type(error).__name__}: {error}{renamed(error)}"
        raise UnfitProtocolError(f"{reference} cannot be imported ({failed}): mend or install it") from error
    found = getattr(module, attribute, None)
    if not isinstance(found, Protocol):
        what = (
            f"has no {attribute!r}" if found is None else f"has {attribute!r}, which is of type {type(found).__name__}"
        )
        raise UnfitProtocolError(f"the module {name} {what}, and a protocol is a gomboc.spec.protocol.Protocol")
    _check(reference, found)
    if not name.startswith(f"{spec.__name__}."):
        watch(found, reference)
    return found


def renamed(error: BaseException) -> str:
    """What to write instead of a module that a protocol of version 0.1 imported by its old name."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    return f"; write gomboc.{name}" if name in ("spec", "impl", "checker") else ""


def _check(reference: str, found: Protocol) -> None:
    """Raise UnfitProtocolError for a protocol that contradicts itself."""
    if not NAME.fullmatch(found.name):
        raise UnfitProtocolError(f"{reference} is called {found.name!r}: use letters, digits, _, . and - in its name")
    strange = sorted({found.member, *found.fixed.values()} - set(found.roles))
    if strange:
        raise UnfitProtocolError(f"{reference} names the role {strange[0]!r}, which is not among its roles: add it")
