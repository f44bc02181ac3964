"""Where the golden traces begin, written by hand: headers as JSON values, still without `origin`."""

from typing import Any

from tests.golden.drive import Header, State, header


def subscriber(label: str | None = None, **variables: Any) -> State:
    """A subscriber's state: those variables, and nothing else."""
    empty: State = {"label": label, "left": None, "right": None, "ring": None, "shortcuts": [], "wants": True}
    return {**empty, **variables}


def start(database: list[Any], *subscribers: State, messages: tuple[tuple[str, Any], ...] = ()) -> Header:
    """The start of a system of a supervisor with that database, and v1, v2, ... with those states."""
    members = {f"v{number}": state for number, state in enumerate(subscribers, 1)}
    roles = {"supervisor": "supervisor", **dict.fromkeys(members, "subscriber")}
    states = {"supervisor": {"database": database, "next": 0}, **members}
    return header("skip_ring", {}, roles, states, messages)


V1, V2, V3, V4, V5 = ["0", "v1"], ["1", "v2"], ["01", "v3"], ["11", "v4"], ["001", "v5"]
"""The label of each node where all is well: l(0), l(1), ..."""

ONE_BLANK = start([], subscriber())
TWO_BLANK = start([], subscriber(), subscriber())

CORRUPTED_LABELS = start([V1, V2], subscriber("011"), subscriber("011"))
"""The supervisor knows both, but they have one and the same label, a wrong one for both, and do not know each other."""

MESSAGES_IN_FLIGHT = start(
    [V1],
    subscriber("1", left=["01", "v1"], ring=["11", "v3"]),
    subscriber("0", right=["0", "v3"], shortcuts=[["01", "v1"], ["1", None]]),
    subscriber(None, ring=["1", "v2"]),
    messages=(
        ("supervisor", {"kind": "Unsubscribe", "subscriber": "v1"}),
        ("v1", {"kind": "Linearize", "claim": ["011", "v2"]}),
        ("v2", {"kind": "SetData", "pred": ["0", "v3"], "label": "11", "succ": None}),
        ("v2", {"kind": "Present", "claim": ["0", "v3"], "flag": "CYC"}),
        ("v3", {"kind": "Check", "sender": ["1", "v1"], "label": "0", "flag": "LIN"}),
    ),
)

THREE_IN_A_RING = start(
    [V1, V3, V2],
    subscriber("0", right=V3, ring=V2, shortcuts=[V2]),
    subscriber("1", left=V3, ring=V1, shortcuts=[V1]),
    subscriber("01", left=V1, right=V2),
)

FIVE_IN_A_RING = start(
    [V1, V5, V3, V2, V4],
    subscriber("0", right=V5, ring=V4, shortcuts=[V3, V2]),
    subscriber("1", left=V3, right=V4, shortcuts=[V1]),
    subscriber("01", left=V5, right=V2, shortcuts=[V1]),
    subscriber("11", left=V2, ring=V1),
    subscriber("001", left=V1, right=V3),
)

CORRUPTED_DATABASE = {
    **THREE_IN_A_RING,
    "states": {
        **THREE_IN_A_RING["states"],
        "supervisor": {"database": [V1, ["001", None], ["011", "v2"], ["1", "v1"]], "next": 7},
    },
}
"""A ring of three; in its database v1 stands twice, v3 is missing, 001 has no node, and 011 is a label too far."""

SUPERVISOR_NAMED = start(
    [["0", "supervisor"], ["1", "v2"]],
    subscriber("1", left=["01", "supervisor"], ring=["0", "v2"], shortcuts=[["0", "supervisor"]]),
    subscriber("0", right=["1", "v1"]),
    messages=(
        ("supervisor", {"kind": "Subscribe", "subscriber": "supervisor"}),
        ("supervisor", {"kind": "GetConfiguration", "subscriber": "supervisor"}),
        ("supervisor", {"kind": "Unsubscribe", "subscriber": "supervisor"}),
        ("v1", {"kind": "SetData", "pred": ["0", "supervisor"], "label": "1", "succ": ["0", "supervisor"]}),
        ("v1", {"kind": "IntroduceShortcut", "claim": ["0", "supervisor"]}),
        ("v2", {"kind": "Linearize", "claim": ["01", "supervisor"]}),
        ("v2", {"kind": "Check", "sender": ["11", "supervisor"], "label": "0", "flag": "LIN"}),
        ("v2", {"kind": "Probe", "sender": "supervisor", "flag": "CYC"}),
        ("v2", {"kind": "Present", "claim": ["1", "supervisor"], "flag": "CYC"}),
    ),
)
"""The supervisor is recorded, stored as a neighbour, and named in messages, as if it were a subscriber."""

FORGOTTEN_RING = start([], subscriber("0", right=V2, ring=V2), subscriber("1", left=V1, ring=V1))
"""A ring of two of which the supervisor knows nothing: only nodes that ask will be recorded again."""

FALSE_CLAIM = {
    **THREE_IN_A_RING,
    "messages": [{"id": 0, "to": "v1", "message": {"kind": "Linearize", "claim": ["11", "v3"]}}],
}
"""A ring of three that is right, but for one message: v1 hears that v3 has the label 11."""
