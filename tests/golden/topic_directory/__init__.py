"""The golden traces of the directory: three nodes in a list, and lies told among them."""

from typing import Any

from tests.golden import plain
from tests.golden.alterations import Alteration, at, at_start, first_of_all, of
from tests.golden.drive import header
from tests.golden.telling import negatives_of, stories_of

LOW, HALF, HIGH = "00", "55", "aa"
"""The nodes. The key of "news" begins with 19, that of "sport" with ec: the least and the greatest node have them."""


def node(*neighbours: str, topics: tuple[str, ...] = (), entries: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The state of a node that belongs to the directory."""
    return {"live": True, "neighbours": list(neighbours), "topics": list(topics), "entries": [*map(list, entries)]}


ABSENT = {"live": False, "neighbours": [], "topics": [], "entries": []}


def start(low: Any, half: Any, high: Any, *messages: tuple[str, Any], **parameters: Any) -> dict[str, Any]:
    """Those three nodes, each beside the next one."""
    states = {LOW: node(HALF, **low), HALF: node(LOW, HIGH, **half), HIGH: node(HALF, **high)}
    return header("topic_directory", parameters, dict.fromkeys(states, "node"), states, messages)


NEWS, SPORT = {"topics": ("news",)}, {"topics": ("sport",)}
BOTH_ENDS = start(NEWS, SPORT, {"topics": ("news", "sport")})
FALSE = start(NEWS, {"entries": (("news", HALF), ("sport", LOW))}, {"entries": (("sport", HALF),)})
ON_ITS_WAY = start({}, NEWS, {}, (HIGH, {"kind": "Say", "topic": "news", "contact": HIGH}))
MANY = start({"entries": (("sport", LOW),)}, {"topics": ("news", "sport", "weather")}, {}, topics_in_period=1)
RIGHT = start({"entries": (("news", HALF),)}, NEWS, {})

STORIES = stories_of("topic_directory", globals())


ALTERATIONS: dict[str, Alteration] = {
    "stored_where_no_node_looks": at(of("timeout", HIGH), lambda told: told.state["entries"].insert(0, ["news", HIGH])),
    "a_turn_is_taken_twice": at(of("timeout", HALF), lambda told: told.state.pop("after")),
    # The implementation has no rule for it either.
    "told_that_it_is_its_own_neighbour": first_of_all(HALF, {"kind": "Stayed", "neighbours": [LOW, HALF, HIGH]}),
    # The implementation refuses to go on from what is not canonical, and so do we.
    "contact_that_is_not_there": at_start(
        lambda header: header["states"][LOW].update(entries=[["news", plain.NOBODY]])
    ),
    "topics_not_in_order": at_start(lambda header: header["states"][HIGH]["topics"].reverse()),
}

ALTERED = {"kind": "Deny", "topic": "news", "node": HIGH}
NEGATIVES = plain.lies(STORIES.runs["two_topics"], ALTERED, {"topics": []}, seed=1) | negatives_of(
    "topic_directory", ALTERATIONS, STORIES.runs
)
