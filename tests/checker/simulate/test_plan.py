"""A plan is a value, and its part on a trace depends on the trace's number only."""

import hashlib
from importlib.metadata import version

import msgspec
import pytest

from gomboc.checker.simulate.plan import PlannedCommand, check_plan, commands, header, header_of, parameters_of
from gomboc.spec.core.protocol import Start
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import Linearize, Subscriber, Supervisor
from tests.checker import ring
from tests.checker.refusing import sentence
from tests.checker.ring import plan
from tests.known import PROTOCOLS


def start_of(index, **changes):
    """The start in a header: all of it but its origin."""
    made = header(plan(**changes), index)
    return {key: value for key, value in made.items() if key != "origin"}


def test_sizes_take_turns():
    assert [plan(nodes=(2, 4, 8)).members(index) for index in range(5)] == [2, 4, 8, 2, 4]


def test_every_part_of_every_trace_of_every_seed_has_a_seed_of_its_own():
    seeds = [
        plan(seed=seed).seed_of(index, what) for seed in range(12) for index in range(12) for what in ("start", "run")
    ]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_seed_is_the_same_on_every_machine():
    digests = [hashlib.sha256(text).hexdigest() for text in (b"1/0/start", b"1/0/run")]
    seeds = [plan(seed=1).seed_of(0, what) for what in ("start", "run")]
    assert seeds == [int(digest[:16], 16) for digest in digests]
    assert seeds[0] == 6646212111057814893


def test_file_names_are_in_the_order_of_their_numbers():
    assert [plan().file_name(index) for index in (0, 12)] == ["skip_ring-000000.jsonl", "skip_ring-000012.jsonl"]


def test_an_arbitrary_start_is_decided_by_the_seed_and_the_number():
    assert start_of(1) == start_of(1, traces=9, rounds=1, settle=0)
    starts = [msgspec.json.encode(start_of(index, seed=seed, nodes=(4,))) for seed in (1, 2) for index in (0, 1)]
    assert len(set(starts)) == 4


def test_an_arbitrary_start_has_at_most_so_many_messages_in_flight():
    def most(**changes):
        return max(len(start_of(index, nodes=(2,), **changes)["messages"]) for index in range(60))

    assert most(messages=0) == 0
    assert most(messages=9) == 9
    assert most() == 6


def test_a_legitimate_start_is_that_of_the_specification():
    made = start_of(0, start="legitimate", nodes=(1,))
    expected = header_of(find_protocol("skip_ring"), find_protocol("skip_ring").starts.start(1))
    assert made == expected
    assert msgspec.json.decode(msgspec.json.encode(made["states"])) == ring.HEADER["states"]


def test_the_start_of_a_file_is_taken_whole_and_nothing_else_of_it(tmp_path):
    message = {"id": 7, "to": "v1", "message": ring.CONFIGURATION}
    path = tmp_path / "t.jsonl"
    path.write_bytes(ring.written({**ring.LOST, "messages": [message]}, ring.SUPERVISES))
    made = msgspec.json.decode(msgspec.json.encode(header(plan(start=str(path)), 0)))
    assert made.pop("origin")["command"] == "gomboc simulate skip_ring --only 0"
    expected = {**ring.LOST, "messages": [message]}
    assert made == {key: value for key, value in expected.items() if key not in ("origin", "bound")}


def test_a_header_says_where_its_trace_came_from():
    assert header(plan(seed=5, reproduce="gomboc simulate skip_ring --seed 5"), 2)["origin"] == {
        "implementation": "gomboc skip_ring",
        "version": version("gomboc"),
        "seed": 5,
        "trace": 2,
        "transport": "simulated",
        "command": "gomboc simulate skip_ring --seed 5 --only 2",
    }


def test_a_bound_stands_in_the_header_only_if_there_is_one():
    assert "bound" not in header(plan(), 0)
    assert header(plan(bound=0), 0)["bound"] == 0


def test_messages_in_flight_are_numbered_in_order():
    linearize = Linearize(("0", "v1"))
    locals_ = (("supervisor", Supervisor()), ("v1", Subscriber()))
    roles = (("supervisor", "supervisor"), ("v1", "subscriber"))
    made = header_of(find_protocol("skip_ring"), Start(roles, locals_, (("v1", linearize), ("supervisor", linearize))))
    assert [(message["id"], message["to"]) for message in made["messages"]] == [(0, "v1"), (1, "supervisor")]
    assert made["messages"][0]["message"]["kind"] == "Linearize"


def test_a_plan_that_can_be_simulated_is_not_refused(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(ring.HOLDS)
    for start in ("arbitrary", "legitimate", str(path)):
        check_plan(plan(start=start))


def test_a_plan_for_an_unknown_protocol_is_refused():
    assert (
        sentence(check_plan, plan(protocol="paxos")) == f"There is no protocol 'paxos'; there are: {PROTOCOLS}; "
        "for one of your own give --protocol package.module:PROTOCOL."
    )


def test_a_start_that_cannot_be_read_is_refused(tmp_path):
    for path, what in ((tmp_path / "none.jsonl", ": No such file or directory."), (tmp_path, ": Is a directory.")):
        assert sentence(check_plan, plan(start=str(path))) == f"{path}{what}"


def test_a_start_that_is_no_trace_is_refused_with_its_line(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("legitimate\n")
    assert sentence(check_plan, plan(start=str(path))) == f"{path}:1: JSON is malformed: invalid character (byte 0)."


def publishing(**changes):
    return plan(publications=5, parameters={"key_bits": 8}, nodes=(3,), **changes)


def test_parameters_stand_in_every_header():
    assert header(publishing(), 0)["parameters"] == {"key_bits": 8}
    assert header(plan(parameters={"key_bits": 8}, start="legitimate"), 0)["parameters"] == {"key_bits": 8}
    assert header(plan(), 0)["parameters"] == {}


def test_an_arbitrary_start_has_at_most_so_many_publications_and_no_others_without_parameters():
    def placed(index, **changes):
        states = header(plan(nodes=(3,), **changes), index)["states"].values()
        every = {tuple(publication[1:3]) for state in states for publication in state.get("publications", ())}
        by_members = {publication for publication in every if publication[0] != "supervisor"}
        assert len(every) - len(by_members) <= 1, "the supervisor publishes nothing that counts"
        return by_members

    for most in (1, 4):
        assert max(len(placed(index, publications=most, parameters={"key_bits": 8})) for index in range(40)) == most
    assert {len(placed(index)) for index in range(40)} == {0}


def test_a_plan_disturbs_each_trace_by_its_seed():
    disturbed = publishing(disturb=True, commands=(PlannedCommand(1, "v1", "Subscribe"),))
    drawn = [commands(disturbed, index, names(6)) for index in range(40)]
    assert drawn == [commands(disturbed, index, names(6)) for index in range(40)]
    assert len({str(timed_command) for timed_command in drawn}) > 20
    assert all(timed_command[0] == PlannedCommand(1, "v1", "Subscribe") for timed_command in drawn)
    kinds = {timed_command.kind for timed in drawn for timed_command in timed}
    assert kinds == {"Subscribe", "Unsubscribe", "Publish", "Crash", "Restart", "Suspect", "Trust", "Restore"}
    assert commands(publishing(commands=disturbed.commands), 0, ()) == disturbed.commands


def test_a_command_has_its_kind_and_its_further_keys():
    assert PlannedCommand(1, "v1", "Subscribe").command() == {"kind": "Subscribe"}
    restart = PlannedCommand(1, "v1", "Restart", {"keep": True}).command()
    assert restart == {"kind": "Restart", "keep": True}


def test_the_parameters_of_a_file_are_taken_with_its_start(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(ring.written({**ring.HEADER, "parameters": {"key_bits": 4}}))
    assert header(plan(start=str(path)), 0)["parameters"] == {"key_bits": 4}
    assert parameters_of(plan(start=str(path))) == {"key_bits": 4}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"parameters": {"colour": 1}},
            "skip_ring has no parameter 'colour'; it has: key_bits, payload_limit, chunk, keep, supervisor.",
        ),
        (
            {"publications": 2, "start": "legitimate"},
            "Publications are placed at arbitrary starts only: give no number of them with another start.",
        ),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(changes, says):
    assert sentence(check_plan, plan(**changes)) == says


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"parameters": {"key_bits": 4}}, "the trace has its own parameters, so give none with its start."),
        (
            {"disturb": True},
            "a run that starts like a trace is disturbed by the commands that one gives.",
        ),
    ],
)
def test_what_the_start_of_a_file_decides_is_not_decided_again(changes, says, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(ring.HOLDS)
    assert sentence(check_plan, plan(start=str(path), **changes)) == f"{path}:1: {says}"


def test_a_protocol_that_nothing_befalls_cannot_be_disturbed(monkeypatch):
    quiet = find_protocol("skip_ring").changed(disturbances=None)
    monkeypatch.setattr("gomboc.checker.simulate.plan.find_protocol", lambda _: quiet)
    assert sentence(check_plan, plan(disturb=True)) == "skip_ring has no disturbances: leave out --disturb."


def test_commands_are_values():
    assert (
        PlannedCommand(1, "v1", "Subscribe")
        == PlannedCommand(1, "v1", "Subscribe")
        != PlannedCommand(2, "v1", "Subscribe")
    )
