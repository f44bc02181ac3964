"""The golden traces of the directory: three nodes in a list, and lies told among them."""

from copy import deepcopy
from typing import Any

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden import plain
from tests.golden.alterations import Alteration, at, state, took, unsent, until
from tests.golden.drive import Trace, header
from tests.golden.telling import HonestRun, TimeoutCase, negatives_of

LOW, HALF, HIGH = "00", "55", "aa"
"""The nodes. The key of "news" begins with 19, that of "sport" with ec: the least and the greatest node have them."""


def node(*neighbours: str, topics: tuple[str, ...] = (), entries: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The state of a node that belongs to the directory."""
    return {"live": True, "neighbours": list(neighbours), "topics": list(topics), "entries": [*map(list, entries)]}


ABSENT = {"live": False, "neighbours": [], "topics": [], "entries": []}


def start(low: Any, half: Any, high: Any, *messages: tuple[str, Any]) -> dict[str, Any]:
    """Those three nodes, each beside the next one."""
    states = {LOW: node(HALF, **low), HALF: node(LOW, HIGH, **half), HIGH: node(HALF, **high)}
    return header("topic_directory", {}, dict.fromkeys(states, "node"), states, messages)


NEWS, SPORT = {"topics": ("news",)}, {"topics": ("sport",)}
BOTH_ENDS = start(NEWS, SPORT, {"topics": ("news", "sport")})
FALSE = start(NEWS, {"entries": (("news", HALF), ("sport", LOW))}, {"entries": (("sport", HALF),)})
ON_ITS_WAY = start({}, NEWS, {}, (HIGH, {"kind": "Say", "topic": "news", "contact": HIGH}))
RIGHT = start({"entries": (("news", HALF),)}, NEWS, {})

STORIES = {
    "two_topics": HonestRun(BOTH_ENDS, 1),
    "false_entries_in_wrong_places": HonestRun(FALSE, 2),
    "a_false_word_on_its_way": HonestRun(ON_ITS_WAY, 3),
    "the_contact_takes_part_no_more": HonestRun(
        RIGHT,
        4,
        (PlannedCommand(1, HALF, "Retract", {"topic": "news"}), PlannedCommand(3, HIGH, "Announce", {"topic": "news"})),
    ),
    "the_one_that_is_responsible_crashes": HonestRun(
        RIGHT,
        5,
        (PlannedCommand(1, LOW, "Crash"), PlannedCommand(3, HALF, "Moved", {"neighbours": [HIGH]})),
    ),
}


def timeout_of(name: str) -> Alteration:
    """The first timeout of that node."""
    return took("timeout", lambda step, _before: step["node"] == name)


def told_that_it_is_its_own_neighbour(honest: Trace) -> Trace:
    """The middle node is told its own name from below, and nothing follows."""
    message = {"kind": "Stayed", "neighbours": [LOW, HALF, HIGH]}
    lie = until(honest, 1)
    return [*lie, {"node": HALF, "took": message, "state": deepcopy(lie[0]["states"][HALF]), "sent": []}]


def contact_that_is_not_there(honest: Trace) -> Trace:
    """The least node has a contact that is not among the roles, from the start."""
    lie = until(honest, 1)
    lie[0]["states"][LOW]["entries"] = [["news", plain.NOBODY]]
    return lie


def topics_not_in_order(honest: Trace) -> Trace:
    """The topics of the greatest node are in the wrong order from the start."""
    lie = until(honest, 1)
    lie[0]["states"][HIGH]["topics"].reverse()
    return lie


ALTERATIONS: dict[str, Alteration] = {
    "stored_where_no_node_looks": at(timeout_of(HIGH), lambda told: told.state["entries"].insert(0, ["news", HIGH])),
    "said_to_no_node": at(timeout_of(HIGH), unsent()),
    # The implementation has no rule for it either.
    "told_that_it_is_its_own_neighbour": told_that_it_is_its_own_neighbour,
    # The implementation refuses to go on from what is not canonical, and so do we.
    "contact_that_is_not_there": contact_that_is_not_there,
    "topics_not_in_order": topics_not_in_order,
    "entry_forgotten": at(timeout_of(LOW), state(entries=[])),
}

ALTERED = {"kind": "Deny", "topic": "news", "node": HIGH}
NEGATIVES = plain.lies(STORIES["two_topics"], ALTERED, {"topics": []}, seed=1) | negatives_of(
    "topic_directory", ALTERATIONS, {**STORIES, "right": HonestRun(RIGHT, 6)}
)

HASTE = TimeoutCase("A directory full of falsehoods, after as many rounds as the header allows.", FALSE, 1, seed=6)
