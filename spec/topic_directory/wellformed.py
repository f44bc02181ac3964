"""Well-formedness of states and messages: it is declared with each field."""

from functools import partial

from gomboc.spec.derived import Derived
from gomboc.spec.topic_directory.state import Command, Message, Met, Node

FIELDS = Derived(Node, Message, Command, Met)
"""The nodes that values name, their faults, and their renaming."""

malformed = partial(FIELDS.malformed, None)
"""The faults of a state, message or command: they depend on no parameter."""
