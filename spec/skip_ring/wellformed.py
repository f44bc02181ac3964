"""Well-formedness of states and messages: it is declared with each field."""

from functools import partial

from gomboc.spec.derived import Derived
from gomboc.spec.skip_ring.state import Command, Message, Subscriber, Supervisor

FIELDS = Derived(Supervisor, Subscriber, Message, Command)
"""The nodes that values name, their faults, and their renaming; publishers and signers need not exist.

Source: Section 1.1, "no corrupted IDs (i.e., IDs of unavailable nodes)"
"""

without_publications = partial(FIELDS.malformed, None)
"""The faults of a value of a ring that does not publish."""
