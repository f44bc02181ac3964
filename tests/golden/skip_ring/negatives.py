"""Every way to lie: the step of an honest run, and what the lie changes there. `negatives.toml` tells of each.

The honest run is that of two subscribers and an empty database, unless a lie's row says otherwise. There, message 0 is
v2's Subscribe, message 1 its configuration (it is alone, and has the label 0), message 2 is v1's Subscribe, and message
3 its configuration (it has v2 on both sides, and the label 1).
"""

from copy import deepcopy
from typing import Any

from tests.golden.alterations import Alteration, AlteredStep, at, at_start, state, through, took, unsent, until, worded
from tests.golden.drive import Trace, first_delivery, taken
from tests.golden.skip_ring.starts import subscriber

V2_ALONE = {"kind": "SetData", "pred": None, "label": "0", "succ": None}
"""Content of message 1."""

RECORDS_V2, RECORDS_V1, V2_HEARS = 2, 4, 5
"""The steps in which the supervisor takes Subscribe, twice, and in which v2 takes its configuration."""


def step(number: int) -> Alteration:
    """The run through that step."""
    return lambda honest: through(honest, number)


def followed(number: int, node: str, took: Any, message: Any = None, before: Any = None, **said: Any) -> Alteration:
    """The run through that step, and a step that the node takes then; `said` stands in it besides."""

    def alteration(honest: Trace) -> Trace:
        lie = through(honest, number)
        chained = {} if before is None else {"before": before}
        return [*lie, {**taken(lie, node, took, message, before), **chained, **said}]

    return alteration


def written_down(number: int, node: str, took: Any, state: Any = None) -> Alteration:
    """The run through that step, and a step of the node to that state, or to the one of before, that sends nothing."""

    def alteration(honest: Trace) -> Trace:
        lie = through(honest, number)
        return [*lie, {"node": node, "took": took, "state": deepcopy(state or lie[number]["state"]), "sent": []}]

    return alteration


def delivered_before_it_was_sent(honest: Trace) -> Trace:
    """v2 takes message 1, and only then is it sent."""
    lie = until(honest, RECORDS_V2)
    return [*lie, taken(lie, "v2", 1, V2_ALONE), deepcopy(honest[RECORDS_V2])]


def altered_in_flight(honest: Trace) -> Trace:
    """v2 takes message 1 with another label."""
    lie, altered = until(honest, V2_HEARS), {**V2_ALONE, "label": "1"}
    on_its_way = deepcopy(lie)
    on_its_way[RECORDS_V2]["sent"][0]["message"] = altered
    return [*lie, {**taken(on_its_way, "v2", 1), "received": altered}]


def without_v4(told: AlteredStep) -> None:
    """The database has no tuple of v4."""
    told.state["database"] = [entry for entry in told.state["database"] if entry[1] != "v4"]


PROBE = {"id": 0, "to": "v1", "message": {"kind": "Probe", "sender": "v2", "flag": "LIN"}}
UNSUBSCRIBE = {"kind": "Unsubscribe", "subscriber": "v1"}

ALTERATIONS: dict[str, Alteration] = {
    "state_that_the_rule_does_not_produce": at(step(V2_HEARS), state(label=None)),
    "send_left_out": at(step(RECORDS_V1), unsent()),
    "send_invented": at(
        step(V2_HEARS), lambda told: told.sent.append({"id": 4, "to": "supervisor", "message": UNSUBSCRIBE})
    ),
    "send_to_another_node": at(step(RECORDS_V1), lambda told: told.sent[0].update(to="v2")),
    "send_to_an_unknown_node": at(step(RECORDS_V1), lambda told: told.sent[0].update(to="v3")),
    "delivered_twice": followed(V2_HEARS, "v2", 1, V2_ALONE),
    "delivered_to_another_node": followed(V2_HEARS - 1, "v1", 1),
    "delivered_before_it_was_sent": delivered_before_it_was_sent,
    "delivered_though_never_sent": followed(RECORDS_V1 - 1, "v1", 2**53 - 1, V2_ALONE, received=V2_ALONE),
    "altered_in_flight": altered_in_flight,
    # It wants nothing, and rightly sends nothing.
    "step_by_an_unknown_node": written_down(RECORDS_V1, "v3", "timeout", subscriber(wants=False)),
    # The implementation refuses to go on from what is not canonical, and so do we.
    "label_not_canonical": at(step(V2_HEARS), state(label="00")),
    "table_not_in_order": at(step(RECORDS_V1), lambda told: told.state["database"].reverse()),
    "node_that_is_not_there": at(step(V2_HEARS), state(right=["1", "v3"])),
    "id_given_twice": at(step(RECORDS_V1), lambda told: told.sent[0].update(id=0)),
    "id_given_twice_at_the_start": at_start(lambda header: header.update(messages=[PROBE, PROBE])),
    "state_changed_between_steps": followed(V2_HEARS, "v2", "timeout", before=subscriber("1")),
    "label_given_twice": at(step(RECORDS_V1), worded(label="0")),
    "command_without_a_rule": written_down(RECORDS_V1, "supervisor", {"kind": "Unsubscribe"}),
    "command_that_does_more": written_down(V2_HEARS, "v2", {"kind": "Unsubscribe"}, subscriber(wants=False)),
    "coin_that_fell_otherwise": followed(V2_HEARS, "v2", "timeout", coin="ask"),
    "delivery_to_the_application": at(step(V2_HEARS), lambda told: told.step.update(delivered=["0"])),
    "supervisor_skips_a_turn": followed(RECORDS_V1, "supervisor", "timeout", sent=[]),
    "neighbour_forgotten": at(took("timeout", lambda step, _before: step["node"] == "v3"), state(left=None)),
    "member_that_was_never_there": at_start(lambda header: (header["roles"].pop("v5"), header["states"].pop("v5"))),
    "member_thrown_out": at(
        lambda honest: through(honest, first_delivery(honest, "supervisor", "GetConfiguration")), without_v4
    ),
}
