"""What nodes and topics are called."""

from typing import Annotated

from msgspec import Meta

NAME = r"\A[A-Za-z0-9_.:-]{1,64}\Z"
"""What the name of a node, or of a topic, looks like. There are no wildcards."""

Name = Annotated[str, Meta(pattern=NAME)]
