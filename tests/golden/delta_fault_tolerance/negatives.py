"""Ways to lie in a run of delta-fault-tolerance: the step, and what a lie changes; told of in `negatives.toml`."""

from tests.golden.alterations import (
    Alteration,
    AlteredStep,
    at,
    sends,
    state,
    through,
    took,
    undelivered,
    unsent,
    worded,
)
from tests.golden.drive import Trace, taken


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
    "publication_not_delivered": at(
        took("Publication", lambda step, _before: bool(step.get("delivered"))), undelivered
    ),
    "subscribed_at_once": at(
        took("Subscribe", sends("Forward")),
        lambda told: told.step.update(delivered=[{"kind": "Subscribed", "filter": told.step["took"]["filter"]}]),
    ),
    "confirmed_before_the_rest": at(
        took("Confirm", lambda step, _before: any(entry["waiting"] for entry in step["state"]["entries"])),
        state(entries=[]),
    ),
    "recovers_alone": at(took("Restart", lambda step, _before: len(step["sent"]) > 1), lambda told: told.sent.pop()),
    "stamps_before_the_table": at(took("Recover", sends("Stamps")), lambda told: told.sent.reverse()),
    "told_before_others_know": at(took("JoinRequest", sends("Forward")), unsent("Forward"), knows_the_leaf_at_once),
    "tree_not_kept": at(took("Tree"), lambda told: told.state.update(known=told.state["known"][:1])),
    "nothing_is_held_back": at(took("Recover", sends("Pause")), unsent("Pause"), sends_what_it_holds),
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
