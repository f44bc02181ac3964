"""What there is, as refusals list it: names of protocols and of implementations, in order."""

from impl.registry import implementations
from spec.registry import protocol_names

PROTOCOLS = ", ".join(protocol_names())
IMPLEMENTATIONS = ", ".join(implementations())
