"""Every claim on a protocol, settled once for all tests."""

from functools import cache

from gomboc.checker.errata.registry import find_claims
from gomboc.checker.errata.settlement import Finding, settle


@cache
def findings(protocol: str) -> dict[str, Finding]:
    """Every finding, by the claim's name, in the order of the page."""
    return {claim.name: settle(protocol, claim) for claim in find_claims(protocol)}
