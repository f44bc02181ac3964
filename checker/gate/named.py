"""The protocol and the implementation that a table names, checked in a process of its own, before any stage runs."""

import sys

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.protocol_option import add_protocol, look_here
from gomboc.checker.gate.case import Named
from gomboc.checker.simulate.under_test import check_implementation
from gomboc.spec.core.registry import protocol_names


def named(protocol: str, tested: str, is_run: bool) -> Named:
    """The protocol of a table, and what is wrong with it or its implementation.

    `tested` is the implementation, empty for the protocol's own one; it counts only if it is run.
    """
    try:
        name = add_protocol(protocol) if ":" in protocol else _installed(protocol)
    except UsageError as error:
        return Named("", "protocol", str(error))
    try:
        if is_run:
            check_implementation(tested, name)
    except UsageError as error:
        return Named(name, "implementation", str(error))
    return Named(name)


def _installed(protocol: str) -> str:
    look_here()
    if protocol not in protocol_names():
        known = ", ".join(protocol_names())
        own = 'for one of your own write protocol = "package.module:PROTOCOL"'
        raise UsageError(f"there is no protocol {protocol!r}; there are: {known}; {own}.")
    return protocol


def main() -> None:
    """Print it as JSON; the arguments are the protocol, the implementation, and whether that is run."""
    protocol, tested, is_run = sys.argv[1:]
    print(msgspec.json.encode(named(protocol, tested, is_run == "True")).decode())
