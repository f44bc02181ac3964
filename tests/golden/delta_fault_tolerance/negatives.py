"""Ways to lie in a run of delta-fault-tolerance: the step, and what a lie changes; told of in `negatives.toml`."""

from tests.golden.alterations import (
    Alteration,
    AlteredStep,
    as_before,
    at,
    changes,
    sends,
    state,
    through,
    took,
    undelivered,
    unsent,
    worded,
)
from tests.golden.drive import Trace, taken


def withheld(kind: str, taking: str) -> Alteration:
    """Messages of a kind are not sent in the first step that takes such an input, and should send them."""
    return at(took(taking, sends(kind)), unsent(kind))


def knows_the_leaf_at_once(told: AlteredStep) -> None:
    """The parent knows the leaf, and has no message about it."""
    leaf = told.state["entries"][-1]["content"]["node"]
    told.step["state"] = {**told.before, "known": sorted([*told.before["known"], leaf])}


def overtaken(honest: Trace) -> Trace:
    """The later of two messages on one link arrives first."""
    for number, step in enumerate(honest[1:], 1):
        for one, other in zip(step["sent"], step["sent"][1:], strict=False):
            if one["to"] == other["to"]:
                lie = through(honest, number)
                return [*lie, taken(lie, other["to"], other["id"], other["message"])]
    raise LookupError("no two messages are sent at once to the same node.")


def sends_what_it_holds(told: AlteredStep) -> None:
    """A step sends at once what it should hold back."""
    for peer, messages in told.state.pop("held"):
        told.sent.extend(
            {"id": 900 + number, "to": peer, "message": message} for number, message in enumerate(messages)
        )
    told.state["held"] = []


ALTERATIONS: dict[str, Alteration] = {
    "confirmation_withheld": withheld("Confirm", "Publication"),
    "subscription_not_stored": at(took("Subscription"), state(rows=[])),
    "publication_not_delivered": at(
        took("Publication", lambda step, _before: bool(step.get("delivered"))), undelivered
    ),
    "published_to_no_node": withheld("Forward", "Publish"),
    "subscribed_at_once": at(
        took("Subscribe", sends("Forward")),
        lambda told: told.step.update(delivered=[{"kind": "Subscribed", "filter": told.step["took"]["filter"]}]),
    ),
    "end_not_told": withheld("Forward", "Unsubscribe"),
    "confirmed_before_the_rest": at(
        took("Confirm", lambda step, _before: any(entry["waiting"] for entry in step["state"]["entries"])),
        state(entries=[]),
    ),
    "failure_not_bypassed": withheld("Connect", "Suspect"),
    "client_forgotten_in_a_crash": at(took("Crash"), state(incarnation=7)),
    "recovers_alone": at(took("Restart", lambda step, _before: len(step["sent"]) > 1), lambda told: told.sent.pop()),
    "no_table_told": withheld("Table", "Recover"),
    "stamps_before_the_table": at(took("Recover", sends("Stamps")), lambda told: told.sent.reverse()),
    "table_not_kept": at(took("Table"), state(answers=[])),
    "stamps_not_kept": at(took("Stamps", changes("seen")), state(seen=[])),
    "question_not_answered": withheld("Connect", "Connect"),
    "bypass_kept": withheld("Close", "Status"),
    "connection_kept_though_closed": at(took("Close", changes("connections")), as_before("connections")),
    "joins_by_itself": at(
        took("Join"), unsent("JoinRequest"), state(status="operational", asking=[], connections=[], streams=0)
    ),
    "told_before_others_know": at(took("JoinRequest", sends("Forward")), unsent("Forward"), knows_the_leaf_at_once),
    "tree_not_kept": at(took("Tree"), lambda told: told.state.update(known=told.state["known"][:1])),
    "does_not_ask_again": withheld("JoinRequest", "timeout"),
    "audits_no_node": withheld("Digest", "timeout"),
    "doubts_nothing": withheld("Doubt", "Digest"),
    "operational_after_one_part": at(
        took("Confirm", sends("Forward")), unsent("Forward"), state(status="operational", entries=[])
    ),
    "rest_is_not_asked_for": withheld("Continue", "Pause"),
    "rest_is_not_sent": at(took("Continue", sends("Stamps")), unsent("Stamps")),
    "nothing_is_held_back": at(took("Recover", sends("Pause")), unsent("Pause"), sends_what_it_holds),
    "rows_not_told": withheld("Rows", "Doubt"),
    "rows_not_believed": at(took("Rows", changes("rows")), as_before("rows")),
    "obeyed_while_away": at(
        took("Publish", lambda _step, before: before["status"] == "failed"),
        lambda told: told.state.update(queue=[told.step["took"]["attributes"]]),
    ),
    "something_done_by_itself": at(took("timeout"), lambda told: told.state.update(count=told.state["count"] + 1)),
    "overtaken": overtaken,
    "filter_of_mixed_types": at(
        took("Subscription"), lambda told: told.state["rows"][0].__setitem__(1, [["x", "<", "a"], ["x", "=", 1]])
    ),
    "delta_exceeded_by_visited": at(
        took("Publish", sends("Forward")),
        lambda told: worded(visited=told.sent[0]["message"]["visited"] * 3)(told),
    ),
    "no_such_operator": at(took("Subscribe"), lambda told: told.step["took"].update(filter=[["x", "~", 1]])),
    "row_forgotten": at(took("timeout", lambda _step, before: bool(before["rows"])), state(rows=[])),
}
