"""The golden traces of Scribe: four nodes in a tree, and lies told among them."""

from copy import deepcopy
from typing import Any

from gomboc.checker.simulate.plan import PlannedCommand
from gomboc.spec.publishing.publications import Parameters, published
from tests.golden import plain
from tests.golden.alterations import (
    Alteration,
    AlteredStep,
    at,
    at_start,
    first_of_all,
    of,
    state,
    took,
    undelivered,
    unsent,
)
from tests.golden.drive import header
from tests.golden.telling import HonestRun, TimeoutCase, negatives_of

BITS = 12
HOPS = {"o": "o", "f": "o", "a": "f", "b": "o"}
"""a is below the forwarder f, and f and b are below the owner."""
C1 = published("b", 1, "", Parameters(key_bits=BITS))
HELD = [C1.key, "b", 1, "", "b"]


def start(*messages: tuple[str, Any], switch: bool = False, **more: dict[str, Any]) -> dict[str, Any]:
    """The nodes without a tree, but for `more` of some."""
    states = {name: {"wants": False, "next": hop, **more.get(name, {})} for name, hop in HOPS.items()}
    parameters = {"key_bits": BITS, **({"low": 1, "high": 2} if switch else {})}
    return header("scribe", parameters, dict.fromkeys(HOPS, "node"), states, messages)


WANTS = {"wants": True}
TREE = start(
    o={"children": [["f", 1]]},
    f={"parent": "o", "children": [["a", 1]]},
    a={"wants": True, "parent": "f"},
)
BOTH = start(
    o={"wants": True, "children": [["f", 1]]},
    f={"parent": "o", "children": [["a", 1]]},
    a={"wants": True, "parent": "f"},
)
OF_A: dict[str, Any] = {"number": 1, "payload": "new"}


def issue(at: float, node: str) -> PlannedCommand:
    """The node publishes."""
    return PlannedCommand(at, node, "Issue", OF_A)


STORIES = {
    "anything_at_first": HonestRun(
        start(
            ("a", {"kind": "Heartbeat", "sender": "b", "keys": []}),
            ("b", {"kind": "Submit", "publication": HELD}),
            o={"parent": "b", "children": [["a", 7], ["b", 2]]},
            f={"wants": True, "parent": "a", "children": [["o", 0]], "publications": [[*HELD[:4], "o"]]},
            a={"wants": True, "pending": [C1.key]},
            b={"parent": "a", "children": [["a", 1]], "publications": [HELD]},
        ),
        1,
    ),
    "a_non_subscriber_publishes": HonestRun(TREE, 2, (issue(2, "b"),)),
    "the_owner_publishes": HonestRun(TREE, 3, (issue(2, "o"),)),
    "the_owner_is_the_only_subscriber": HonestRun(start(o=WANTS), 4, (issue(2, "a"),)),
    "a_forwarder_subscribes_and_leaves_again": HonestRun(
        TREE,
        5,
        (issue(1, "a"), PlannedCommand(3, "f", "Subscribe"), PlannedCommand(6, "f", "Unsubscribe"), issue(8, "o")),
    ),
    "the_last_subscriber_leaves": HonestRun(TREE, 6, (issue(1, "a"), PlannedCommand(4, "a", "Unsubscribe"))),
    "a_parent_crashes_and_the_route_moves": HonestRun(
        TREE,
        7,
        (PlannedCommand(2, "f", "Crash"), PlannedCommand(4, "a", "Routed", {"next": "o"}), issue(8, "o")),
    ),
    "a_route_is_restated_otherwise": HonestRun(
        TREE, 11, (PlannedCommand(4, "a", "StillRouted", {"next": "o"}), issue(8, "o"))
    ),
    "the_method_changes": HonestRun(
        start(switch=True, o=WANTS),
        8,
        (
            PlannedCommand(1, "a", "Subscribe"),
            issue(8, "b"),
            PlannedCommand(9, "o", "Heard", {"publication": HELD}),
            PlannedCommand(14, "a", "Unsubscribe"),
            PlannedCommand(15, "o", "Unsubscribe"),
        ),
    ),
}
RUNS = {**STORIES, "right": HonestRun(TREE, 9), "published": HonestRun(BOTH, 10, (issue(2, "a"),))}


def counts_seven(told: AlteredStep) -> None:
    """The Subscribe says seven."""
    next(sent for sent in told.sent if sent["message"]["kind"] == "Subscribe")["message"]["count"] = 7


ALTERATIONS: dict[str, Alteration] = {
    "subscription_not_restated": at(of("timeout", "a"), unsent()),
    "count_made_up": at(of("timeout", "f"), counts_seven),
    "child_not_added": at(of("Subscribe", "o"), state(children=[])),
    "heartbeat_left_out": at(of("timeout", "f"), lambda told: told.sent.pop()),
    "sent_back": at(
        of("Publish", "f"), lambda told: told.sent.append({**deepcopy(told.sent[-1]), "id": 10**6, "to": "a"})
    ),
    "served_unasked": at(
        of("Publish", "f"), lambda told: told.step.update(delivered=told.sent[0]["message"]["publications"])
    ),
    "not_delivered": at(of("Issue", "a"), undelivered),
    "not_acknowledged": at(of("Submit", "o"), lambda told: told.sent.pop()),
    "leaver_forgets_at_once": at(
        took("timeout", lambda step, before: step["node"] == "a" and not before["wants"] and "publications" in before),
        lambda told: told.state.pop("publications"),
    ),
    "children_not_in_order": at_start(lambda header: header["states"]["o"]["children"].reverse()),
    "routed_to_a_stranger": first_of_all("a", {"kind": "Routed", "next": plain.NOBODY}, next=plain.NOBODY),
    "suspects_itself": first_of_all("a", {"kind": "Suspect", "node": "a"}),
    "child_forgotten": at(of("timeout", "o"), lambda told: told.state.pop("children")),
}
ALTERED = {"kind": "Leave", "sender": "b"}
NEGATIVES = plain.lies(RUNS["published"], ALTERED, {"delivered": [["b", 1]]}, seed=1) | negatives_of(
    "scribe", ALTERATIONS, RUNS
)

HASTE = TimeoutCase("A chain of two below the owner, after a single round.", start(a=WANTS), 1)
