"""Lines of traces of each protocol, and the changes that make a line bad: for schemas and decoders alike."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gomboc.spec.protocols import chord, skip_plus
from gomboc.spec.protocols.delta_fault_tolerance.state import Node
from tests.golden.chord.starts import IDEAL, N0, N4, N8, N12
from tests.golden.delta_fault_tolerance.starts import ONE, A, C
from tests.golden.skip_plus.starts import ANYWHERE, TWO, node, update
from tests.traces.reading import MISSING

Line = dict[str, Any]
Change = tuple[tuple[str | int, ...], Any]
"""A place in a line, and another value there."""


class Lines(NamedTuple):
    """A good header and step, changes that make each bad, and good messages and commands, each with all its keys."""

    header: Line
    step: Line
    bad_headers: Sequence[Change]
    bad_steps: Sequence[Change] = ()
    messages: Sequence[Line] = ()
    commands: Sequence[Line] = ()


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


REQUIRED_OF_HEADER = ["format", "version", "protocol", "parameters", "roles", "states", "messages", "origin"]
REQUIRED_OF_STEP = ["node", "took", "state", "sent"]
SENT = ("sent", 0)
SAID = (*SENT, "message")


RING_BAD_HEADERS = [
    *(((key,), MISSING) for key in REQUIRED_OF_HEADER),
    ((EXTRA,), 1),
    (("format",), "another-trace"),
    (("version",), 2),
    (("version",), "1"),
    (("protocol",), "no_ring"),
    (("protocol",), 1),
    (("parameters",), []),
    (("roles",), []),
    (("roles", "v1"), 1),
    (("roles", "v1"), "supervisor of nobody"),
    (("roles", "supervisor"), MISSING),
    (("roles", "supervisor"), "subscriber"),
    (("roles", "two words"), "subscriber"),
    (("roles", "v" * 65), "subscriber"),
    (("states",), []),
    (("states", "supervisor"), MISSING),
    (("states", "supervisor"), STATE),
    (("states", "supervisor", EXTRA), 1),
    (("states", "supervisor", "next"), "0"),
    (("states", "supervisor", "next"), 0.5),
    (("states", "supervisor", "database"), {}),
    (("states", "supervisor", "database", 0), ["0"]),
    (("states", "supervisor", "database", 0), "0"),
    (("states", "supervisor", "database", 0, 1), 7),
    (("states", "v1"), None),
    (("states", "v1", EXTRA), 1),
    (("states", "v1", "left"), "v2"),
    (("states", "v1", "left"), ["1", None]),
    (("states", "v1", "left"), [1, "v2"]),
    (("states", "v1", "wants"), 1),
    (("states", "v1", "wants"), None),
    (("states", "v1", "shortcuts"), None),
    (("messages",), {}),
    (("messages", 0), CHECK),
    (("messages", 0, "id"), MISSING),
    (("messages", 0, "id"), -1),
    (("messages", 0, "id"), 2**53),
    (("messages", 0, "id"), "0"),
    (("messages", 0, "to"), None),
    (("messages", 0, "message"), MISSING),
    (("messages", 0, EXTRA), 1),
    (("origin",), "a hand"),
    (("origin", "seed"), None),
    (("origin", "seed"), True),
    (("bound",), "3"),
    (("bound",), 0.5),
    (("expect",), "holds"),
    (("expect", "verdict"), "open"),
    (("expect", "verdict"), MISSING),
    (("expect", "step"), "1"),
    (("expect", EXTRA), 1),
    (("states", "supervisor", "database"), MISSING),
    (("states", "supervisor", "next"), MISSING),
    *((("states", "v1", key), MISSING) for key in STATE),
    (("states", "v1", "right"), ["1", "v2", "v3"]),
    (("states", "supervisor", "database", 0), ["0", "v1", "v2"]),
    (("messages", 0, "message", "sender"), ["1", "v2", 7]),
    (("bound",), -1),
    (("expect", "rule"), MISSING),
    (("expect", "step"), -1),
    (("parameters",), {"ring": 1}),
    *((("parameters",), wrong) for wrong in ({"key_bits": 0}, {"key_bits": 257}, {"chunk": 1}, {"key_bits": "4"})),
    (("parameters",), {"key_bits": 4, "keep": 0}),
]

RING_BAD_STEPS = [
    *(((key,), MISSING) for key in REQUIRED_OF_STEP),
    ((EXTRA,), 1),
    (("node",), 1),
    (("took",), None),
    (("took",), "time-out"),
    (("took",), -1),
    (("took",), 2**53),
    (("took",), 0.5),
    (("took",), True),
    (("took",), [0]),
    (("took",), {}),
    (("took",), {"kind": "resubscribe"}),
    (("took",), {"kind": "Subscribe", EXTRA: 1}),
    (("state",), None),
    (("state",), {"database": [], "next": 0}),
    (("state", EXTRA), 1),
    (("state", "label"), 0),
    (("sent",), None),
    (("sent",), {}),
    ((*SENT, "id"), MISSING),
    ((*SENT, "to"), 1),
    ((*SENT, EXTRA), 1),
    (SAID, None),
    (SAID, "SetData"),
    ((*SAID, "kind"), MISSING),
    ((*SAID, "kind"), "GetData"),
    ((*SAID, "kind"), "Check"),
    ((*SAID, "pred"), MISSING),
    ((*SAID, "succ"), "v2"),
    ((*SAID, EXTRA), 1),
    (("delivered",), None),
    (("delivered",), "0"),
    (("coin",), 1),
    (("received",), "Check"),
    (("received", "label"), None),
    (("received", "flag"), "ring"),
    (("received", "sender"), ["1"]),
    (("at",), "now"),
    *(((key,), None) for key in ("coin", "before", "received", "at")),
    (("before",), 1),
    (("before",), []),
    (("before",), {**STATE, EXTRA: 1}),
    (("before",), {"database": [], "next": 0}),
]

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


CHORD_BAD_HEADERS = [
    (("parameters", "bits"), 0),
    (("parameters", "bits"), 257),
    (("parameters", "ids"), "name"),
    (("parameters", "r"), 0),
    (("parameters", "meet"), 1),
    (("parameters", "rounds"), True),
    (("roles", N0), "subscriber"),
    (("states", N0), None),
    *((("states", N0, key), MISSING) for key in chord.state.Node.__struct_fields__),
    (("states", N0, "label"), "0"),
    (("states", N0, "status"), "gone"),
    (("states", N0, "next"), None),
    (("states", N0, "fingers"), [[3]]),
    (("messages",), [{"id": 0, "to": N0, "message": {"kind": "Insert", "node": N4}}]),
]

CHORD_BAD_STEPS = [
    (("took",), {"kind": "Join"}),
    (("took",), {"kind": "Join", "contact": None}),
    (("took",), {"kind": "Leave", "contact": N4}),
    (("took",), {"kind": "Subscribe"}),
    (("state", "peers"), None),
    (("sent", 0, "message", "sender"), MISSING),
    (("sent", 2, "message", "finger"), "3"),
    (("received",), {"kind": "Dead", "node": N0, "sender": N4}),
    (("before",), {}),
]

PLUS_HEADER = {**TWO, "parameters": {"synchronous": False}, "origin": {"seed": 1}}
PLUS_STEP = {
    "node": "a:0",
    "took": "timeout",
    "state": node("b:1", stable=["b:1"], told=[["b:1", [[None, "a:0"]]]]),
    "sent": [{"id": 0, "to": "b:1", "message": update("a:0", "a:0", ranges=[ANYWHERE])}],
}
GONE: Line = {"kind": "Gone", "node": "b:1", "inserts": ["a:0"]}
PLUS_COMMANDS: list[Line] = [{"kind": "Join", "contact": "a:0"}, {"kind": "Join"}, {"kind": "Leave"}, {"kind": "Crash"}]


PLUS_BAD_HEADERS = [
    (("parameters", "synchronous"), 1),
    (("parameters", "rounds"), True),
    (("roles", "a:0"), "subscriber"),
    (("roles", "c"), "node"),
    (("states", "a:0"), None),
    *((("states", "a:0", key), MISSING) for key in skip_plus.state.Node.__struct_fields__),
    (("states", "a:0", "label"), "0"),
    (("states", "a:0", "live"), 1),
    (("states", "a:0", "told"), [["b:1"]]),
    (("states", "a:0", "told"), [["b:1", [[None]]]]),
    (("messages",), [{"id": 0, "to": "a:0", "message": {"kind": "Insert", "node": "b:1"}}]),
]

PLUS_BAD_STEPS = [
    (("took",), {"kind": "Join", "contact": 1}),
    (("took",), {"kind": "Leave", "contact": "b:1"}),
    (("took",), {"kind": "Subscribe"}),
    (("state", "gone"), None),
    (("sent", 0, "message", "ranges"), MISSING),
    (("sent", 0, "message", "ranges"), [["a:0", None, None]]),
    (("sent", 0, "message", "inserts"), [1]),
    (("received",), {**GONE, "sender": "a:0"}),
    (("before",), {}),
]

DELTA_HEADER = {**ONE, "origin": {"seed": 1}}
DELTA_STEP = {"node": A, "took": "timeout", "state": ONE["states"][A], "sent": []}
CONFIRM: Line = {"kind": "Confirm", "sender": C, "stream": [0, 1], "id": [A, 0, 1]}


DELTA_BAD_HEADERS = [
    (("parameters", "delta"), -1),
    (("parameters", "delta"), 1.5),
    (("parameters", "r"), 1),
    (("parameters", "audit"), 1),
    (("roles", A), "subscriber"),
    (("states", A), None),
    *((("states", A, key), MISSING) for key in Node.__struct_fields__),
    (("states", A, "status"), "gone"),
    (("states", A, "rows"), [["b", "b"]]),
    (("states", A, "known"), "b.1"),
    (("messages",), [{"id": 0, "to": A, "message": {"kind": "Insert"}}]),
    (("messages",), [{"id": 0, "to": A, "message": {**CONFIRM, "id": [A, 0]}}]),
]

LINES = {
    "skip_ring": Lines(HEADER, STEP, RING_BAD_HEADERS, RING_BAD_STEPS, OF_PUBLICATIONS, RING_COMMANDS),
    "chord": Lines(CHORD_HEADER, CHORD_STEP, CHORD_BAD_HEADERS, CHORD_BAD_STEPS, CHORD_MESSAGES, CHORD_COMMANDS),
    "skip_plus": Lines(PLUS_HEADER, PLUS_STEP, PLUS_BAD_HEADERS, PLUS_BAD_STEPS, [GONE], PLUS_COMMANDS),
    "delta_fault_tolerance": Lines(DELTA_HEADER, DELTA_STEP, DELTA_BAD_HEADERS, messages=[CONFIRM]),
}
