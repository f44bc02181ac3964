"""Every way to lie in a run of Chord, each as one function: the run as far as the lie, with nothing else wrong."""

from copy import deepcopy
from typing import Any

from tests.golden.chord.starts import N0, N4, N8, N12, RING
from tests.golden.drive import Trace, next_id, reached
from tests.golden.plain import NOBODY, State, Step, took


def says(lie: Trace, to: str, message: dict[str, Any]) -> Trace:
    """The same run, whose last step sends this besides."""
    lie[-1]["sent"].append({"id": next_id(lie), "to": to, "message": message})
    return lie


def inside(_step: Step, before: State) -> bool:
    """Whether the node is a member."""
    return bool(before["status"] == "inside")


def outside(_step: Step, before: State) -> bool:
    """Whether the node is outside."""
    return bool(before["status"] == "outside")


def answers(step: Step, before: State) -> bool:
    """Whether the node is a member, and knows its predecessor."""
    return before["predecessor"] is not None and bool(step["sent"])


# What a node does by itself.


def no_node_is_asked(honest: Trace) -> Trace:
    """A member has its timeout, and pings its predecessor, but does not ask its head."""
    lie = took("timeout", inside)(honest)
    lie[-1]["sent"] = [send for send in lie[-1]["sent"] if send["message"]["kind"] != "StabilizeRequest"]
    return lie


def predecessor_never_pinged(honest: Trace) -> Trace:
    """A member has its timeout, and asks its head, but does not look whether its predecessor is there."""
    lie = took("timeout", lambda _step, before: before["predecessor"] is not None)(honest)
    lie[-1]["sent"] = [send for send in lie[-1]["sent"] if send["message"]["kind"] != "Ping"]
    return lie


def asked_twice(honest: Trace) -> Trace:
    """A member asks its head twice in one timeout."""
    lie = took("timeout", inside)(honest)
    (asked,) = (send for send in lie[-1]["sent"] if send["message"]["kind"] == "StabilizeRequest")
    return says(lie, asked["to"], asked["message"])


def finger_not_looked_up(honest: Trace) -> Trace:
    """A member has its timeout, and looks up no finger, though it says that the next one is due."""
    lie = took("timeout", lambda step, _: any(send["message"]["kind"] == "FixFingerRequest" for send in step["sent"]))(
        honest
    )
    lie[-1]["sent"] = [send for send in lie[-1]["sent"] if send["message"]["kind"] != "FixFingerRequest"]
    return lie


def same_finger_again(honest: Trace) -> Trace:
    """A member looks up a finger, and would look up the same one again next time."""
    lie = took("timeout", lambda step, before: step["state"]["next"] != before["next"])(honest)
    lie[-1]["state"]["next"] = (lie[-1]["state"]["next"] - 1) % 4
    return lie


def contact_not_asked(honest: Trace) -> Trace:
    """A joining node has its timeout, and asks no node."""
    lie = took("timeout", lambda _step, before: before["contact"] is not None)(honest)
    lie[-1]["sent"] = []
    return lie


def timeout_of_a_node_that_is_gone(honest: Trace) -> Trace:
    """A crashed node has a timeout, and pings another node."""
    return says(took("timeout", lambda _step, before: before["status"] == "crashed")(honest), N0, ping(N12))


def ping(sender: str) -> dict[str, Any]:
    """A ping of that node."""
    return {"kind": "Ping", "sender": sender}


# What a node does with a message.


def nothing_told_of_the_predecessor(honest: Trace) -> Trace:
    """A member is asked for its state, and says that it has no predecessor."""
    lie = took("StabilizeRequest", answers)(honest)
    lie[-1]["sent"][0]["message"]["predecessor"] = None
    return lie


def list_cut_in_an_answer(honest: Trace) -> Trace:
    """A member is asked for its state, and tells its head only, not its whole list."""
    lie = took("StabilizeRequest", answers)(honest)
    lie[-1]["sent"][0]["message"]["successors"].pop()
    return lie


def list_not_learnt(honest: Trace) -> Trace:
    """A member hears its head's list, and keeps its own; it notifies, as it should."""
    lie = took("StabilizeReply", lambda step, before: step["state"]["successors"] != before["successors"])(honest)
    node = lie[-1]["node"]
    lie[-1]["state"] = reached(lie[:-1])[0][node]
    del lie[-1]["delivered"]
    return lie


def adopted_unasked(honest: Trace) -> Trace:
    """A member hears of a node nearer than its head, and makes it its head before it has answered."""
    lie = took(
        "StabilizeReply", lambda step, _: [send["message"]["kind"] for send in step["sent"]] == ["StabilizeRequest"]
    )(honest)
    step, candidate = lie[-1], lie[-1]["sent"][0]["to"]
    step["state"]["successors"] = [candidate, *step["state"]["successors"]][:2]
    step["sent"][0]["message"] = {"kind": "Notify", "sender": step["node"]}
    neighbours = {key: step["state"][key] for key in ("predecessor", "successors")}
    step["delivered"] = [{"kind": "Neighbours", **neighbours}, *_routes(step)]
    return lie


def _routes(step: Step) -> list[Any]:
    return [delivery for delivery in step.get("delivered", []) if delivery["kind"] == "Route"]


def head_not_notified(honest: Trace) -> Trace:
    """A member hears its head's state, in which no node is nearer, and does not notify it."""
    lie = took("StabilizeReply", lambda step, _: [send["message"]["kind"] for send in step["sent"]] == ["Notify"])(
        honest
    )
    lie[-1]["sent"] = []
    return lie


def ping_answered(honest: Trace) -> Trace:
    """A member is pinged, and pings back."""
    lie = took("Ping", inside)(honest)
    return says(lie, N0 if lie[-1]["node"] != N0 else N4, ping(lie[-1]["node"]))


def farther_one_adopted(honest: Trace) -> Trace:
    """A member that has no predecessor is notified, and takes another node for it."""
    lie = took("Notify", lambda step, before: step["state"] != before)(honest)
    state = lie[-1]["state"]
    state["predecessor"] = next(name for name in RING if name not in (state["predecessor"], lie[-1]["node"]))
    lie[-1]["delivered"][0]["predecessor"] = state["predecessor"]
    return lie


def neighbours_not_told(honest: Trace) -> Trace:
    """A member adopts a predecessor, and does not tell the layer above."""
    lie = took("Notify", lambda step, before: step["state"] != before)(honest)
    lie[-1]["delivered"] = _routes(lie[-1])
    return lie


def route_not_told(honest: Trace) -> Trace:
    """The next hop towards a key changes at a member, which does not tell the layer above."""
    lie = took("StabilizeReply", lambda step, _: bool(_routes(step)))(honest)
    lie[-1]["delivered"] = [delivery for delivery in lie[-1]["delivered"] if delivery["kind"] != "Route"]
    return lie


def head_copied_only(honest: Trace) -> Trace:
    """The member before a joiner gives it the head only, and not its whole list."""
    lie = took("JoinRequest", lambda step, _: step["sent"] != [] and step["sent"][0]["message"]["kind"] == "JoinReply")(
        honest
    )
    lie[-1]["sent"][0]["message"]["successors"].pop()
    return lie


def joiner_sent_away(honest: Trace) -> Trace:
    """A member that is not before a joiner does not send its question on."""
    lie = took(
        "JoinRequest", lambda step, _: step["sent"] != [] and step["sent"][0]["message"]["kind"] == "JoinRequest"
    )(honest)
    lie[-1]["sent"] = []
    return lie


def second_place_taken(honest: Trace) -> Trace:
    """A member is given a place, and takes the giver for its predecessor."""
    lie = took("JoinReply", lambda _step, before: before["predecessor"] is not None)(honest)
    lie[-1]["state"]["predecessor"] = None
    lie[-1]["delivered"] = [{"kind": "Neighbours", "predecessor": None, "successors": lie[-1]["state"]["successors"]}]
    return lie


def place_refused(honest: Trace) -> Trace:
    """A joining node is given a place, and stays outside."""
    lie = took("JoinReply", outside)(honest)
    lie[-1]["state"] = reached(lie[:-1])[0][lie[-1]["node"]]
    del lie[-1]["delivered"]
    return lie


def outsider_answers(honest: Trace) -> Trace:
    """A node outside is asked for its state, and says that it is there."""
    lie = took("StabilizeRequest", outside)(honest)
    return says(lie, N0, ping(lie[-1]["node"]))


def no_word_from_a_node_that_is_gone(honest: Trace) -> Trace:
    """A crashed node is asked, and no reply says that it has crashed."""
    lie = took("StabilizeRequest", lambda _step, before: before["status"] == "crashed")(honest)
    lie[-1]["sent"] = []
    return lie


def dead_head_kept(honest: Trace) -> Trace:
    """A member hears that its head has crashed, and keeps it in its list."""
    lie = took("Dead", lambda step, before: step["state"]["successors"] != before["successors"])(honest)
    before = reached(lie[:-1])[0][lie[-1]["node"]]
    lie[-1]["state"]["successors"] = before["successors"]
    del lie[-1]["delivered"]
    return lie


def key_owned_by_another(honest: Trace) -> Trace:
    """A lookup arrives at the owner of its key, which says that another node owns it."""
    lie = took(
        "RouteRequest", lambda step, _: step["sent"] != [] and step["sent"][0]["message"]["kind"] == "RouteReply"
    )(honest)
    lie[-1]["sent"][0]["message"]["owner"] = lie[-1]["sent"][0]["to"]
    return lie


def lookup_lost(honest: Trace) -> Trace:
    """A lookup arrives at a node that does not own its key, and is not sent on."""
    lie = took(
        "RouteRequest", lambda step, _: step["sent"] != [] and step["sent"][0]["message"]["kind"] == "RouteRequest"
    )(honest)
    lie[-1]["sent"] = []
    return lie


def answer_kept_from_the_application(honest: Trace) -> Trace:
    """The answer to a lookup arrives, and the application does not hear it."""
    lie = took("RouteReply", inside)(honest)
    del lie[-1]["delivered"]
    return lie


def finger_of_oneself(honest: Trace) -> Trace:
    """A finger's lookup arrives at the owner of its place, which says that the asker owns it."""
    fits = took(
        "FixFingerRequest",
        lambda step, _: step["sent"] != [] and step["sent"][0]["message"]["kind"] == "FixFingerReply",
    )
    lie = fits(honest)
    lie[-1]["sent"][0]["message"]["owner"] = lie[-1]["sent"][0]["to"]
    return lie


def finger_forgotten(honest: Trace) -> Trace:
    """A member hears the owner of a finger's place, and forgets that finger."""
    lie = took("FixFingerReply", lambda step, _: step["state"]["fingers"] != [])(honest)
    lie[-1]["state"]["fingers"] = []
    return lie


# What a node is told to do.


def contact_of_ones_own(honest: Trace) -> Trace:
    """A node is told to join through one member, and means to ask another."""
    lie = took("Join", lambda step, _: step["state"]["status"] == "outside")(honest)
    lie[-1]["state"]["contact"] = N4 if lie[-1]["state"]["contact"] != N4 else N0
    return lie


def first_one_stays_outside(honest: Trace) -> Trace:
    """A node is told to begin a ring, and asks itself to be let in instead."""
    lie = took("Join", lambda step, _: step["state"]["status"] == "inside")(honest)
    lie[-1]["state"].update(status="outside", contact=lie[-1]["node"])
    del lie[-1]["delivered"]
    return lie


def left_without_a_word(honest: Trace) -> Trace:
    """A member leaves, and tells no other node."""
    lie = took("Leave")(honest)
    lie[-1]["sent"] = []
    return lie


def last_words_of_a_crash(honest: Trace) -> Trace:
    """A member crashes, and still tells another node."""
    lie = took("Crash")(honest)
    return says(lie, N0, {"kind": "Dead", "node": lie[-1]["node"]})


def peers_not_kept(honest: Trace) -> Trace:
    """The membership names its peers to a node, which does not take note."""
    lie = took("Peers")(honest)
    lie[-1]["state"]["peers"] = []
    return lie


def suspicion_ignored(honest: Trace) -> Trace:
    """The detector says that a node's head has crashed, and the node keeps it."""
    lie = took("Suspect", lambda step, before: step["state"]["successors"] != before["successors"])(honest)
    lie[-1]["state"] = reached(lie[:-1])[0][lie[-1]["node"]]
    del lie[-1]["delivered"]
    return lie


# What nothing allows.


def successor_twice(honest: Trace) -> Trace:
    """A member says that it has the same successor twice."""
    lie = took("timeout", inside)(honest)
    lie[-1]["state"]["successors"] = [lie[-1]["state"]["successors"][0]] * 2
    return lie


def list_too_long(honest: Trace) -> Trace:
    """A member says that it has three successors, in a ring of lists of two."""
    lie = took("timeout", inside)(honest)
    lie[-1]["state"]["successors"] = [name for name in (N0, N4, N8, N12) if name != lie[-1]["node"]]
    return lie


def key_beyond_the_circle(honest: Trace) -> Trace:
    """An application looks up a key of two digits on a circle of sixteen ids."""
    lie = deepcopy(honest[:1])
    return [*lie, {"node": N0, "took": {"kind": "Lookup", "key": "10"}, "state": lie[0]["states"][N0], "sent": []}]


def crashed_and_knows(honest: Trace) -> Trace:
    """A crashing node still says its predecessor."""
    lie = took("Crash")(honest)
    lie[-1]["state"]["predecessor"] = N0
    return lie


def node_that_is_not_there(honest: Trace) -> Trace:
    """A member names a predecessor that is not among the roles."""
    lie = took("timeout", inside)(honest)
    lie[-1]["state"]["predecessor"] = NOBODY
    return lie


def predecessor_forgotten(honest: Trace) -> Trace:
    """All is well, and has been from the start; then a member, at a timeout, says that it has no predecessor."""
    lie = took("timeout", inside)(honest)
    state = lie[-1]["state"]
    state["predecessor"] = None
    lie[-1]["delivered"] = [{"kind": "Neighbours", "predecessor": None, "successors": state["successors"]}]
    return lie


def after_the_crash(step: Step, before: State) -> bool:
    """Whether the node 0 has forgotten 12, which has crashed, and has its timeout."""
    return step["node"] == N0 and before["predecessor"] != N12 and N12 not in before["successors"]


def list_out_of_order(honest: Trace) -> Trace:
    """A member, at a timeout, says that the farther one of its successors is its head."""
    lie = took("timeout", after_the_crash)(honest)
    lie[-1]["state"]["successors"].reverse()
    return lie


def two_members_skipped(honest: Trace) -> Trace:
    """A member, at a timeout, says that its head is the third one after it; three are left that no list skips."""
    lie = took("timeout", after_the_crash)(honest)
    lie[-1]["state"]["successors"] = [N8]
    return lie
