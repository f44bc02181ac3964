"""Known names as refusals list them: protocols and implementations, in order."""

from gomboc.impl.api.registry import implementations
from gomboc.spec.core.registry import protocol_names

PROTOCOLS = ", ".join(protocol_names())
IMPLEMENTATIONS = ", ".join(implementations())
