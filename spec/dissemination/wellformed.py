"""Well-formedness of states and messages: it is declared with each field."""

from gomboc.spec.derived import Derived
from gomboc.spec.dissemination.state import Command, Member, Message

FIELDS = Derived(Member, Message, Command)
"""The nodes that values name, their faults, and their renaming; publishers need not exist, since they may be gone."""
