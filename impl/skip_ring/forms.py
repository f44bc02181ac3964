"""The forms of what messages, states and commands are made of, as `traces/skip_ring/README.md` gives them."""

from typing import Annotated

from msgspec import Meta

from impl.skip_ring.labels import CANONICAL

LONGEST_KEY = 256
"""The most bits that a key may have."""

Name = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.:-]{1,64}\Z")]
Label = Annotated[str, Meta(pattern=CANONICAL)]
WrittenClaim = tuple[Label, Name]
WrittenEntry = tuple[Label, Name | None]

Key = Annotated[str, Meta(pattern=rf"\A[01]{{1,{LONGEST_KEY}}}\Z")]
Prefix = Annotated[str, Meta(pattern=rf"\A[01]{{0,{LONGEST_KEY}}}\Z")]
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
TrieTuple = tuple[Prefix, Hash]
"""What one node tells another one of a node of its trie: the label and the hash."""

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A publisher gives each number to one publication."""

Signature = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.:+/=-]{1,256}\Z")]
"""Whatever the authenticator writes; the ideal one writes the name of the node that signed."""
