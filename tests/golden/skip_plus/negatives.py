"""Every way to lie: the step of an honest run, and what the lie changes there. `negatives.toml` tells of each.

Where anything is to follow, the lie is told by the last node of a round, or before any node has had its timeout in
one: from there on a run can be honest again.
"""

from copy import deepcopy
from typing import Any

from tests.golden.alterations import (
    Alteration,
    AlteredStep,
    Fits,
    Step,
    also,
    anything,
    as_before,
    at,
    at_start,
    state,
    through,
    took,
    unsent,
    until,
    worded,
)
from tests.golden.drive import State, Trace, reached, taken
from tests.golden.skip_plus.starts import ANYWHERE, V, W, X, Y, Z, node, update


def last_of_a_round(fits: Fits = anything) -> Alteration:
    """The run through the first timeout that fits and that ends a round."""

    def alteration(honest: Trace) -> Trace:
        for number in range(1, len(honest) - 1):
            if honest[number]["took"] == "timeout" and honest[number + 1]["took"] != "timeout":
                before = reached(honest[:number])[0][honest[number]["node"]]
                if fits(honest[number], before):
                    return through(honest, number)
        raise LookupError("no round ends so.")

    return alteration


def then(step: Alteration, node: str, took: Any, *message: Any, **said: Any) -> Alteration:
    """The run as `step` says, and a step that the node takes then; `said` stands in it besides."""

    def alteration(honest: Trace) -> Trace:
        lie = step(honest)
        return [*lie, {**taken(lie, node, took, *message), **said}]

    return alteration


def written_down(node: str, took: Any, state: State) -> Alteration:
    """The run to the end of a round, and a step of the node to that state, that sends nothing."""
    return lambda honest: [*last_of_a_round()(honest), {"node": node, "took": took, "state": state, "sent": []}]


def moved(step: Step, before: State) -> list[str]:
    """The nodes that a timeout moves to another neighbour."""
    return sorted(set(before["neighbours"]) - set(before["gone"]) - set(step["state"]["neighbours"]) - {step["node"]})


def moves(step: Step, before: State) -> bool:
    """Whether a timeout moves some node."""
    return bool(moved(step, before))


def inserts(step: Step) -> list[list[str]]:
    """The inserts of a step, Update by Update."""
    return [update["message"]["inserts"] for update in step["sent"]]


def silent(step: Step, before: State) -> list[str]:
    """The stable neighbours with ranges that a node has never heard."""
    return sorted(set(step["state"]["stable"]) - {name for name, _ in before["told"]})


def grows(step: Step, before: State) -> bool:
    """Whether a node takes an Update with an insert that is new to it."""
    return isinstance(step["took"], int) and len(step["state"]["neighbours"]) > len(before["neighbours"])


def bounces(step: Step, _before: State) -> bool:
    """Whether a node that does not take part answers."""
    return [message["message"]["kind"] for message in step["sent"]] == ["Gone"] and isinstance(step["took"], int)


def left_out(step: Step) -> list[str]:
    """The neighbours that a timeout leaves where they are, for want of room in a message."""
    return sorted(set(step["state"]["neighbours"]) - set(step["state"]["stable"]))


def leaves_out(step: Step, _before: State) -> bool:
    """Whether a timeout leaves a neighbour where it is."""
    return step["took"] == "timeout" and bool(left_out(step))


def forgets_them(told: AlteredStep) -> None:
    """The neighbours for which no message had room are kept no more."""
    told.state["neighbours"] = told.state["stable"]


def one_more(told: AlteredStep) -> None:
    """The first message with a name has another one."""
    (names, *_) = filter(None, inserts(told.step))
    names[:] = sorted({*names, *(V, W, X)[: len(names) + 1]})[: len(names) + 1]


def several(what: str) -> Fits:
    """Whether a step has several messages to send or, after it, a node several of those names."""
    return lambda step, _before: len(step["sent"] if what == "sent" else step["state"][what]) > 1


def told_to_no_node(told: AlteredStep) -> None:
    """No Update has the node that is moved."""
    (dropped, *_) = moved(told.step, told.before)
    for insert in inserts(told.step):
        insert[:] = [name for name in insert if name != dropped]


def kept_too(told: AlteredStep) -> None:
    """The node that is moved stays a neighbour."""
    told.state["neighbours"] = sorted([*told.state["neighbours"], *moved(told.step, told.before)[:1]])


def introduces_a_silent_one(told: AlteredStep) -> None:
    """The first Update that could has a silent neighbour."""
    unheard = silent(told.step, told.before)[0]
    (introduction, *_) = (
        send for send in told.sent if send["to"] != unheard and unheard not in send["message"]["inserts"]
    )
    introduction["message"]["inserts"] = sorted([*introduction["message"]["inserts"], unheard])


def again(told: AlteredStep) -> None:
    """The last Update is sent twice."""
    last = deepcopy(told.sent[-1])
    told.sent.append({**last, "id": last["id"] + 1})


def introduces_y(told: AlteredStep) -> None:
    """The first Update to V has Y."""
    (to_first, *_) = (message["message"] for message in told.sent if message["to"] == V)
    to_first["inserts"] = sorted({*to_first["inserts"], Y})


def says_alone(to: str, sender: str) -> tuple[Any, Any]:
    """Nothing is sent but an Update without inserts."""
    return unsent(), also(to, lambda _: update(sender, ranges=[ANYWHERE]))


def number_of(honest: Trace, fits: Fits) -> int:
    """The number of the first step that fits."""
    steps = enumerate(honest[1:], 1)
    return next(number for number, step in steps if fits(step, reached(honest[:number])[0][step["node"]]))


def first(fits: Fits) -> Alteration:
    """The run through the first step that fits."""
    return lambda honest: through(honest, number_of(honest, fits))


def message_of(honest: Trace, number: int) -> Any:
    """The message that a step takes."""
    return reached(honest[:number])[1][honest[number]["took"]]["message"]


def delivered_twice(honest: Trace) -> Trace:
    """The message of the step is taken again."""
    number = number_of(honest, grows)
    lie = through(honest, number)
    return [*lie, taken(lie, lie[-1]["node"], lie[-1]["took"], message_of(honest, number))]


def delivered_to_another_node(honest: Trace) -> Trace:
    """Y takes the message instead."""
    number = number_of(honest, lambda step, before: grows(step, before) and step["node"] != Y)
    lie = until(honest, number)
    return [*lie, taken(lie, Y, honest[number]["took"])]


def tells_several(step: Step, _before: State) -> bool:
    """Whether a step is a timeout with several Updates."""
    return step["took"] == "timeout" and len(step["sent"]) > 1


def delivered_before_it_was_sent(honest: Trace) -> Trace:
    """The first Update is taken, and then the timeout that sends it."""
    number = number_of(honest, tells_several)
    lie, sent = until(honest, number), honest[number]["sent"][0]
    return [*lie, taken(lie, sent["to"], sent["id"], sent["message"]), deepcopy(honest[number])]


def altered_in_flight(honest: Trace) -> Trace:
    """The Update arrives with other ranges."""
    number = number_of(honest, lambda step, before: grows(step, before) and not bounces(step, before))
    lie, step, on_its_way = until(honest, number), honest[number], until(honest, number)
    message = next(message for line in on_its_way[1:] for message in line["sent"] if message["id"] == step["took"])
    message["message"]["ranges"] = [[V, V]]
    return [*lie, {**taken(on_its_way, step["node"], step["took"]), "received": message["message"]}]


def state_changed_between_steps(honest: Trace) -> Trace:
    """V has a timeout from a state with more neighbours."""
    whole = last_of_a_round(lambda step, _: step["node"] == V)(honest)
    lie, changed = whole[:-1], deepcopy(reached(whole[:-1])[0][V])
    changed["neighbours"] = sorted({*changed["neighbours"], X, Y})
    return [*lie, {**taken(lie, V, "timeout", before=changed), "before": changed}]


def timeout_before_all_has_arrived(honest: Trace) -> Trace:
    """The node has its timeout instead of the message."""
    number = number_of(honest, grows)
    lie = until(honest, number)
    return [*lie, taken(lie, honest[number]["node"], "timeout")]


def timeout_twice_in_one_round(honest: Trace) -> Trace:
    """The node has its timeout a second time."""
    lie = first(tells_several)(honest)
    return [*lie, taken(lie, lie[-1]["node"], "timeout")]


def delivered_in_the_round_in_which_it_was_sent(honest: Trace) -> Trace:
    """The first Update arrives at once."""
    lie = first(tells_several)(honest)
    return [*lie, taken(lie, lie[-1]["sent"][0]["to"], lie[-1]["sent"][0]["id"])]


SENDING, KNOWING = last_of_a_round(several("sent")), last_of_a_round(several("neighbours"))
UNSENT, UNSENT_BY_W = (update(name, ranges=[ANYWHERE]) for name in (V, W))

ALTERATIONS: dict[str, Alteration] = {
    "moved_to_no_node": at(last_of_a_round(moves), told_to_no_node),
    "kept_after_it_was_moved": at(last_of_a_round(moves), kept_too),
    "left_out_and_forgotten": at(last_of_a_round(leaves_out), forgets_them),
    "more_names_than_fit": at(last_of_a_round(lambda step, _: any(inserts(step))), one_more),
    "reverse_edge_not_created": at(
        last_of_a_round(lambda step, _before: step["node"] in (inserts(step) or [[]])[0]),
        lambda told: inserts(told.step)[0].remove(told.step["node"]),
    ),
    "introduced_before_it_has_spoken": at(
        last_of_a_round(lambda step, before: len(silent(step, before)) > 0 and len(step["sent"]) > 1),
        introduces_a_silent_one,
    ),
    "range_made_up": at(
        last_of_a_round(lambda step, _: bool(step["sent"]) and step["sent"][0]["message"]["ranges"] != [ANYWHERE]),
        worded(ranges=[ANYWHERE]),
    ),
    "flag_that_is_false": at(last_of_a_round(several("stable")), lambda told: told.state["stable"].pop()),
    "update_left_out": at(SENDING, lambda told: told.sent.pop(0)),
    "update_invented": at(SENDING, again),
    "update_to_another_node": at(SENDING, lambda told: told.sent[0].update(to=told.sent[1]["to"])),
    "send_to_an_unknown_node": at(SENDING, lambda told: told.sent[0].update(to="f:0")),
    "insert_not_taken": at(first(grows), as_before("neighbours")),
    "answer_to_an_update": at(
        first(lambda step, _: isinstance(step["took"], int) and step["state"]["live"] and step["node"] == X),
        *says_alone(W, X),
    ),
    "removed_on_receipt": at(
        took("Gone", lambda step, before: bool({*step["state"]["gone"]} & {*before["neighbours"]})),
        lambda told: told.state.update(
            neighbours=[name for name in told.state["neighbours"] if name not in told.state["gone"]]
        ),
    ),
    "nothing_given_back": at(
        first(lambda step, before: bounces(step, before) and bool(inserts(step)[0])),
        lambda told: inserts(told.step)[0].clear(),
    ),
    "no_word_from_a_node_that_is_gone": at(first(bounces), unsent()),
    "timeout_of_a_node_that_is_gone": at(last_of_a_round(lambda _step, before: not before["live"]), *says_alone(V, Z)),
    "last_words_of_a_crash": at(
        took("Crash"), unsent(), also(V, lambda told: {"kind": "Gone", "node": told.step["node"], "inserts": []})
    ),
    # The implementation has no rule for it either.
    "joined_through_itself": written_down(Z, {"kind": "Join", "contact": Z}, node(Z)),
    "delivery_to_the_application": at(last_of_a_round(), lambda told: told.step.update(delivered=[V])),
    "delivered_twice": delivered_twice,
    "delivered_to_another_node": delivered_to_another_node,
    # Somebody has had its timeout, and others not: no run begins like that.
    "delivered_before_it_was_sent": delivered_before_it_was_sent,
    "delivered_though_never_sent": then(last_of_a_round(), Y, 2**53 - 1, UNSENT, received=UNSENT),
    "altered_in_flight": altered_in_flight,
    "id_given_twice": at(
        last_of_a_round(lambda step, _: len(step["sent"]) > 1 and step["sent"][0]["id"] > 5),
        lambda told: told.sent[0].update(id=0),
    ),
    "id_given_twice_at_the_start": at_start(
        lambda header: header.update(messages=[{"id": 0, "to": V, "message": UNSENT_BY_W}] * 2)
    ),
    "step_by_an_unknown_node": written_down("f:0", "timeout", node()),
    "state_changed_between_steps": state_changed_between_steps,
    "timeout_before_all_has_arrived": timeout_before_all_has_arrived,
    "timeout_twice_in_one_round": timeout_twice_in_one_round,
    "delivered_in_the_round_in_which_it_was_sent": delivered_in_the_round_in_which_it_was_sent,
    # The implementation refuses to go on from what is not canonical, and so do we.
    "name_that_is_none": at(last_of_a_round(), state(neighbours=["a"])),
    "names_not_in_order": at(KNOWING, lambda told: told.state["neighbours"].reverse()),
    "range_of_a_level_too_many": at(
        last_of_a_round(lambda step, _: len(step["sent"]) > 0), worded(ranges=[ANYWHERE, ANYWHERE])
    ),
    "node_that_is_not_there": at(KNOWING, lambda told: told.state["neighbours"].append("f:0")),
    "neighbour_forgotten": at(KNOWING, lambda told: told.state["neighbours"].pop()),
    "stranger_introduced": at(last_of_a_round(lambda step, _: step["node"] in (W, X)), introduces_y),
}
