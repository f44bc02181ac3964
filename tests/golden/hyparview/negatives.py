"""Every fault that is planted in a run of HyParView: the step, and what changes; `negatives.toml` tells of each."""

from copy import deepcopy
from typing import Any

from tests.golden.alterations import (
    Alteration,
    AlteredStep,
    Step,
    also,
    as_before,
    at,
    changes,
    sends,
    took,
    unsent,
    until,
)
from tests.golden.drive import State, Trace


def inside(_step: Step, before: State) -> bool:
    """Whether the node is a member."""
    return bool(before["status"] == "inside")


def outside(_step: Step, before: State) -> bool:
    """Whether the node is outside."""
    return bool(before["status"] == "outside")


def delivers(step: Step, _before: State) -> bool:
    """Whether a publication is delivered."""
    return any(content["kind"] == "Heard" for content in step.get("delivered", []))


def known(step: Step, before: State) -> bool:
    """Whether a member with publications delivers none."""
    return bool(before.get("held")) and not delivers(step, before)


def unheard(told: AlteredStep) -> None:
    """No publication is delivered."""
    told.step["delivered"] = [content for content in told.step["delivered"] if content["kind"] != "Heard"]


def first(kind: str, **fields: Any) -> Any:
    """The first message of a kind says this."""

    def change(told: AlteredStep) -> None:
        next(sent for sent in told.sent if sent["message"]["kind"] == kind)["message"].update(fields)

    return change


def answered(kind: str) -> Any:
    """The answer is of that kind instead."""
    return lambda told: told.sent[0].update(message={"kind": kind, "sender": told.step["node"]})


def adds_the_joiner(told: AlteredStep) -> None:
    """The joiner is active at once, and not asked."""
    joiner = told.state.pop("asked")
    told.state["active"] = sorted([*told.before["active"], joiner])
    told.state["passive"] = [name for name in told.state["passive"] if name != joiner]
    told.sent.clear()


def heard_again(told: AlteredStep) -> None:
    """A publication that is held is delivered a second time."""
    topic, publication = told.state["held"][0]
    told.step["delivered"] = [{"kind": "Heard", "topic": topic, "publication": publication}]


def back_to_its_sender(told: AlteredStep) -> None:
    """The publication goes to all active nodes."""
    message = {"kind": "Broadcast", "sender": told.step["node"], "item": told.state["held"][0]}
    to = {sent["to"] for sent in told.sent}
    for node in set(told.before["active"]) - to:
        also(node, lambda _: message)(told)


def keeps_the_victim(told: AlteredStep) -> None:
    """No node is displaced, and the active view is too large."""
    told.state["active"] = sorted({*told.before["active"], *told.state["active"]})
    told.state.pop("passive", None)


def other_coin(told: AlteredStep) -> None:
    """The coin that is named is another one than the shuffle shows."""
    target = next(sent["to"] for sent in told.sent if sent["message"]["kind"] == "Shuffle")
    _, passive = told.step["coin"].split()
    told.step["coin"] = f"{next(name for name in told.before['active'] if name != target)} {passive}"


def spread_on_no_topic(honest: Trace) -> Trace:
    """An application publishes on a topic that is none, and nothing follows."""
    lie = until(honest, 1)
    name, local = next(iter(lie[0]["states"].items()))
    took = {"kind": "Spread", "topic": "no topic", "publication": local["held"][0][1]}
    return [*lie, {"node": name, "took": took, "state": deepcopy(local), "sent": []}]


TIMEOUT = took("timeout", inside)
TWO = took("timeout", lambda _step, before: len(before.get("active", ())) == 2)

ALTERATIONS: dict[str, Alteration] = {
    "shuffle_names_its_origin": at(TIMEOUT, lambda told: first("Shuffle", nodes=[told.step["node"]])(told)),
    "coin_that_the_shuffle_denies": at(TWO, other_coin),
    "peers_not_told": at(TIMEOUT, lambda told: told.step.pop("delivered")),
    "asked_with_high_priority": at(took("timeout", sends("Neighbor")), first("Neighbor", priority="high")),
    "denied_node_forgotten": at(took("Disconnect", changes("active")), lambda told: told.state.pop("passive")),
    "request_refused_though_there_is_room": at(took("Neighbor", sends("Accept")), as_before(), answered("Refuse")),
    "request_accepted_though_full": at(took("Neighbor", sends("Refuse")), answered("Accept")),
    "no_node_displaced": at(took("Join", sends("Disconnect")), unsent("Disconnect"), keeps_the_victim),
    "joiner_added_untold": at(took("ForwardJoin", sends("Neighbor")), adds_the_joiner),
    "contact_forgotten": at(took("Accept", outside), lambda told: told.state.pop("contact")),
    "joins_without_a_contact": at(took("Join", lambda step, _: isinstance(step["took"], dict)), as_before()),
    "publication_of_ones_own_not_delivered": at(took("Spread"), unheard),
    "publication_sent_to_one_only": at(took("Spread"), lambda told: told.sent.pop()),
    "publication_sent_back": at(took("Broadcast", delivers), back_to_its_sender),
    "publication_delivered_twice": at(took("Broadcast", known), heard_again),
    "recovered_one_not_delivered": at(took("Publish", delivers), unheard),
    "recovered_one_not_held": at(took("Publish", delivers), as_before()),
    "spread_on_no_topic": spread_on_no_topic,
    "link_forgotten": at(TWO, lambda told: told.state["active"].pop()),
    "view_out_of_order": at(TWO, lambda told: told.state["active"].reverse()),
    "node_in_both_views": at(TWO, lambda told: told.state.update(passive=told.state["active"][:1])),
}
