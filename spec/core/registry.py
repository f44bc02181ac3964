"""Registry of protocols: the folders of `spec/protocols`, installed distributions, and references given by the caller.

Every folder of `spec/protocols` is a protocol and exports PROTOCOL. A distribution can bring others, as entry points
of the group `gomboc.protocols`; a caller can name others, as package.module:PROTOCOL. A trace's header chooses among
these by name and causes no other import.
"""

import os
import pkgutil
import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import MappingProxyType
from typing import get_args

from msgspec import Struct

from gomboc.spec import protocols
from gomboc.spec.core.guarded import watch
from gomboc.spec.core.protocol import Protocol

GROUP = "gomboc.protocols"
"""The group of the entry points, which have the names of the protocols."""

NAMED = "GOMBOC_PROTOCOLS"
"""The environment variable with the caller's references, separated by blanks; child processes inherit it."""

NEEDED = ("state", "rules", "legitimacy", "space", "models")
"""The modules of a package that is laid out as ours are: it has `state` and `rules`, or all but one."""

NAME = re.compile(r"[0-9A-Za-z_.-]{1,64}")


class UnfitProtocolError(ValueError):
    """A reference names no usable protocol; the message is a sentence without its full stop."""


@cache
def _references() -> Mapping[str, tuple[str, ...]]:
    """The references of each protocol, as module:attribute, by its name.

    Only modules given by the caller are imported.
    """
    references: dict[str, set[str]] = {}
    for module in pkgutil.iter_modules(protocols.__path__):
        if module.ispkg:
            references.setdefault(module.name, set()).add(f"{protocols.__name__}.{module.name}:PROTOCOL")
    for point in entry_points(group=GROUP):
        references.setdefault(point.name, set()).add(point.value)
    for reference in named():
        references.setdefault(load(reference).name, set()).add(reference)
    return MappingProxyType({name: tuple(sorted(known)) for name, known in references.items()})


@cache
def protocol_names() -> tuple[str, ...]:
    """The names of all known protocols, in alphabetical order."""
    return tuple(sorted(_references()))


def reference_of(name: str) -> str:
    """The reference of the protocol of that name, as module:attribute.

    Raises KeyError, with the known names, for an unknown name, and UnfitProtocolError if two protocols have it.
    """
    if name not in protocol_names():
        raise KeyError(f"there is no protocol {name!r}; there are: {', '.join(protocol_names())}")
    references = _references()[name]
    if len(references) > 1:
        raise UnfitProtocolError(f"two protocols are called {name!r}, {' and '.join(references)}: rename or remove one")
    return references[0]


def named() -> tuple[str, ...]:
    """The references given by the caller, as module:attribute."""
    return tuple(os.environ.get(NAMED, "").split())


def strangers() -> tuple[str, ...]:
    """The references of all protocols outside `gomboc.spec`, as module:attribute, in order."""
    references = {reference for known in _references().values() for reference in known}
    return tuple(sorted(reference for reference in references if not reference.startswith("gomboc.spec.")))


@cache
def find_protocol(name: str) -> Protocol:
    """The protocol of that name.

    Raises KeyError, with the known names, for an unknown name, and UnfitProtocolError for an unusable protocol.
    """
    reference = reference_of(name)
    protocol = load(reference)
    if protocol.name != name:
        raise UnfitProtocolError(
            f"{reference} is installed as {name!r} and calls itself {protocol.name!r}: use one name"
        )
    return protocol


def add(reference: str) -> Protocol:
    """Register the protocol at package.module:NAME, in this process and its child processes.

    Raises UnfitProtocolError if it is unusable, or if another protocol has its name.
    """
    protocol = load(reference)
    if reference not in named():
        os.environ[NAMED] = f"{os.environ.get(NAMED, '')} {reference}".strip()
    forget()
    reference_of(protocol.name)
    return protocol


def forget() -> None:
    """Clear the caches, so that the next call looks up the protocols anew."""
    for remembered in (_references, protocol_names, find_protocol):
        remembered.cache_clear()


def load(reference: str) -> Protocol:
    """The protocol at module:attribute. Raises UnfitProtocolError if it is no protocol, or if its module fails."""
    name, _, attribute = reference.partition(":")
    if not name or not attribute:
        raise UnfitProtocolError(f"{reference!r} names no protocol: write package.module:PROTOCOL")
    try:
        _check_template(reference, name)
        module = import_module(name)
    except UnfitProtocolError:
        raise
    except (Exception, SystemExit) as error:
        failed = f"{type(error).__name__}: {error}{renamed(error)}"
        raise UnfitProtocolError(f"{reference} cannot be imported ({failed}): fix or install it") from error
    protocol = getattr(module, attribute, None)
    if not isinstance(protocol, Protocol):
        kind = type(protocol).__name__
        problem = f"has no {attribute!r}" if protocol is None else f"has {attribute!r}, which is of type {kind}"
        raise UnfitProtocolError(f"the module {name} {problem}, and a protocol is a gomboc.spec.Protocol")
    _check(reference, protocol)
    if not name.startswith("gomboc.spec."):
        watch(protocol, reference)
    return protocol


def renamed(error: BaseException) -> str:
    """Advice for a module that imports another by a name that was ours in version 0.1; empty for other errors."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    if name not in ("spec", "impl", "checker"):
        return ""
    return f"; write gomboc.{name} or, if it is yours, put its folder on PYTHONPATH"


def _check_template(reference: str, name: str) -> None:
    """Raise UnfitProtocolError for a package that is laid out as ours are, and lacks a module.

    The package itself is not imported: that would fail first, and not name the module.
    """
    package = sys.modules.get(name) or find_spec(name)
    folders = getattr(package, "__path__", None) or getattr(package, "submodule_search_locations", None)
    there = {found.name for found in pkgutil.iter_modules(folders or ())}
    lacking = [module for module in NEEDED if module not in there]
    ours = name.startswith("gomboc.spec.protocols.") or {"state", "rules"} <= there or len(lacking) == 1
    if lacking and ours:
        raise UnfitProtocolError(f"{reference} lacks the module {name}.{lacking[0]}: add it")


def _check(reference: str, protocol: Protocol) -> None:
    """Raise UnfitProtocolError for an invalid name, an undeclared role, or a type of values that can change."""
    if not NAME.fullmatch(protocol.name):
        raise UnfitProtocolError(
            f"{reference} is called {protocol.name!r}: use letters, digits, _, . and - in its name"
        )
    undeclared = sorted(
        {protocol.vocabulary.member, *protocol.vocabulary.fixed.values()} - set(protocol.vocabulary.roles)
    )
    if undeclared:
        raise UnfitProtocolError(f"{reference} names the role {undeclared[0]!r}, which is not among its roles: add it")
    for kind in (*protocol.vocabulary.roles.values(), protocol.vocabulary.message, protocol.vocabulary.command):
        for part in get_args(kind) or (kind,):
            if isinstance(part, type) and issubclass(part, Struct) and not part.__struct_config__.frozen:
                raise UnfitProtocolError(
                    f"{reference}: values of type {part.__name__} can be changed: write class {part.__name__}"
                    "(Struct, frozen=True)"
                )
