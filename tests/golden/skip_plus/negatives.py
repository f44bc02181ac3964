"""Every way to lie, each as one function: from an honest run, the run as far as the lie, with nothing else wrong.

Where anything is to follow, the lie is told by the last node of a round, or before any node has had its timeout in
one: from there on a run can be honest again.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from tests.golden.drive import Trace, reached, taken
from tests.golden.skip_plus.starts import ANYWHERE, V, W, X, Y, Z, node, update

Step = dict[str, Any]
State = dict[str, Any]


def until(trace: Trace, step: int) -> Trace:
    """A copy of the run as far as that step, and without it."""
    return deepcopy(trace[:step])


def through(trace: Trace, step: int) -> Trace:
    """A copy of the run as far as that step, and with it."""
    return deepcopy(trace[: step + 1])


def first(trace: Trace, fits: Callable[[Step, State, Any], bool]) -> int:
    """The number of the first step that fits: the step, its node's state before it, and the message that it takes."""
    return next(number for number in range(1, len(trace)) if fits(trace[number], *_before(trace, number)))


def _before(trace: Trace, number: int) -> tuple[State, Any]:
    states, in_flight = reached(trace[:number])
    step = trace[number]
    said = in_flight[step["took"]]["message"] if isinstance(step["took"], int) else None
    return states[step["node"]], said


def last_of_a_round(trace: Trace, fits: Callable[[Step, State], bool]) -> int:
    """The number of the first timeout that fits and that ends a round."""
    ends = {
        number
        for number in range(1, len(trace) - 1)
        if trace[number]["took"] == "timeout" and trace[number + 1]["took"] != "timeout"
    }
    return next(number for number in sorted(ends) if fits(trace[number], _before(trace, number)[0]))


def moved(step: Step, before: State) -> list[str]:
    """The nodes that a timeout moves to another neighbour."""
    return sorted(set(before["neighbours"]) - set(before["gone"]) - set(step["state"]["neighbours"]) - {step["node"]})


def inserts(step: Step) -> list[list[str]]:
    """The inserts of a step, Update by Update."""
    return [update["message"]["inserts"] for update in step["sent"]]


def moved_to_no_node(honest: Trace) -> Trace:
    """A temporary neighbour is dropped, and no node is told of it (Rule 2)."""
    number = last_of_a_round(honest, lambda step, before: bool(moved(step, before)))
    lie = through(honest, number)
    (dropped, *_) = moved(lie[-1], _before(honest, number)[0])
    for insert in inserts(lie[-1]):
        insert[:] = [name for name in insert if name != dropped]
    return lie


def kept_after_it_was_moved(honest: Trace) -> Trace:
    """A temporary neighbour is passed on, and kept as well (Rule 2)."""
    number = last_of_a_round(honest, lambda step, before: bool(moved(step, before)))
    lie = through(honest, number)
    state = lie[-1]["state"]
    state["neighbours"] = sorted([*state["neighbours"], *moved(lie[-1], _before(honest, number)[0])[:1]])
    return lie


def reverse_edge_not_created(honest: Trace) -> Trace:
    """A stable neighbour is not told of the node itself (Rule 1a)."""
    number = last_of_a_round(honest, lambda step, before: step["node"] in (inserts(step) or [[]])[0])
    lie = through(honest, number)
    inserts(lie[-1])[0].remove(lie[-1]["node"])
    return lie


def introduced_before_it_has_spoken(honest: Trace) -> Trace:
    """A neighbour that has never told its ranges is introduced to another one."""
    number = last_of_a_round(honest, lambda step, before: len(_silent(step, before)) > 0 and len(step["sent"]) > 1)
    lie = through(honest, number)
    silent = _silent(lie[-1], _before(honest, number)[0])[0]
    (introduction, *_) = (
        message
        for message in lie[-1]["sent"]
        if message["to"] != silent and silent not in message["message"]["inserts"]
    )
    introduction["message"]["inserts"] = sorted([*introduction["message"]["inserts"], silent])
    return lie


def _silent(step: Step, before: State) -> list[str]:
    """The stable neighbours with ranges that a node has never heard."""
    return sorted(set(step["state"]["stable"]) - {name for name, _ in before["told"]})


def range_made_up(honest: Trace) -> Trace:
    """A node tells a neighbour that its range is unbounded, which it is not."""
    number = last_of_a_round(honest, lambda step, _: _bounded(step))
    lie = through(honest, number)
    lie[-1]["sent"][0]["message"]["ranges"] = [ANYWHERE]
    return lie


def _bounded(step: Step) -> bool:
    return bool(step["sent"]) and step["sent"][0]["message"]["ranges"] != [ANYWHERE]


def flag_that_is_false(honest: Trace) -> Trace:
    """A node says that a neighbour is not stable, which it is."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["state"]["stable"]) > 1))
    lie[-1]["state"]["stable"].pop()
    return lie


def update_left_out(honest: Trace) -> Trace:
    """A node has its timeout, and says that it sends nothing to one of its neighbours."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["sent"]) > 1))
    lie[-1]["sent"].pop(0)
    return lie


def update_invented(honest: Trace) -> Trace:
    """A node sends a neighbour the same Update twice."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["sent"]) > 1))
    again = deepcopy(lie[-1]["sent"][-1])
    lie[-1]["sent"].append({**again, "id": again["id"] + 1})
    return lie


def update_to_another_node(honest: Trace) -> Trace:
    """A node sends the Update for one neighbour to the other one, too, and the one gets none."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["sent"]) > 1))
    lie[-1]["sent"][0]["to"] = lie[-1]["sent"][1]["to"]
    return lie


def send_to_an_unknown_node(honest: Trace) -> Trace:
    """A node sends the Update for one neighbour to a node that is not there."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["sent"]) > 1))
    lie[-1]["sent"][0]["to"] = "f:0"
    return lie


def insert_not_taken(honest: Trace) -> Trace:
    """A node takes an Update, and not the insert in it."""
    number = first(honest, lambda step, before, _: _grows(step, before))
    lie = through(honest, number)
    lie[-1]["state"]["neighbours"] = _before(honest, number)[0]["neighbours"]
    return lie


def _grows(step: Step, before: State) -> bool:
    return isinstance(step["took"], int) and len(step["state"]["neighbours"]) > len(before["neighbours"])


def answer_to_an_update(honest: Trace) -> Trace:
    """A node takes an Update, and answers at once, before its timeout."""
    number = first(honest, lambda step, _, said: said is not None and step["state"]["live"] and step["node"] == X)
    lie = through(honest, number)
    fresh = 1 + max(message["id"] for step in lie[1:] for message in step["sent"])
    lie[-1]["sent"] = [{"id": fresh, "to": W, "message": update(X, ranges=[ANYWHERE])}]
    return lie


def removed_on_receipt(honest: Trace) -> Trace:
    """A node hears that a neighbour is gone, and drops it at once: receipts in another order would end otherwise."""
    number = first(honest, lambda step, before, said: _said(said, "Gone") and said["node"] in before["neighbours"])
    lie = through(honest, number)
    state = lie[-1]["state"]
    state["neighbours"] = [name for name in state["neighbours"] if name not in state["gone"]]
    return lie


def gone_not_believed(honest: Trace) -> Trace:
    """A node hears that another is gone, and forgets it before the round ends."""
    number = first(honest, lambda _step, before, said: _said(said, "Gone") and before["live"])
    lie = through(honest, number)
    lie[-1]["state"]["gone"] = []
    return lie


def _said(said: Any, kind: str) -> bool:
    return said is not None and said["kind"] == kind


def nothing_given_back(honest: Trace) -> Trace:
    """A node that does not take part says so, and keeps the inserts that it was given."""
    lie = through(honest, first(honest, lambda step, _, _said: _bounces(step) and bool(inserts(step)[0])))
    inserts(lie[-1])[0].clear()
    return lie


def no_word_from_a_node_that_is_gone(honest: Trace) -> Trace:
    """A node that does not take part is sent an Update, and does not answer."""
    lie = through(honest, first(honest, lambda step, _before, _said: _bounces(step)))
    lie[-1]["sent"] = []
    return lie


def _bounces(step: Step) -> bool:
    return [message["message"]["kind"] for message in step["sent"]] == ["Gone"] and isinstance(step["took"], int)


def timeout_of_a_node_that_is_gone(honest: Trace) -> Trace:
    """A node that does not take part has a timeout, and sends an Update to another node."""
    lie = through(honest, last_of_a_round(honest, lambda step, before: not before["live"]))
    fresh = 1 + max((message["id"] for step in lie[1:] for message in step["sent"]), default=-1)
    lie[-1]["sent"] = [{"id": fresh, "to": V, "message": update(Z, ranges=[ANYWHERE])}]
    return lie


def joined_through_another_node(honest: Trace) -> Trace:
    """A node joins, and says that it knows another one than its contact."""
    lie = through(honest, first(honest, lambda step, _before, _said: _commanded(step, "Join")))
    lie[-1]["state"]["neighbours"] = [W]
    return lie


def left_without_a_word(honest: Trace) -> Trace:
    """A node leaves, and tells no other node."""
    lie = through(honest, first(honest, lambda step, _before, _said: _commanded(step, "Leave")))
    lie[-1]["sent"] = []
    return lie


def last_words_of_a_crash(honest: Trace) -> Trace:
    """A node crashes, and still tells another node."""
    lie = through(honest, first(honest, lambda step, _before, _said: _commanded(step, "Crash")))
    fresh = 1 + max(message["id"] for step in lie[1:] for message in step["sent"])
    lie[-1]["sent"] = [{"id": fresh, "to": V, "message": {"kind": "Gone", "node": lie[-1]["node"], "inserts": []}}]
    return lie


def _commanded(step: Step, kind: str) -> bool:
    return isinstance(step["took"], dict) and step["took"]["kind"] == kind


def joined_through_itself(honest: Trace) -> Trace:
    """A node that does not take part joins with itself as its contact, for which there is no rule."""
    lie = through(honest, last_of_a_round(honest, lambda _step, _before: True))
    return [*lie, {"node": Z, "took": {"kind": "Join", "contact": Z}, "state": node(Z), "sent": []}]


def delivery_to_the_application(honest: Trace) -> Trace:
    """A node has its timeout, and hands something to its application, which no rule of Skip+ does."""
    lie = through(honest, last_of_a_round(honest, lambda _step, _before: True))
    lie[-1]["delivered"] = [V]
    return lie


def delivered_twice(honest: Trace) -> Trace:
    """A node takes an Update, and then the same one again."""
    number = first(honest, lambda step, before, _: _grows(step, before))
    lie = through(honest, number)
    return [*lie, taken(lie, lie[-1]["node"], lie[-1]["took"], _before(honest, number)[1])]


def delivered_to_another_node(honest: Trace) -> Trace:
    """A node takes an Update that is meant for another one."""
    number = first(honest, lambda step, before, _: _grows(step, before) and step["node"] != Y)
    lie = until(honest, number)
    return [*lie, taken(lie, Y, honest[number]["took"])]


def delivered_before_it_was_sent(honest: Trace) -> Trace:
    """A node takes an Update of a neighbour that has its timeout only then."""
    number = first(honest, lambda step, _before, _said: step["took"] == "timeout" and len(step["sent"]) > 1)
    lie, sent = until(honest, number), honest[number]["sent"][0]
    return [*lie, taken(lie, sent["to"], sent["id"], sent["message"]), deepcopy(honest[number])]


def delivered_though_never_sent(honest: Trace) -> Trace:
    """A node takes an Update that no node sends, in the whole trace."""
    lie = through(honest, last_of_a_round(honest, lambda _step, _before: True))
    said = update(V, ranges=[ANYWHERE])
    return [*lie, {**taken(lie, Y, 2**53 - 1, said), "received": said}]


def altered_in_flight(honest: Trace) -> Trace:
    """A node takes an Update with other ranges in it than its sender wrote."""
    number = first(honest, lambda step, before, said: _grows(step, before) and _said(said, "Update"))
    lie, step = until(honest, number), honest[number]
    on_its_way = until(honest, number)
    message = next(message for line in on_its_way[1:] for message in line["sent"] if message["id"] == step["took"])
    message["message"]["ranges"] = [[V, V]]
    return [*lie, {**taken(on_its_way, step["node"], step["took"]), "received": message["message"]}]


def id_given_twice(honest: Trace) -> Trace:
    """A node gives an Update the id that another one had, which has arrived."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["sent"]) > 1 and step["sent"][0]["id"] > 5))
    lie[-1]["sent"][0]["id"] = 0
    return lie


def id_given_twice_at_the_start(honest: Trace) -> Trace:
    """Two of the messages in flight before the first step have the same id; both say the same to the same node."""
    lie = until(honest, 1)
    message = {"id": 0, "to": V, "message": update(W, ranges=[ANYWHERE])}
    lie[0]["messages"] = [message, message]
    return lie


def step_by_an_unknown_node(honest: Trace) -> Trace:
    """A node that is not there has a timeout."""
    lie = through(honest, last_of_a_round(honest, lambda _step, _before: True))
    return [*lie, {"node": "f:0", "took": "timeout", "state": node(), "sent": []}]


def state_changed_between_steps(honest: Trace) -> Trace:
    """A node has its next timeout with another neighbour than before, as `before` says."""
    number = last_of_a_round(honest, lambda step, _: step["node"] == V)
    lie, changed = until(honest, number), deepcopy(_before(honest, number)[0])
    changed["neighbours"] = sorted({*changed["neighbours"], X, Y})
    return [*lie, {**taken(lie, V, "timeout", before=changed), "before": changed}]


def timeout_before_all_has_arrived(honest: Trace) -> Trace:
    """A node has its timeout while an Update of the last round is still on its way to it."""
    number = first(honest, lambda step, before, _: _grows(step, before))
    lie = until(honest, number)
    return [*lie, taken(lie, honest[number]["node"], "timeout")]


def timeout_twice_in_one_round(honest: Trace) -> Trace:
    """A node has its timeout again before all others have had theirs."""
    number = first(honest, lambda step, _before, _said: step["took"] == "timeout" and len(step["sent"]) > 1)
    lie = through(honest, number)
    return [*lie, taken(lie, lie[-1]["node"], "timeout")]


def delivered_in_the_round_in_which_it_was_sent(honest: Trace) -> Trace:
    """A node takes an Update while others have not yet had the timeout of the round in which it was sent."""
    number = first(honest, lambda step, _before, _said: step["took"] == "timeout" and len(step["sent"]) > 1)
    lie = through(honest, number)
    sent = lie[-1]["sent"][0]
    return [*lie, taken(lie, sent["to"], sent["id"])]


def name_that_is_none(honest: Trace) -> Trace:
    """A node says that it knows a node with a string that is not of bits."""
    lie = through(honest, last_of_a_round(honest, lambda _step, _before: True))
    lie[-1]["state"]["neighbours"] = ["a"]
    return lie


def names_not_in_order(honest: Trace) -> Trace:
    """A node writes its neighbours down from the last to the first."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["state"]["neighbours"]) > 1))
    lie[-1]["state"]["neighbours"].reverse()
    return lie


def range_of_a_level_too_many(honest: Trace) -> Trace:
    """A node tells a neighbour its ranges at two levels, and has a string of one bit."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["sent"]) > 0))
    lie[-1]["sent"][0]["message"]["ranges"] = [ANYWHERE, ANYWHERE]
    return lie


def node_that_is_not_there(honest: Trace) -> Trace:
    """A node says that it knows a node that is not among the roles."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["state"]["neighbours"]) > 1))
    lie[-1]["state"]["neighbours"].append("f:0")
    return lie


def neighbour_forgotten(honest: Trace) -> Trace:
    """All is well, and has been from the start; then a node, at a timeout, says that it lacks a neighbour."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: len(step["state"]["neighbours"]) > 1))
    lie[-1]["state"]["neighbours"].pop()
    return lie


def stranger_introduced(honest: Trace) -> Trace:
    """All is well, and has been from the start; then a node makes two known to each other that are no neighbours."""
    lie = through(honest, last_of_a_round(honest, lambda step, _: step["node"] in (W, X)))
    (to_first, *_) = (message["message"] for message in lie[-1]["sent"] if message["to"] == V)
    to_first["inserts"] = sorted({*to_first["inserts"], Y})
    return lie
