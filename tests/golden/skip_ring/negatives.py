"""Every way to lie, each as one function: from an honest run, the run as far as the lie, with nothing else wrong.

The honest run is that of two subscribers and an empty database, unless a lie's name stands in another place of the
table. There, message 0 is v2's Subscribe, message 1 its configuration (it is alone, and has the label 0),
message 2 is v1's Subscribe, and message 3 its configuration (it has v2 on both sides, and the label 1).
"""

from copy import deepcopy

from tests.golden.drive import Trace, first_delivery, taken
from tests.golden.skip_ring.starts import subscriber

V2_ALONE = {"kind": "SetData", "pred": None, "label": "0", "succ": None}
"""Content of message 1."""

RECORDS_V2, RECORDS_V1, V2_HEARS = 2, 4, 5
"""The steps in which the supervisor takes Subscribe, twice, and in which v2 takes its configuration."""


def until(trace: Trace, step: int) -> Trace:
    """A copy of the run as far as that step, and without it."""
    return deepcopy(trace[:step])


def through(trace: Trace, step: int) -> Trace:
    """A copy of the run as far as that step, and with it."""
    return deepcopy(trace[: step + 1])


def state_that_the_rule_does_not_produce(honest: Trace) -> Trace:
    """v2 is told its label, and says that it still has none."""
    lie = through(honest, V2_HEARS)
    lie[-1]["state"]["label"] = None
    return lie


def send_left_out(honest: Trace) -> Trace:
    """The supervisor records v1, and says that it sends it nothing."""
    lie = through(honest, RECORDS_V1)
    lie[-1]["sent"] = []
    return lie


def send_invented(honest: Trace) -> Trace:
    """v2 takes its label, and says that it also asks the supervisor to remove v1."""
    lie = through(honest, V2_HEARS)
    lie[-1]["sent"].append({"id": 4, "to": "supervisor", "message": {"kind": "Unsubscribe", "subscriber": "v1"}})
    return lie


def send_to_another_node(honest: Trace) -> Trace:
    """The supervisor records v1, and sends v1's configuration to v2."""
    lie = through(honest, RECORDS_V1)
    lie[-1]["sent"][0]["to"] = "v2"
    return lie


def send_to_an_unknown_node(honest: Trace) -> Trace:
    """The supervisor records v1, and sends v1's configuration to v3, which is not there."""
    lie = through(honest, RECORDS_V1)
    lie[-1]["sent"][0]["to"] = "v3"
    return lie


def delivered_twice(honest: Trace) -> Trace:
    """v2 takes its configuration a second time."""
    lie = through(honest, V2_HEARS)
    return [*lie, taken(lie, "v2", 1, V2_ALONE)]


def delivered_to_another_node(honest: Trace) -> Trace:
    """v1 takes the configuration of v2."""
    lie = until(honest, V2_HEARS)
    return [*lie, taken(lie, "v1", 1)]


def delivered_before_it_was_sent(honest: Trace) -> Trace:
    """v2 takes its configuration, and only then does the supervisor send it."""
    lie = until(honest, RECORDS_V2)
    return [*lie, taken(lie, "v2", 1, V2_ALONE), deepcopy(honest[RECORDS_V2])]


def delivered_though_never_sent(honest: Trace) -> Trace:
    """v1 takes a configuration that no node sends, in the whole trace."""
    lie = until(honest, RECORDS_V1)
    return [*lie, {**taken(lie, "v1", 2**53 - 1, V2_ALONE), "received": V2_ALONE}]


def altered_in_flight(honest: Trace) -> Trace:
    """v2 takes its configuration, with another label in it than the supervisor wrote."""
    lie = until(honest, V2_HEARS)
    altered = {**V2_ALONE, "label": "1"}
    on_its_way = [*lie[:RECORDS_V2], deepcopy(lie[RECORDS_V2]), *lie[RECORDS_V2 + 1 :]]
    on_its_way[RECORDS_V2]["sent"][0]["message"] = altered
    return [*lie, {**taken(on_its_way, "v2", 1), "received": altered}]


def step_by_an_unknown_node(honest: Trace) -> Trace:
    """v3, which is not there, has a timeout; it wants nothing, and rightly sends nothing."""
    return [
        *through(honest, RECORDS_V1),
        {"node": "v3", "took": "timeout", "state": subscriber(wants=False), "sent": []},
    ]


def label_not_canonical(honest: Trace) -> Trace:
    """v2 is told the label 0, and writes it as 00."""
    lie = through(honest, V2_HEARS)
    lie[-1]["state"]["label"] = "00"
    return lie


def table_not_in_order(honest: Trace) -> Trace:
    """The supervisor records v1 with the label 1, and writes its database down from the highest label to the lowest."""
    lie = through(honest, RECORDS_V1)
    lie[-1]["state"]["database"].reverse()
    return lie


def node_that_is_not_there(honest: Trace) -> Trace:
    """v2, left alone by its configuration, says that v3, which is not there, is its right neighbour."""
    lie = through(honest, V2_HEARS)
    lie[-1]["state"]["right"] = ["1", "v3"]
    return lie


def id_given_twice(honest: Trace) -> Trace:
    """The supervisor sends v1 its configuration as message 0, which v2's Subscribe was, and which has arrived."""
    lie = through(honest, RECORDS_V1)
    lie[-1]["sent"][0]["id"] = 0
    return lie


def id_given_twice_at_the_start(honest: Trace) -> Trace:
    """Two of the messages in flight before the first step have the same id; both say the same to the same node."""
    lie = until(honest, 1)
    probe = {"id": 0, "to": "v1", "message": {"kind": "Probe", "sender": "v2", "flag": "LIN"}}
    lie[0]["messages"] = [probe, probe]
    return lie


def state_changed_between_steps(honest: Trace) -> Trace:
    """v2 takes the label 0, and has its next timeout with the label 1, as `before` says."""
    lie, changed = through(honest, V2_HEARS), subscriber("1")
    return [*lie, {**taken(lie, "v2", "timeout", before=changed), "before": changed}]


def label_given_twice(honest: Trace) -> Trace:
    """The supervisor records v1 with the label 1, but tells it the label 0, which is v2's."""
    lie = through(honest, RECORDS_V1)
    lie[-1]["sent"][0]["message"]["label"] = "0"
    return lie


def command_without_a_rule(honest: Trace) -> Trace:
    """The supervisor takes a command, which only subscribers do."""
    lie = through(honest, RECORDS_V1)
    unchanged = deepcopy(lie[RECORDS_V1]["state"])
    return [*lie, {"node": "supervisor", "took": {"kind": "unsubscribe"}, "state": unchanged, "sent": []}]


def command_that_does_more(honest: Trace) -> Trace:
    """v2's application unsubscribes, and v2 gives up its label at once instead of asking the supervisor first."""
    lie = through(honest, V2_HEARS)
    return [*lie, {"node": "v2", "took": {"kind": "unsubscribe"}, "state": subscriber(wants=False), "sent": []}]


def coin_that_fell_otherwise(honest: Trace) -> Trace:
    """v2 has a timeout, says that its coin told it to ask the supervisor, and does not ask."""
    lie = through(honest, V2_HEARS)
    return [*lie, {**taken(lie, "v2", "timeout"), "coin": "ask"}]


def delivery_to_the_application(honest: Trace) -> Trace:
    """v2 takes its label, and hands something to its application, which no rule of the skip ring does."""
    lie = through(honest, V2_HEARS)
    lie[-1]["delivered"] = ["0"]
    return lie


def supervisor_skips_a_turn(honest: Trace) -> Trace:
    """The supervisor, at its timeout, counts on to the next subscriber and does not send its configuration."""
    lie = through(honest, RECORDS_V1)
    return [*lie, {**taken(lie, "supervisor", "timeout"), "sent": []}]


def neighbour_forgotten(honest: Trace) -> Trace:
    """All is well, and has been from the start; then v3, at a timeout, says that it has no left neighbour."""
    timeout = next(
        number for number, step in enumerate(honest) if step.get("node") == "v3" and step["took"] == "timeout"
    )
    lie = through(honest, timeout)
    lie[-1]["state"]["left"] = None
    return lie


def member_that_was_never_there(honest: Trace) -> Trace:
    """All would be well, but for v5, which is recorded, and the neighbour of two others, and not among the roles."""
    lie = until(honest, 1)
    del lie[0]["roles"]["v5"], lie[0]["states"]["v5"]
    return lie


def member_thrown_out(honest: Trace) -> Trace:
    """All is well, and has been from the start; then the supervisor, asked by v1 for its configuration, drops v4."""
    asked = first_delivery(honest, "supervisor", "GetConfiguration")
    lie = through(honest, asked)
    database = lie[-1]["state"]["database"]
    lie[-1]["state"]["database"] = [entry for entry in database if entry[1] != "v4"]
    return lie
