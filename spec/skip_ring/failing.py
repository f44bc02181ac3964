"""What befalls a subscriber from outside: it crashes without warning, and may be there again later.

What the supervisor's failure detector does is in `supervisor.py`.
"""

from msgspec.structs import replace

from gomboc.spec.model import Outcome
from gomboc.spec.skip_ring.state import Restart, Subscriber


def crash(u: Subscriber) -> Outcome:
    """From now on nothing that reaches the node has any effect, until it restarts.

    Source: Section 3.3, "these messages do not invoke any action on v"
    """
    return Outcome(replace(u, crashed=True))


def restart(u: Subscriber, command: Restart) -> Outcome:
    """The node is there again, with the variables that it had or with empty ones; what its application wants stays.

    Source: Section 3.3; Section 1.1, any system state
    """
    if not u.crashed:
        return Outcome(u)
    return Outcome(replace(u, crashed=False) if command.keep else Subscriber(wants=u.wants))
