"""The rules as printed, or without an addition of ours, and the failure that each causes."""

from gomboc.spec.delta_fault_tolerance.errata.forwarding import FORWARDING
from gomboc.spec.delta_fault_tolerance.errata.joining import JOINING
from gomboc.spec.delta_fault_tolerance.errata.recovery import RECOVERY

ERRATA = (*FORWARDING, *RECOVERY, *JOINING)
"""The variants, one row each."""
