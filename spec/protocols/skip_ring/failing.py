"""Failures of a subscriber: it crashes without warning, and may restart later.

The rules of the supervisor's failure detector are in `supervisor.py`.
"""

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring.state import Restart, Subscriber


def crash(u: Subscriber) -> Outcome:
    """Crash the node: until it restarts, no input has any effect.

    Source: Section 3.3, "these messages do not invoke any action on v"
    """
    return Outcome(replace(u, crashed=True))


def restart(u: Subscriber, command: Restart) -> Outcome:
    """Restart the node with its old variables or with empty ones; `wants` stays as its application set it.

    Source: Section 3.3; Section 1.1, any system state
    """
    if not u.crashed:
        return Outcome(u)
    return Outcome(replace(u, crashed=False) if command.keep else Subscriber(wants=u.wants))
