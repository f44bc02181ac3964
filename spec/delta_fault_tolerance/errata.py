"""The rules as printed, where we deviate: each an override of one rule, with what breaks."""

from collections.abc import Callable

import msgspec

from spec.delta_fault_tolerance.parameters import Parameters
from spec.delta_fault_tolerance.rules import Rules


class Printed(msgspec.Struct, frozen=True):
    """A variant: its name, what breaks with it, where it stands, and its rules."""

    name: str
    breaks: str
    source: str
    rules: Callable[[Parameters], Rules]


ERRATA: tuple[Printed, ...] = ()
