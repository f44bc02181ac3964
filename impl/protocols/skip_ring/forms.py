"""Forms of the parts of messages, states and commands, as `traces/skip_ring/README.md` gives them."""

from typing import Annotated

from msgspec import Meta

from gomboc.impl.core.names import Name
from gomboc.impl.protocols.skip_ring.labels import CANONICAL

Label = Annotated[str, Meta(pattern=CANONICAL)]
WrittenClaim = tuple[Label, Name]
WrittenEntry = tuple[Label, Name | None]
