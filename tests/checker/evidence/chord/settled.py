"""Every claim on Chord, settled once for all tests."""

from functools import cache

from checker.errata.claim import settle
from checker.errata.registry import find_claims


@cache
def findings():
    """Every finding, by the claim's name, in the order of the page."""
    return {claim.name: settle("chord", claim) for claim in find_claims("chord")}
