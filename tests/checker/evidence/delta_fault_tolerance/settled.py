"""Every claim on delta-fault-tolerance, settled once for all tests."""

from functools import cache

from checker.errata.claim import settle
from checker.errata.registry import find_claims


@cache
def findings():
    """Every finding, by the claim's name, in the order of the page."""
    return {claim.name: settle("delta_fault_tolerance", claim) for claim in find_claims("delta_fault_tolerance")}
