"""The golden traces of dissemination: three nodes in a list, and lies told among them."""

from typing import Any

from gomboc.spec.publishing.publications import Parameters, published
from tests.golden import plain
from tests.golden.alterations import Alteration, AlteredStep, at, at_start, first_of_all, of, took
from tests.golden.drive import header
from tests.golden.telling import negatives_of, stories_of

BITS = 12
A1, A2, C1 = (
    [each.key, each.publisher, each.number, each.payload, each.signer]
    for each in (
        published(node, number, "", Parameters(key_bits=BITS)) for node, number in (("a", 1), ("a", 2), ("c", 1))
    )
)


def node(*neighbours: str, held: tuple[Any, ...] = (), **more: Any) -> dict[str, Any]:
    """The state of a node that takes part, with those neighbours, and holds so much."""
    return {"live": True, "neighbours": list(neighbours), "publications": sorted(held), **more}


def start(a: Any, b: Any, c: Any, *messages: tuple[str, Any]) -> dict[str, Any]:
    """Three nodes, each beside the next one."""
    states = {"a": node("b", **a), "b": node("a", "c", **b), "c": node("b", **c)}
    return header("dissemination", {"key_bits": BITS}, dict.fromkeys("abc", "member"), states, messages)


APART = start({"held": (A1, A2)}, {}, {"held": (C1,)})
BOTH = {"held": (A1, C1)}
EQUAL = start(BOTH, BOTH, BOTH)
FALSE = start({"hashes": [["", "0" * 32]]}, {"held": (["0" * BITS, *A1[1:]], ["1" * BITS, *C1[1:4], "b"])}, {})
ON_ITS_WAY = start({}, {}, {}, ("b", {"kind": "Broadcast", "publication": A1, "low": None, "high": "b"}))

STORIES = stories_of("dissemination", globals())


def without_low(told: AlteredStep) -> None:
    """The part of c has no lower end."""
    next(send for send in told.sent if send["to"] == "c")["message"]["low"] = None


ALTERATIONS: dict[str, Alteration] = {
    "part_given_to_no_node": at(
        took("Issue"), lambda told: told.step.update(sent=[send for send in told.sent if send["to"] != "c"])
    ),
    "part_too_large": at(took("Issue"), without_low),
    "compared_with_one_side_only": at(of("timeout", "b"), lambda told: told.step.update(sent=told.sent[:1])),
    # The implementation has no rule for it either.
    "told_that_it_is_its_own_neighbour": first_of_all("b", {"kind": "Moved", "neighbours": ["a", "b"]}),
    # The implementation refuses to go on from what is not canonical, and so do we.
    "neighbour_that_is_not_there": first_of_all(
        "a", {"kind": "Moved", "neighbours": ["b", plain.NOBODY]}, neighbours=["b", plain.NOBODY]
    ),
    "keys_not_in_order": at_start(lambda header: header["states"]["a"]["publications"].reverse()),
    "publications_forgotten": at(
        of("timeout", "a"), lambda told: told.step.update(state={"live": True, "neighbours": ["b"]})
    ),
}

ALTERED = {"kind": "CheckTrie", "sender": "c", "tuples": []}
NEGATIVES = plain.lies(
    STORIES.runs["each_end_holds_what_the_others_lack"], ALTERED, {"neighbours": []}, seed=1
) | negatives_of("dissemination", ALTERATIONS, STORIES.runs)
