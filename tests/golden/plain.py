"""Lies that can be told in a run of any protocol whose channels keep no order.

Each is a function of an honest run, in which a message is delivered that another node sent within the run: the run as
far as the lie, with nothing else wrong.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

from tests.golden.drive import Trace, taken
from tests.golden.telling import HonestRun, Negative

NOBODY = "nobody"
"""Name of no node."""


def delivery(honest: Trace) -> tuple[int, int, dict[str, Any]]:
    """The first step that takes a message, the step that sent it, and the message with its target."""
    for number, step in enumerate(honest[1:], 1):
        for sent_at, earlier in enumerate(honest[1:number], 1):
            for sent in earlier["sent"]:
                if sent["id"] == step["took"] and isinstance(step["took"], int) and earlier["node"] != step["node"]:
                    return number, sent_at, sent
    raise LookupError("nothing is delivered that was sent in the run.")


def send_to_an_unknown_node(honest: Trace) -> Trace:
    """A node sends a message to a node that is not there."""
    _, sent_at, _ = delivery(honest)
    lie = deepcopy(honest[: sent_at + 1])
    lie[-1]["sent"][0]["to"] = NOBODY
    return lie


def step_by_an_unknown_node(honest: Trace) -> Trace:
    """A node that is not there has a timeout."""
    number, _, _ = delivery(honest)
    lie = deepcopy(honest[: number + 1])
    return [*lie, {"node": NOBODY, "took": "timeout", "state": deepcopy(lie[-1]["state"]), "sent": []}]


def delivered_twice(honest: Trace) -> Trace:
    """A message arrives a second time."""
    number, _, sent = delivery(honest)
    lie = deepcopy(honest[: number + 1])
    return [*lie, taken(lie, sent["to"], sent["id"], sent["message"])]


def delivered_to_another_node(honest: Trace) -> Trace:
    """A message arrives at its sender."""
    number, sent_at, sent = delivery(honest)
    lie = deepcopy(honest[:number])
    return [*lie, taken(lie, honest[sent_at]["node"], sent["id"])]


def delivered_before_it_was_sent(honest: Trace) -> Trace:
    """A message arrives, and only then is it sent."""
    _, sent_at, sent = delivery(honest)
    lie = deepcopy(honest[:sent_at])
    return [*lie, taken(lie, sent["to"], sent["id"], sent["message"]), deepcopy(honest[sent_at])]


def delivered_though_never_sent(honest: Trace) -> Trace:
    """A message arrives that no node sends, in the whole trace."""
    number, _, sent = delivery(honest)
    lie = deepcopy(honest[:number])
    said = sent["message"]
    return [*lie, {**taken(lie, sent["to"], 2**53 - 1, said), "received": said}]


def id_given_twice(honest: Trace) -> Trace:
    """A node sends a message with the id of one that has arrived."""
    number, _, sent = delivery(honest)
    later = next(index for index in range(number + 1, len(honest)) if honest[index]["sent"])
    lie = deepcopy(honest[: later + 1])
    lie[-1]["sent"][0]["id"] = sent["id"]
    return lie


def id_given_twice_at_the_start(honest: Trace) -> Trace:
    """Two of the messages in flight before the first step have the same id; both say the same to the same node."""
    _, _, sent = delivery(honest)
    lie = deepcopy(honest[:1])
    lie[0]["messages"] = [{**sent, "id": 0}, {**sent, "id": 0}]
    return lie


def altered_in_flight(honest: Trace, said: dict[str, Any]) -> Trace:
    """A message says something else when it arrives."""
    number, sent_at, sent = delivery(honest)
    lie = deepcopy(honest[:number])
    on_its_way = deepcopy(lie)
    next(message for message in on_its_way[sent_at]["sent"] if message["id"] == sent["id"])["message"] = said
    return [*lie, {**taken(on_its_way, sent["to"], sent["id"]), "received": said}]


def state_changed_between_steps(honest: Trace, **changed: Any) -> Trace:
    """A node has a timeout in another state than the one in which its last step left it, as `before` says."""
    number, _, sent = delivery(honest)
    lie = deepcopy(honest[: number + 1])
    before = {**lie[-1]["state"], **changed}
    return [*lie, {**taken(lie, sent["to"], "timeout", before=before), "before": before}]


RULES: dict[Callable[..., Trace], str] = {
    send_to_an_unknown_node: "known_node",
    step_by_an_unknown_node: "known_node",
    delivered_twice: "delivered_once",
    delivered_to_another_node: "delivered_to_target",
    delivered_before_it_was_sent: "sent_before_delivered",
    delivered_though_never_sent: "known_message",
    altered_in_flight: "delivered_unaltered",
    id_given_twice: "fresh_id",
    state_changed_between_steps: "steps_chain",
}
"""The rule that each lie breaks, but for the one at the start."""


def lies(
    run: HonestRun, altered: dict[str, Any], changed: dict[str, Any], seed: int | None = None, at_start: bool = True
) -> dict[str, Negative]:
    """All these lies of a run, which goes on if there is a seed: `altered` arrives, and the state has `changed`."""
    given = {altered_in_flight: {"said": altered}, state_changed_between_steps: changed}
    lies = {
        alteration.__name__: Negative(
            alteration.__doc__, rule, run, partial(alteration, **given.get(alteration, {})), seed
        )
        for alteration, rule in RULES.items()
    }
    first = id_given_twice_at_the_start
    return lies | ({first.__name__: Negative(first.__doc__, "fresh_id", run, first)} if at_start else {})
