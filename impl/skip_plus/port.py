"""The port of Skip+: it publishes nothing itself, but delivers each node's neighbours."""

from gomboc.impl.port import Above, Command, Port


def _leave(forget: bool) -> Command:
    del forget  # A node that has left has no state.
    return {"kind": "Leave"}


def _add_peer(contact: str) -> Command:
    return {"kind": "Join", "contact": contact}


COMMON = (
    b'null,null],["]],"inserts":["'
    b'{"topic":":directory:","agreement":"","message":{"kind":"Update","sender":"","ranges":[["'
)
"""Pieces that are in most messages at rest; the likeliest are the last."""

PORT = Port(
    member="node",
    join={"kind": "Join"},
    leave=_leave,
    above=Above(
        publishing="dissemination",
        directory="topic_directory",
        # Applications may give commands at any time, outside of rounds.
        own={"synchronous": False},
        added={"layered": True},
        add_peer=_add_peer,
        of_directory={"expires": 20},
        common=COMMON,
    ),
    crash=({"kind": "Crash"},),
    absent_answers=True,
)
