"""Well-formedness of states and messages: it is declared with each field."""

from gomboc.spec.protocols.dissemination.state import Command, Member, Message
from gomboc.spec.types.derived import Derived

FIELDS = Derived(Member, Message, Command)
"""The nodes that values name, their faults, and their renaming; publishers need not exist, since they may be gone."""
