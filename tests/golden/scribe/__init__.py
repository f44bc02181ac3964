"""The golden traces of Scribe: four nodes in a tree, and lies told among them."""

from copy import deepcopy
from typing import Any

from gomboc.spec.publishing.publications import Parameters, published
from tests.golden import plain
from tests.golden.alterations import Alteration, AlteredStep, at, at_start, first_of_all, of, took
from tests.golden.drive import header
from tests.golden.telling import negatives_of, stories_of

BITS = 12
HOPS = {"o": "o", "f": "o", "a": "f", "b": "o"}
"""a is below the forwarder f, and f and b are below the owner."""
C1 = published("b", 1, "", Parameters(key_bits=BITS))
HELD = [C1.key, "b", 1, "", "b"]


def start(*messages: tuple[str, Any], **more: dict[str, Any]) -> dict[str, Any]:
    """The nodes without a tree, but for `more` of some."""
    states = {name: {"wants": False, "next": hop, **more.get(name, {})} for name, hop in HOPS.items()}
    return header("scribe", {"key_bits": BITS}, dict.fromkeys(HOPS, "node"), states, messages)


WANTS = {"wants": True}
STARTS = {
    "anything": start(
        ("a", {"kind": "Heartbeat", "sender": "b", "keys": []}),
        ("b", {"kind": "Submit", "publication": HELD}),
        o={"parent": "b", "children": [["a", 7], ["b", 2]]},
        f={"wants": True, "parent": "a", "children": [["o", 0]], "publications": [[*HELD[:4], "o"]]},
        a={"wants": True, "pending": [C1.key]},
        b={"parent": "a", "children": [["a", 1]], "publications": [HELD]},
    ),
    "tree": start(
        o={"children": [["f", 1]]},
        f={"parent": "o", "children": [["a", 1]]},
        a={"wants": True, "parent": "f"},
    ),
    "both_ends_want": start(
        o={"wants": True, "children": [["f", 1]]},
        f={"parent": "o", "children": [["a", 1]]},
        a={"wants": True, "parent": "f"},
    ),
    "owner_wants": start(o=WANTS),
    "chain": start(a=WANTS),
}
STORIES = stories_of("scribe", STARTS)


def counts_seven(told: AlteredStep) -> None:
    """The Subscribe says seven."""
    next(sent for sent in told.sent if sent["message"]["kind"] == "Subscribe")["message"]["count"] = 7


ALTERATIONS: dict[str, Alteration] = {
    "count_made_up": at(of("timeout", "f"), counts_seven),
    "heartbeat_left_out": at(of("timeout", "f"), lambda told: told.sent.pop()),
    "sent_back": at(
        of("Publish", "f"), lambda told: told.sent.append({**deepcopy(told.sent[-1]), "id": 10**6, "to": "a"})
    ),
    "served_unasked": at(
        of("Publish", "f"), lambda told: told.step.update(delivered=told.sent[0]["message"]["publications"])
    ),
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
NEGATIVES = plain.lies(STORIES.runs["published"], ALTERED, {"delivered": [["b", 1]]}, seed=1) | negatives_of(
    "scribe", ALTERATIONS, STORIES.runs
)
