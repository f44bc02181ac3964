"""The port of Skip+: it publishes nothing itself, but delivers each node's neighbours."""

from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.skip_plus.commands import Join, Leave
from gomboc.impl.publishing.port import Above, Port

COMMON = (
    b'null,null],["]],"inserts":["'
    b'{"topic":":directory:","agreement":"","message":{"kind":"Update","sender":"","ranges":[["'
)
"""Pieces that are in most messages at rest; the likeliest are the last."""

PORT = Port(
    member="node",
    join=Join(),
    leave=lambda _forget: Leave(),
    above=Above(
        stack="skip_plus_dissemination",
        publishing="dissemination",
        directory="topic_directory",
        # Applications may give commands at any time, outside of rounds.
        own={"synchronous": False, "most_names": 64},
        added={"layered": True},
        add_peer=Join,
        of_directory={"expires": 20, "topics_of_contact": 1_024, "topics_in_period": 128},
        common=COMMON,
    ),
    crash=(Crash(),),
    absent_answers=True,
)
