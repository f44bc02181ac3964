"""Names of nodes and topics."""

from typing import Annotated

from msgspec import Meta

NAME = r"\A[A-Za-z0-9_.:-]{1,64}\Z"
"""Pattern of a node's or a topic's name. There are no wildcards."""

Name = Annotated[str, Meta(pattern=NAME)]
