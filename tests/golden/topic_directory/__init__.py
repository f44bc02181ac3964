"""The golden traces of the directory: three nodes in a list, and lies told among them."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden import plain
from tests.golden.drive import Trace, simulated
from tests.golden.telling import HonestRun, Lie, bad, expecting, honest, written

LOW, HALF, HIGH = "00", "55", "aa"
"""The nodes. The key of "news" begins with 19, that of "sport" with ec: the least and the greatest node have them."""


def node(*neighbours: str, topics: tuple[str, ...] = (), entries: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The state of a node that belongs to the directory."""
    return {"live": True, "neighbours": list(neighbours), "topics": list(topics), "entries": [*map(list, entries)]}


ABSENT = {"live": False, "neighbours": [], "topics": [], "entries": []}


def start(low: Any, half: Any, high: Any, *messages: tuple[str, Any]) -> dict[str, Any]:
    """Those three nodes, each beside the next one."""
    states = {LOW: node(HALF, **low), HALF: node(LOW, HIGH, **half), HIGH: node(HALF, **high)}
    return {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "topic_directory",
        "parameters": {},
        "roles": dict.fromkeys(states, "node"),
        "states": states,
        "messages": [{"id": number, "to": to, "message": said} for number, (to, said) in enumerate(messages)],
    }


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
TOLD = HonestRun(BOTH_ENDS, 1)


def first_timeout(trace: Trace, name: str) -> int:
    """The number of the step in which that node has its first timeout."""
    return next(n for n, step in enumerate(trace[1:], 1) if (step["node"], step["took"]) == (name, "timeout"))


def stored_where_no_node_looks(trace: Trace) -> Trace:
    """The greatest node says anew that it takes part in the news, and stores that itself; the least is responsible."""
    lie = deepcopy(trace[: first_timeout(trace, HIGH) + 1])
    lie[-1]["state"]["entries"].insert(0, ["news", HIGH])
    return lie


def said_to_no_node(trace: Trace) -> Trace:
    """The greatest node takes part in the news, and says so to no other node."""
    lie = deepcopy(trace[: first_timeout(trace, HIGH) + 1])
    lie[-1]["sent"] = []
    return lie


def told_that_it_is_its_own_neighbour(trace: Trace) -> Trace:
    """A node is told from below that it is a neighbour of itself, for which there is no rule."""
    message = {"kind": "Stayed", "neighbours": [LOW, HALF, HIGH]}
    return [
        deepcopy(trace[0]),
        {"node": HALF, "took": message, "state": deepcopy(trace[0]["states"][HALF]), "sent": []},
    ]


def contact_that_is_not_there(trace: Trace) -> Trace:
    """A node has a contact that is not among the roles."""
    lie = deepcopy(trace[:1])
    lie[0]["states"][LOW]["entries"] = [["news", plain.NOBODY]]
    return lie


def topics_not_in_order(trace: Trace) -> Trace:
    """A node writes its topics down from the last to the first."""
    lie = deepcopy(trace[:1])
    lie[0]["states"][HIGH]["topics"].reverse()
    return lie


def entry_forgotten(trace: Trace) -> Trace:
    """All is well, and has been from the start; then the least node, at a timeout, says that it knows no contact."""
    lie = deepcopy(trace[: first_timeout(trace, LOW) + 1])
    lie[-1]["state"]["entries"] = []
    return lie


LIES = (
    Lie(stored_where_no_node_looks, "end_period", TOLD),
    Lie(said_to_no_node, "end_period", TOLD),
    Lie(plain.send_to_an_unknown_node, "known_node", TOLD),
    Lie(plain.step_by_an_unknown_node, "known_node", TOLD),
    Lie(plain.delivered_twice, "delivered_once", TOLD),
    Lie(plain.delivered_to_another_node, "delivered_to_target", TOLD),
    Lie(plain.delivered_before_it_was_sent, "sent_before_delivered", TOLD),
    Lie(plain.delivered_though_never_sent, "known_message", TOLD),
    Lie(
        plain.of(plain.altered_in_flight, {"kind": "Deny", "topic": "news", "node": HIGH}), "delivered_unaltered", TOLD
    ),
    Lie(plain.id_given_twice, "fresh_id", TOLD),
    Lie(plain.id_given_twice_at_the_start, "fresh_id", TOLD, None),
    Lie(plain.of(plain.state_changed_between_steps, topics=[]), "steps_chain", TOLD),
    # The implementation has no rule for it either.
    Lie(told_that_it_is_its_own_neighbour, "input_has_rule", TOLD, None),
    # The implementation refuses to go on from what is not canonical, and so do we.
    Lie(contact_that_is_not_there, "canonical", TOLD, None),
    Lie(topics_not_in_order, "canonical", TOLD, None),
    Lie(entry_forgotten, "closure", HonestRun(RIGHT, 6)),
)


def slower_than_its_bound() -> Trace:
    """A directory full of falsehoods, after as many rounds as the header allows."""
    trace = simulated(FALSE, 2, rounds=1)
    trace[0]["bound"] = 1
    return expecting(trace, slower_than_its_bound.__doc__, verdict="violated", step=len(trace) - 1, rule="convergence")


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of the directory."""
    for name, story in STORIES.items():
        yield f"{name}.ok.jsonl", written(expecting(honest(story), verdict="holds"))
    for lie in LIES:
        yield f"{lie.told.__name__}.bad.jsonl", written(bad(lie))
    yield f"{slower_than_its_bound.__name__}.bad.jsonl", written(slower_than_its_bound())
