"""Models."""

from gomboc.spec.core.pinned import Pinned

MODELS: tuple[Pinned, ...] = ()
