"""Protocols, found by folder: every folder of `spec` is one and exports PROTOCOL."""

import pkgutil
from functools import cache
from importlib import import_module

import spec
from spec.protocol import Protocol


@cache
def protocol_names() -> tuple[str, ...]:
    """The names of all protocols that there are, in alphabetical order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(spec.__path__) if module.ispkg))


@cache
def find_protocol(name: str) -> Protocol:
    """The protocol of that name. Raises KeyError, with what there is instead, for an unknown one."""
    if name not in protocol_names():
        raise KeyError(f"there is no protocol {name!r}; there are: {', '.join(protocol_names())}")
    found = import_module(f"spec.{name}").PROTOCOL
    assert isinstance(found, Protocol), f"spec.{name}.PROTOCOL is not a Protocol"
    return found
