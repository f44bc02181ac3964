"""Lines of traces of each protocol, and the changes that make a line bad: for schemas and decoders alike.

A change stands in `bad_lines/<protocol>.txt` below the line that it makes bad: the place and the other value there, or
the place alone, which is then missing, and the sentence with which that is refused.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.golden.chord.starts import IDEAL, N0, N4, N8, N12
from tests.golden.delta_fault_tolerance.starts import ONE, A, C
from tests.golden.skip_plus.starts import ANYWHERE, node, update
from tests.golden.telling import starts_of
from tests.known import PROTOCOLS
from tests.traces.reading import MISSING

Line = dict[str, Any]


class Bad(NamedTuple):
    """A place in a line, another value there or `MISSING`, and the sentence."""

    where: tuple[str | int, ...]
    value: Any
    says: str


class Lines(NamedTuple):
    """A good header and step, and good messages and commands, each with all its keys."""

    header: Line
    step: Line
    messages: Sequence[Line] = ()
    commands: Sequence[Line] = ()


def bad(protocol: str, line: str) -> Iterator[Bad]:
    """The changes that make a `header` or a `step` of a protocol bad."""
    path = Path(__file__).parent / "bad_lines" / f"{protocol}.txt"
    of, change = "", ""
    for written in path.read_text(encoding="utf-8").splitlines():
        if written.startswith("["):
            change = written
        elif written.startswith("  ") and of == line:
            where, end = json.JSONDecoder().raw_decode(change)
            value = json.loads(change[end:]) if change[end:] else MISSING
            yield Bad(tuple(where), value, written.strip().replace("{protocols}", PROTOCOLS))
        elif written and not written.startswith("  "):
            of = written


CHECK = {"kind": "Check", "sender": ["1", "v2"], "label": "0", "flag": "LIN"}
SET_DATA = {"kind": "SetData", "pred": None, "label": "0", "succ": ["1", "v2"]}
STATE = {"label": "0", "left": None, "right": ["1", "v2"], "ring": None, "shortcuts": [["1", None]], "wants": True}
HEADER = {
    "format": "gomboc-trace",
    "version": 1,
    "protocol": "skip_ring",
    "parameters": {},
    "roles": {"supervisor": "supervisor", "v1": "subscriber"},
    "states": {"supervisor": {"database": [["0", "v1"], ["1", None]], "next": 0}, "v1": STATE},
    "messages": [{"id": 0, "to": "v1", "message": CHECK}],
    "origin": {"implementation": "a hand", "seed": 1, "speed": 0.5},
    "bound": 3,
    "expect": {"verdict": "violated", "step": 1, "rule": "check"},
}
STEP = {
    "node": "v1",
    "took": 0,
    "state": STATE,
    "sent": [{"id": 1, "to": "v1", "message": SET_DATA}],
    "delivered": [],
    "coin": "ask",
    "received": CHECK,
    "at": 1.5,
}

EXTRA = "a key that nobody knows"

SENT = ("sent", 0)
SAID = (*SENT, "message")

HASH = "0" * 31 + "f"
PUBLICATION = ["0110", "v1", 2**53 - 1, "grüß", "v2"]
PUBLISHING = {**HEADER, "parameters": {"key_bits": 4, "payload_limit": 0, "chunk": 1, "keep": 1}}
HOLDER = {
    **STATE,
    "crashed": True,
    "forgets": True,
    "publications": [PUBLICATION],
    "hashes": [["", HASH], ["01", HASH]],
}
REQUEST = {"kind": "CheckAndPublish", "sender": "v2", "tuples": [["0", HASH], ["1", HASH]], "prefix": ""}
OFFER = {"kind": "PublishNew", "sender": "v2", "publication": PUBLICATION}
OF_PUBLICATIONS: list[Line] = [
    {"kind": "CheckTrie", "sender": "v2", "tuples": []},
    REQUEST,
    {"kind": "Publish", "publications": [PUBLICATION, PUBLICATION]},
    OFFER,
]
RING_COMMANDS: list[Line] = [
    {"kind": "Subscribe"},
    {"kind": "Unsubscribe"},
    {"kind": "Unsubscribe", "forget": True},
    {"kind": "Publish", "number": 0, "payload": ""},
    {"kind": "Crash"},
    {"kind": "Restart", "keep": False},
    {"kind": "Suspect", "node": "v1"},
    {"kind": "Trust", "node": "v1"},
    {"kind": "Restore", "database": [["0", None], ["1", "v2"]]},
]
PRINTED = {
    **STEP,
    "state": HOLDER,
    "sent": [{"id": number, "to": "v1", "message": message} for number, message in enumerate(OF_PUBLICATIONS)],
    "delivered": [PUBLICATION],
    "coin": "silent v2",
    "received": REQUEST,
}

CHORD_HEADER = {**IDEAL, "origin": {"seed": 1}}
CHORD_STEP = {
    "node": N0,
    "took": "timeout",
    "state": {**IDEAL["states"][N0], "next": 0},
    "sent": [
        {"id": 0, "to": N4, "message": {"kind": "StabilizeRequest", "sender": N0}},
        {"id": 1, "to": N12, "message": {"kind": "Ping", "sender": N0}},
        {"id": 2, "to": N4, "message": {"kind": "FixFingerRequest", "finger": 3, "asker": N0, "sender": N0}},
    ],
}
CHORD_MESSAGES: list[Line] = [
    {"kind": "StabilizeRequest", "sender": N0},
    {"kind": "StabilizeReply", "sender": N0, "predecessor": None, "successors": [N4]},
    {"kind": "Ping", "sender": N0},
    {"kind": "Notify", "sender": N0},
    {"kind": "JoinRequest", "joiner": N8, "sender": N0},
    {"kind": "JoinReply", "sender": N0, "successors": [N4]},
    {"kind": "RouteRequest", "key": "5", "asker": N0, "sender": N0},
    {"kind": "RouteReply", "key": "5", "owner": N8},
    {"kind": "FixFingerRequest", "finger": 3, "asker": N0, "sender": N0},
    {"kind": "FixFingerReply", "finger": 3, "owner": N8},
    {"kind": "Dead", "node": N0},
    {"kind": "Outside", "node": N0},
]
CHORD_COMMANDS: list[Line] = [
    {"kind": "Join", "contact": N0},
    {"kind": "Leave"},
    {"kind": "Crash"},
    {"kind": "Suspect", "node": N0},
    {"kind": "Peers", "nodes": [N0, N4]},
    {"kind": "Lookup", "key": "5"},
    {"kind": "Watch", "key": "5"},
    {"kind": "Unwatch", "key": "5"},
]

PLUS_HEADER = {**starts_of("skip_plus")["TWO"], "parameters": {"synchronous": False}, "origin": {"seed": 1}}
PLUS_STEP = {
    "node": "a:0",
    "took": "timeout",
    "state": node("b:1", stable=["b:1"], told=[["b:1", [[None, "a:0"]]]]),
    "sent": [{"id": 0, "to": "b:1", "message": update("a:0", "a:0", ranges=[ANYWHERE])}],
}
GONE: Line = {"kind": "Gone", "node": "b:1", "inserts": ["a:0"]}
PLUS_COMMANDS: list[Line] = [{"kind": "Join", "contact": "a:0"}, {"kind": "Join"}, {"kind": "Leave"}, {"kind": "Crash"}]

DELTA_HEADER = {**ONE, "origin": {"seed": 1}}
DELTA_STEP = {"node": A, "took": "timeout", "state": ONE["states"][A], "sent": []}
CONFIRM: Line = {"kind": "Confirm", "sender": C, "stream": [0, 1], "id": [A, 0, 1]}

LINES = {
    "skip_ring": Lines(HEADER, STEP, OF_PUBLICATIONS, RING_COMMANDS),
    "chord": Lines(CHORD_HEADER, CHORD_STEP, CHORD_MESSAGES, CHORD_COMMANDS),
    "skip_plus": Lines(PLUS_HEADER, PLUS_STEP, [GONE], PLUS_COMMANDS),
    "delta_fault_tolerance": Lines(DELTA_HEADER, DELTA_STEP, messages=[CONFIRM]),
}
