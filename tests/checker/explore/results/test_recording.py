"""Acts written as a trace: of equal messages the oldest goes first; an idle act is written where it changes nothing."""

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.results.recording import player_at, role_of, take, take_cycle, take_round
from gomboc.spec.core.channels import Envelope
from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.core.network import Act, begin
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.small import STRANGER, right_start
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Probe, Subscriber, Supervisor
from tests.toys.distances.spec import PROTOCOL as DISTANCES
from tests.toys.distances.spec import Crash

ARRIVALS = [("n1", 0), ("n0", 1)]
PROBE = Probe("v2", "LIN")


def recording(*in_flight, nodes=2, strangers=()):
    start = right_start(names(nodes), 0, strangers)
    return player_at(PROTOCOL, begin(Start(start.roles, start.locals, in_flight), PROTOCOL.discipline))


def delivery(node, message):
    return Act(node, Received(message), CERTAIN[0], Envelope(node, message))


def took(lines):
    return [(line["node"], line["took"]) for line in lines[1:]]


def test_the_header_has_the_roles_the_states_and_what_is_in_flight():
    (header,) = recording(("v1", PROBE)).lines
    assert header["roles"] == {SUPERVISOR: "supervisor", "v1": "subscriber", "v2": "subscriber"}
    assert header["messages"] == [{"id": 0, "to": "v1", "message": {"kind": "Probe", "sender": "v2", "flag": "LIN"}}]
    assert header["states"]["v1"]["label"] == "0"
    assert (role_of(PROTOCOL, Supervisor()), role_of(PROTOCOL, Subscriber())) == ("supervisor", "subscriber")


def test_of_equal_messages_the_oldest_is_delivered_first_and_each_has_an_id_of_its_own():
    trace = recording(("v1", PROBE), ("v1", PROBE))
    take(trace, delivery("v1", PROBE))
    take(trace, delivery("v1", PROBE))
    assert took(trace.lines) == [("v1", 0), ("v1", 1)]
    assert [sent["id"] for line in trace.lines[1:] for sent in line["sent"]] == [2, 3]
    assert list(trace.waiting) == [2, 3]


def test_what_is_not_in_flight_is_not_delivered():
    with pytest.raises(ValueError, match=r"^no Probe.* to 'v1' is in flight$"):
        take(recording(), delivery("v1", PROBE))


def test_a_coin_is_written_where_one_is_tossed():
    trace = recording()
    for node in (SUPERVISOR, "v1"):
        take(trace, Act(node, Timeout(), PROTOCOL.actor.choices(node, trace.states[node], Timeout())[0]))
    assert ["coin" in line for line in trace.lines[1:]] == [False, True]
    assert trace.lines[2]["coin"] == "ask"


def test_a_cycle_is_given_the_timeouts_that_are_no_steps_and_only_those():
    """A node outside of the ring does nothing in its timeout; v1 and the supervisor would do something."""
    trace = recording(("v1", PROBE), strangers=(STRANGER,))
    take_cycle(trace, [delivery("v1", PROBE)])
    assert took(trace.lines) == [(STRANGER, "timeout"), ("v1", 0)]
    assert trace.lines[1]["sent"] == []


def test_in_a_round_every_node_times_out_and_all_that_was_in_flight_then_is_delivered():
    trace = recording(("v1", PROBE))
    take_round(trace)
    timeouts = [node for node, what in took(trace.lines) if what == "timeout"]
    assert timeouts == [SUPERVISOR, "v1", "v2"]
    sent_by_timeouts = {sent["id"] for line in trace.lines[1:4] for sent in line["sent"]}
    assert {what for _, what in took(trace.lines)[3:]} == {0} | sent_by_timeouts


def test_in_synchronous_rounds_everything_arrives_before_any_node_times_out():
    trace = player_at(DISTANCES, begin(DISTANCES.starts.start(2), DISTANCES.discipline))
    for _ in range(2):
        take_round(trace)
    assert took(trace.lines) == [("n0", "timeout"), ("n1", "timeout"), *ARRIVALS, ("n0", "timeout"), ("n1", "timeout")]


def test_a_command_is_written_as_it_is_and_a_sleeper_has_no_timeouts():
    trace = player_at(DISTANCES, begin(DISTANCES.starts.start(2), DISTANCES.discipline))
    take(trace, Act("n1", Commanded(Crash()), CERTAIN[0]))
    take_round(trace)
    assert took(trace.lines) == [("n1", {"kind": "crash"}), ("n0", "timeout")]


def test_what_is_delivered_to_the_application_is_written():
    def react(me, local, taken, choice):
        return replace(DISTANCES.actor.react(me, local, taken, choice), delivered=("told",))

    trace = player_at(DISTANCES.changed(react=react), begin(DISTANCES.starts.start(2), DISTANCES.discipline))
    take_round(trace)
    assert [line["delivered"] for line in trace.lines[1:]] == [["told"], ["told"]]
