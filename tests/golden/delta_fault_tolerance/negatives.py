"""Ways to lie in a run of delta-fault-tolerance: the run as far as the lie, with nothing else wrong."""

from collections.abc import Callable
from copy import deepcopy

from tests.golden.drive import Trace, reached, taken
from tests.golden.plain import State, Step, took


def sends(kind: str) -> Callable[[Step, State], bool]:
    """Whether a step sends such a message."""
    return lambda step, _before: any(sent["message"]["kind"] == kind for sent in step["sent"])


def without(lie: Trace, kind: str) -> Trace:
    """The same run; its last step does not send such messages."""
    lie[-1]["sent"] = [sent for sent in lie[-1]["sent"] if sent["message"]["kind"] != kind]
    return lie


def confirmation_withheld(honest: Trace) -> Trace:
    """The last broker on the way has a publication, and does not confirm it."""
    return without(took("Publication", sends("Confirm"))(honest), "Confirm")


def subscription_not_stored(honest: Trace) -> Trace:
    """A subscription arrives, and the table stays as it was."""
    lie = took("Subscription")(honest)
    lie[-1]["state"]["rows"] = []
    return lie


def publication_not_delivered(honest: Trace) -> Trace:
    """A publication arrives at a broker with a subscribed client, which is not handed it."""
    lie = took("Publication", lambda step, _before: bool(step.get("delivered")))(honest)
    del lie[-1]["delivered"]
    return lie


def published_to_no_node(honest: Trace) -> Trace:
    """A client publishes, and nothing is sent."""
    return without(took("Publish", sends("Forward"))(honest), "Forward")


def subscribed_at_once(honest: Trace) -> Trace:
    """A client is told that it has subscribed before anybody has confirmed that."""
    lie = took("Subscribe", sends("Forward"))(honest)
    lie[-1]["delivered"] = [{"kind": "Subscribed", "filter": lie[-1]["took"]["filter"]}]
    return lie


def end_not_told(honest: Trace) -> Trace:
    """A client ends its subscription, and no other broker hears of it."""
    return without(took("Unsubscribe", sends("Forward"))(honest), "Forward")


def confirmed_before_the_rest(honest: Trace) -> Trace:
    """A confirmation arrives, and everything that waits for others as well is forgotten."""
    lie = took("Confirm", lambda step, _before: any(entry["waiting"] for entry in step["state"]["entries"]))(honest)
    lie[-1]["state"]["entries"] = []
    return lie


def failure_not_bypassed(honest: Trace) -> Trace:
    """A broker hears that a neighbour has failed, and asks no broker beyond."""
    return without(took("Down", sends("Connect"))(honest), "Connect")


def client_forgotten_in_a_crash(honest: Trace) -> Trace:
    """A broker crashes, and loses its incarnation."""
    lie = took("Crash")(honest)
    lie[-1]["state"]["incarnation"] = 7
    return lie


def recovers_alone(honest: Trace) -> Trace:
    """A broker comes back, and asks one neighbour only."""
    lie = took("Restart", lambda step, _before: len(step["sent"]) > 1)(honest)
    del lie[-1]["sent"][-1]
    return lie


def no_table_told(honest: Trace) -> Trace:
    """A broker that recovers asks, and is told no table."""
    return without(took("Recover", sends("Table"))(honest), "Table")


def stamps_before_the_table(honest: Trace) -> Trace:
    """A broker that recovers is told stamps before the table, on the same link."""
    lie = took("Recover", sends("Stamps"))(honest)
    lie[-1]["sent"].reverse()
    return lie


def table_not_kept(honest: Trace) -> Trace:
    """A broker that recovers is told a table, and does not keep it."""
    lie = took("Table")(honest)
    lie[-1]["state"]["answers"] = []
    return lie


def stamps_not_kept(honest: Trace) -> Trace:
    """A broker that recovers is told stamps, and records none."""
    lie = took("Stamps", lambda step, before: step["state"]["seen"] != before["seen"])(honest)
    lie[-1]["state"]["seen"] = []
    return lie


def question_not_answered(honest: Trace) -> Trace:
    """A broker is asked for a connection, and does not answer."""
    return without(took("Connect", sends("Connect"))(honest), "Connect")


def bypass_kept(honest: Trace) -> Trace:
    """A broker hears that a neighbour is operational again, and says nothing to its connections past it."""
    return without(took("Status", sends("Close"))(honest), "Close")


def connection_kept_though_closed(honest: Trace) -> Trace:
    """A connection is closed, and the other end keeps it."""
    lie = took("Close", lambda step, before: step["state"]["connections"] != before["connections"])(honest)
    states, _ = reached(lie[:-1])
    lie[-1]["state"]["connections"] = states[lie[-1]["node"]]["connections"]
    return lie


def joins_by_itself(honest: Trace) -> Trace:
    """A broker joins, and is operational without a question."""
    lie = without(took("Join")(honest), "JoinRequest")
    lie[-1]["state"] |= {"status": "operational", "asking": [], "connections": [], "streams": 0}
    return lie


def told_before_others_know(honest: Trace) -> Trace:
    """A leaf asks, and its parent knows it at once, without a word to anybody."""
    lie = without(took("JoinRequest", sends("Forward"))(honest), "Forward")
    states, _ = reached(lie[:-1])
    before, leaf = states[lie[-1]["node"]], lie[-1]["state"]["entries"][-1]["content"]["node"]
    lie[-1]["state"] = {**before, "known": sorted([*before["known"], leaf])}
    return lie


def tree_not_kept(honest: Trace) -> Trace:
    """A broker that joins is told the tree, and knows its parent only."""
    lie = took("Tree")(honest)
    lie[-1]["state"]["known"] = lie[-1]["state"]["known"][:1]
    return lie


def does_not_ask_again(honest: Trace) -> Trace:
    """A broker that joins has no answer, and leaves it at that."""
    return without(took("timeout", sends("JoinRequest"))(honest), "JoinRequest")


def audits_no_node(honest: Trace) -> Trace:
    """A broker does not send the digests of its neighbours' tables."""
    return without(took("timeout", sends("Digest"))(honest), "Digest")


def doubts_nothing(honest: Trace) -> Trace:
    """A broker has other rows than its neighbour says, and does not doubt them."""
    return without(took("Digest", sends("Doubt"))(honest), "Doubt")


def rows_not_told(honest: Trace) -> Trace:
    """A broker doubts its rows, and is not told those that it should have."""
    return without(took("Doubt", sends("Rows"))(honest), "Rows")


def rows_not_believed(honest: Trace) -> Trace:
    """A broker is told the rows that it should have, and keeps its own."""
    lie = took("Rows", lambda step, before: step["state"]["rows"] != before["rows"])(honest)
    states, _ = reached(lie[:-1])
    lie[-1]["state"]["rows"] = states[lie[-1]["node"]]["rows"]
    return lie


def obeyed_while_away(honest: Trace) -> Trace:
    """A client asks a broker that has failed to publish, and it takes that down for later."""
    lie = took("Publish", lambda _step, before: before["status"] == "failed")(honest)
    lie[-1]["state"]["queue"] = [lie[-1]["took"]["attributes"]]
    return lie


def something_done_by_itself(honest: Trace) -> Trace:
    """A broker counts on without any reason."""
    lie = took("timeout")(honest)
    lie[-1]["state"]["count"] += 1
    return lie


def overtaken(honest: Trace) -> Trace:
    """Two messages are on one link, and the later one arrives first."""
    for number, step in enumerate(honest[1:], 1):
        for one, other in zip(step["sent"], step["sent"][1:], strict=False):
            if one["to"] == other["to"]:
                lie = deepcopy(honest[: number + 1])
                return [*lie, taken(lie, other["to"], other["id"], other["message"])]
    raise LookupError("no two messages are sent at once to the same node.")


def filter_of_mixed_types(honest: Trace) -> Trace:
    """A row has a filter that compares one attribute with a number and with a text."""
    lie = took("Subscription")(honest)
    lie[-1]["state"]["rows"][0][1] = [["x", "<", "a"], ["x", "=", 1]]
    return lie


def delta_exceeded_by_visited(honest: Trace) -> Trace:
    """A message says that it has come through more brokers than it may say."""
    lie = took("Publish", sends("Forward"))(honest)
    message = lie[-1]["sent"][0]["message"]
    message["visited"] = message["visited"] * 3
    return lie


def no_such_operator(honest: Trace) -> Trace:
    """A client subscribes to a filter with an operator that there is none."""
    lie = took("Subscribe")(honest)
    lie[-1]["took"]["filter"] = [["x", "~", 1]]
    return lie


def row_forgotten(honest: Trace) -> Trace:
    """When all is right, a broker forgets the row of a subscriber."""
    lie = took("timeout", lambda _step, before: bool(before["rows"]))(honest)
    lie[-1]["state"]["rows"] = []
    return lie
