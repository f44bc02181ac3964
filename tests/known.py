"""Known names as refusals list them, in order: protocols, implementations, papers with claims, and variants."""

from gomboc.checker.errata.registry import protocols_with_claims
from gomboc.impl.api.registry import implementations
from gomboc.spec.core.registry import find_protocol, protocol_names

PROTOCOLS = ", ".join(protocol_names())
IMPLEMENTATIONS = ", ".join(implementations())
PAPERS = ", ".join(protocols_with_claims())
VARIANTS = ", ".join(variant.name for name in protocol_names() for variant in find_protocol(name).variants.errata)
