"""The golden traces of dissemination: three nodes in a list, and lies told among them."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from gomboc.checker.simulate.plan import PlannedCommand
from gomboc.spec.publishing.publications import Parameters, published
from tests.golden import plain
from tests.golden.drive import Trace, simulated
from tests.golden.telling import HonestRun, Lie, bad, expecting, honest, written

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
    return {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "dissemination",
        "parameters": {"key_bits": BITS},
        "roles": dict.fromkeys("abc", "member"),
        "states": {"a": node("b", **a), "b": node("a", "c", **b), "c": node("b", **c)},
        "messages": [{"id": number, "to": to, "message": said} for number, (to, said) in enumerate(messages)],
    }


APART = start({"held": (A1, A2)}, {}, {"held": (C1,)})
EQUAL = start(*[{"held": (A1, C1)}] * 3)
FALSE = start({"hashes": [["", "0" * 32]]}, {"held": (["0" * BITS, *A1[1:]], ["1" * BITS, *C1[1:4], "b"])}, {})
ON_ITS_WAY = start({}, {}, {}, ("b", {"kind": "Broadcast", "publication": A1, "low": None, "high": "b"}))

STORIES = {
    "each_end_holds_what_the_others_lack": HonestRun(APART, 1),
    "false_hashes_keys_and_signatures": HonestRun(FALSE, 2),
    "a_broadcast_that_leaves_one_out": HonestRun(ON_ITS_WAY, 3),
    "one_publishes": HonestRun(EQUAL, 4, (PlannedCommand(2, "b", "Issue", {"number": 1, "payload": "new"}),)),
    "one_unsubscribes_and_comes_back": HonestRun(
        EQUAL,
        5,
        (
            PlannedCommand(1, "c", "Unsubscribe", {"forget": True}),
            PlannedCommand(2, "b", "Moved", {"neighbours": ["a"]}),
            PlannedCommand(4, "c", "Subscribe"),
            PlannedCommand(5, "b", "Moved", {"neighbours": ["a", "c"]}),
            PlannedCommand(5, "c", "Moved", {"neighbours": ["b"]}),
        ),
    ),
}
TOLD, RIGHT = HonestRun(APART, 1), HonestRun(EQUAL, 6)
PUBLISHED = HonestRun(APART, 1, (PlannedCommand(0, "b", "Issue", {"number": 1, "payload": ""}),))


def step_that_publishes(trace: Trace) -> int:
    """The number of the step in which b publishes."""
    return next(number for number, step in enumerate(trace[1:], 1) if isinstance(step["took"], dict))


def part_given_to_no_node(trace: Trace) -> Trace:
    """b publishes, and leaves out c."""
    lie = deepcopy(trace[: step_that_publishes(trace) + 1])
    lie[-1]["sent"] = [send for send in lie[-1]["sent"] if send["to"] != "c"]
    return lie


def part_too_large(trace: Trace) -> Trace:
    """b publishes, and gives c the interval of all nodes."""
    lie = deepcopy(trace[: step_that_publishes(trace) + 1])
    next(send for send in lie[-1]["sent"] if send["to"] == "c")["message"]["low"] = None
    return lie


def not_handed_to_its_own_application(trace: Trace) -> Trace:
    """b publishes, and its own application does not hear of it."""
    lie = deepcopy(trace[: step_that_publishes(trace) + 1])
    del lie[-1]["delivered"]
    return lie


def compared_with_one_side_only(trace: Trace) -> Trace:
    """b has a timeout, and tells only a the root of its trie."""
    timeout = next(n for n, step in enumerate(trace[1:], 1) if (step["node"], step["took"]) == ("b", "timeout"))
    lie = deepcopy(trace[: timeout + 1])
    lie[-1]["sent"] = lie[-1]["sent"][:1]
    return lie


def told_that_it_is_its_own_neighbour(trace: Trace) -> Trace:
    """b is told from below that it is a neighbour of itself, for which there is no rule."""
    unchanged = deepcopy(trace[0]["states"]["b"])
    command = {"kind": "Moved", "neighbours": ["a", "b"]}
    return [deepcopy(trace[0]), {"node": "b", "took": command, "state": unchanged, "sent": []}]


def publications_forgotten(trace: Trace) -> Trace:
    """All is well, and has been from the start; then a, at a timeout, says that it holds nothing."""
    timeout = next(n for n, step in enumerate(trace[1:], 1) if (step["node"], step["took"]) == ("a", "timeout"))
    lie = deepcopy(trace[: timeout + 1])
    lie[-1]["state"] = {"live": True, "neighbours": ["b"]}
    return lie


def neighbour_that_is_not_there(trace: Trace) -> Trace:
    """a is told of a neighbour that is not among the roles."""
    command = {"kind": "Moved", "neighbours": ["b", plain.NOBODY]}
    state = {**trace[0]["states"]["a"], "neighbours": command["neighbours"]}
    return [deepcopy(trace[0]), {"node": "a", "took": command, "state": deepcopy(state), "sent": []}]


def keys_not_in_order(trace: Trace) -> Trace:
    """a holds two publications, and writes them down from the greater key to the lesser."""
    lie = deepcopy(trace[:1])
    lie[0]["states"]["a"]["publications"].reverse()
    return lie


LIES = (
    Lie(part_given_to_no_node, "issue", PUBLISHED),
    Lie(part_too_large, "issue", PUBLISHED),
    Lie(not_handed_to_its_own_application, "issue", PUBLISHED),
    Lie(compared_with_one_side_only, "compare", TOLD),
    Lie(plain.send_to_an_unknown_node, "known_node", TOLD),
    Lie(plain.step_by_an_unknown_node, "known_node", TOLD),
    Lie(plain.delivered_twice, "delivered_once", TOLD),
    Lie(plain.delivered_to_another_node, "delivered_to_target", TOLD),
    Lie(plain.delivered_before_it_was_sent, "sent_before_delivered", TOLD),
    Lie(plain.delivered_though_never_sent, "known_message", TOLD),
    Lie(
        plain.of(plain.altered_in_flight, {"kind": "CheckTrie", "sender": "c", "tuples": []}),
        "delivered_unaltered",
        TOLD,
    ),
    Lie(plain.id_given_twice, "fresh_id", TOLD),
    Lie(plain.id_given_twice_at_the_start, "fresh_id", TOLD, None),
    Lie(plain.of(plain.state_changed_between_steps, neighbours=[]), "steps_chain", TOLD),
    # The implementation has no rule for it either.
    Lie(told_that_it_is_its_own_neighbour, "input_has_rule", TOLD, None),
    # The implementation refuses to go on from what is not canonical, and so do we.
    Lie(neighbour_that_is_not_there, "canonical", TOLD, None),
    Lie(keys_not_in_order, "canonical", TOLD, None),
    Lie(publications_forgotten, "closure", RIGHT),
)


def slower_than_its_bound() -> Trace:
    """Three nodes that lack each other's publications, after as many rounds as the header allows."""
    trace = simulated(APART, 1, rounds=1)
    trace[0]["bound"] = 1
    return expecting(trace, slower_than_its_bound.__doc__, verdict="violated", step=len(trace) - 1, rule="convergence")


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of dissemination."""
    for name, story in STORIES.items():
        yield f"{name}.ok.jsonl", written(expecting(honest(story), verdict="holds"))
    for lie in LIES:
        yield f"{lie.told.__name__}.bad.jsonl", written(bad(lie))
    yield f"{slower_than_its_bound.__name__}.bad.jsonl", written(slower_than_its_bound())
