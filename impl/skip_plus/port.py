"""The port of Skip+: it publishes nothing itself, but says who is whose neighbour."""

from gomboc.impl.port import Above, Command, Port


def _leave(forget: bool) -> Command:
    del forget  # Who has left knows nothing anyway.
    return {"kind": "Leave"}


def _meet(contact: str) -> Command:
    return {"kind": "Join", "contact": contact}


PORT = Port(
    member="node",
    join={"kind": "Join"},
    leave=_leave,
    above=Above(
        publishing="dissemination",
        directory="topic_directory",
        # Applications ask for something whenever they like, and so belong to no round.
        own={"synchronous": False},
        added={"layered": True},
        meet=_meet,
        of_directory={"expires": 20},
    ),
    crash=({"kind": "Crash"},),
    absent_answers=True,
)
