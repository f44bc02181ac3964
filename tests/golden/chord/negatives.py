"""Every way to lie in a run of Chord: the step of the lie, and what changes there. `negatives.toml` tells of each."""

from typing import Any

from tests.golden.alterations import (
    Alteration,
    AlteredStep,
    Fits,
    Step,
    also,
    as_before,
    at,
    changes,
    first_of_all,
    sends,
    state,
    took,
    undelivered,
    worded,
)
from tests.golden.chord.starts import N0, N4, N8, N12, RING
from tests.golden.drive import State


def status(name: str) -> Fits:
    """Whether the node has that status."""
    return lambda _step, before: bool(before["status"] == name)


INSIDE, OUTSIDE, CRASHED = map(status, ("inside", "outside", "crashed"))


def knows_a_predecessor(_step: Step, before: State) -> bool:
    """Whether the node knows its predecessor."""
    return before["predecessor"] is not None


def answers(step: Step, before: State) -> bool:
    """Whether the node is a member, and knows its predecessor."""
    return before["predecessor"] is not None and bool(step["sent"])


def ping(sender: str) -> dict[str, Any]:
    """A ping of that node."""
    return {"kind": "Ping", "sender": sender}


def pings(told: AlteredStep) -> dict[str, Any]:
    """A ping of the node itself."""
    return ping(told.step["node"])


def asks_again(told: AlteredStep) -> None:
    """The head is asked a second time."""
    (asked,) = (send for send in told.sent if send["message"]["kind"] == "StabilizeRequest")
    also(asked["to"], lambda _: asked["message"])(told)


def adopts(told: AlteredStep) -> None:
    """The candidate is made the head."""
    told.state["successors"] = [told.sent[0]["to"], *told.state["successors"]][:2]
    told.sent[0]["message"] = {"kind": "Notify", "sender": told.step["node"]}
    neighbours = {key: told.state[key] for key in ("predecessor", "successors")}
    told.step["delivered"] = [{"kind": "Neighbours", **neighbours}, *routes(told.step)]


ROUTES = "Route", "StillRoute"


def routes(step: Step) -> list[Any]:
    """The notifications of a step about next hops."""
    return [delivery for delivery in step.get("delivered", []) if delivery["kind"] in ROUTES]


def keeps_routes_to_itself(told: AlteredStep) -> None:
    """Only neighbours are told above."""
    told.step["delivered"] = [delivery for delivery in told.step["delivered"] if delivery["kind"] not in ROUTES]


def adopts_another(told: AlteredStep) -> None:
    """Another node becomes the predecessor than the one that has notified."""
    taken = told.state["predecessor"], told.step["node"]
    told.state["predecessor"] = next(name for name in RING if name not in taken)
    told.step["delivered"][0]["predecessor"] = told.state["predecessor"]


def forgets_its_predecessor(told: AlteredStep) -> None:
    """The node says, also above, that it has no predecessor."""
    told.state["predecessor"] = None
    neighbours = {"kind": "Neighbours", "predecessor": None, "successors": told.state["successors"]}
    told.step["delivered"] = [neighbours]


def keeps_its_list(told: AlteredStep) -> None:
    """The node keeps its list, and tells nothing above."""
    as_before("successors")(told)
    undelivered(told)


def after_the_crash(step: Step, before: State) -> bool:
    """Whether the node 0 has forgotten 12, which has crashed, and has its timeout."""
    return step["node"] == N0 and before["predecessor"] != N12 and N12 not in before["successors"]


def owned_by_the_asker(told: AlteredStep) -> None:
    """The first message says that its receiver is the owner."""
    told.sent[0]["message"]["owner"] = told.sent[0]["to"]


TIMEOUT = took("timeout", INSIDE)
NOTIFIED = took("Notify", lambda step, before: step["state"] != before)

ALTERATIONS: dict[str, Alteration] = {
    "asked_twice": at(TIMEOUT, asks_again),
    "same_finger_again": at(
        took("timeout", changes("next")), lambda told: told.state.update(next=(told.state["next"] - 1) % 4)
    ),
    "timeout_of_a_node_that_is_gone": at(took("timeout", CRASHED), also(N0, lambda _: ping(N12))),
    "nothing_told_of_the_predecessor": at(took("StabilizeRequest", answers), worded(predecessor=None)),
    "list_cut_in_an_answer": at(
        took("StabilizeRequest", answers), lambda told: told.sent[0]["message"]["successors"].pop()
    ),
    "adopted_unasked": at(took("StabilizeReply", sends("StabilizeRequest")), adopts),
    "route_not_told": at(took("StabilizeReply", lambda step, _: bool(routes(step))), keeps_routes_to_itself),
    "ping_answered": at(took("Ping", INSIDE), lambda told: also(N0 if told.step["node"] != N0 else N4, pings)(told)),
    "farther_one_adopted": at(NOTIFIED, adopts_another),
    "neighbours_not_told": at(NOTIFIED, lambda told: told.step.update(delivered=routes(told.step))),
    "head_copied_only": at(
        took("JoinRequest", sends("JoinReply")), lambda told: told.sent[0]["message"]["successors"].pop()
    ),
    "second_place_taken": at(took("JoinReply", knows_a_predecessor), forgets_its_predecessor),
    "outsider_answers": at(took("StabilizeRequest", OUTSIDE), also(N0, pings)),
    "dead_head_kept": at(took("Dead", changes("successors")), keeps_its_list),
    "key_owned_by_another": at(took("RouteRequest", sends("RouteReply")), owned_by_the_asker),
    "finger_of_oneself": at(took("FixFingerRequest", sends("FixFingerReply")), owned_by_the_asker),
    "finger_forgotten": at(took("FixFingerReply", lambda step, _: step["state"]["fingers"] != []), state(fingers=[])),
    "contact_of_ones_own": at(
        took("Join", lambda step, _: step["state"]["status"] == "outside"),
        lambda told: told.state.update(contact=N4 if told.state["contact"] != N4 else N0),
    ),
    "first_one_stays_outside": at(
        took("Join", lambda step, _: step["state"]["status"] == "inside"),
        lambda told: told.state.update(status="outside", contact=told.step["node"]),
        undelivered,
    ),
    "last_words_of_a_crash": at(took("Crash"), also(N0, lambda told: {"kind": "Dead", "node": told.step["node"]})),
    "route_not_repeated": at(TIMEOUT, keeps_routes_to_itself),
    "repeated_route_is_another": at(TIMEOUT, lambda told: told.step["delivered"][0].update(next=None)),
    # Both break the rule of the step, too.
    "list_out_of_order": at(took("timeout", after_the_crash), lambda told: told.state["successors"].reverse()),
    "two_members_skipped": at(took("timeout", after_the_crash), state(successors=[N8])),
    "successor_twice": at(TIMEOUT, lambda told: told.state.update(successors=[told.state["successors"][0]] * 2)),
    "list_too_long": at(
        TIMEOUT,
        lambda told: told.state.update(successors=[name for name in (N0, N4, N8, N12) if name != told.step["node"]]),
    ),
    "key_beyond_the_circle": first_of_all(N0, {"kind": "Lookup", "key": "10"}),
    "predecessor_forgotten": at(TIMEOUT, forgets_its_predecessor),
}
