"""The directory, implemented: refusals, and runs from any start, held to the specification."""

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send, Timeout
from gomboc.impl.protocols.skip_plus import PORT
from tests.impl.system import assert_holds

TESTED = implementation("topic_directory")
BLANK = {"live": False, "neighbours": [], "topics": [], "entries": []}


@pytest.mark.parametrize(
    "parameters",
    [{}, {"expires": 20, "topics_of_contact": 3}, {"expires": 20, "topics_in_period": 1}],
    ids=["for ever", "expiring", "in turn"],
)
@pytest.mark.parametrize("nodes", [1, 5])
def test_a_disturbed_run_from_any_start_holds(nodes, parameters, tmp_path):
    plan = Plan(
        "topic_directory", "topic_directory", (nodes,), traces=1, parameters=parameters, seed=5, outside=2, disturb=True
    )
    simulate_trace(plan, tmp_path, 0)
    (path,) = tmp_path.glob("*.jsonl")
    assert_holds(judge_file(path))


def test_a_contact_that_stays_silent_is_forgotten_and_what_is_said_of_others_does_not_help_it():
    core = TESTED.configured({"expires": 3}).make(
        "node", "m", {**BLANK, "live": True, "entries": [["news", "x"]]}, None
    )

    def entries(parameters):
        core.handle(0.0, parameters)
        return msgspec.json.decode(core.snapshot())["entries"]

    def told(kind, field, node):
        return Received(TESTED.decode(msgspec.json.encode({"kind": kind, "topic": "news", field: node})))

    assert entries(Timeout()) == [["news", "x", 1]]
    assert entries(told("Affirm", "node", "x")) == [["news", "x"]]
    assert entries(Timeout()) == [["news", "x", 1]]
    for said in (told("Say", "contact", "x"), told("Say", "contact", "y"), told("Affirm", "node", "y")):
        assert entries(said) == [["news", "x", 1]]
    assert [entries(Timeout()), entries(Timeout())] == [[["news", "x", 2]], []]


def test_a_peer_that_affirms_5000_topics_is_asked_for_1024_of_them_in_8_periods():
    core = TESTED.configured(PORT.above.of_directory).make("node", "m", {**BLANK, "live": True}, None)
    for number in range(5_000):
        message = {"kind": "Affirm", "topic": f"t{number}", "node": "x"}
        core.handle(0.0, Received(TESTED.decode(msgspec.json.encode(message))))
    asked = [[out.message.topic for out in core.handle(0.0, Timeout()) if isinstance(out, Send)] for _ in range(9)]
    assert list(map(len, asked)) == [128] * 9
    assert len({topic for period in asked[:8] for topic in period}) == 1_024
    assert asked[8] == asked[0]


@pytest.mark.parametrize("number", [2_100, 128, 129, 256])
def test_no_period_tells_a_peer_64_kib_and_none_of_many_topics_is_left_out(number):
    """Each topic, of the longest name, is announced, and its entry is handed over, to the same neighbour."""
    topics = sorted(f"t{each}".ljust(64, "_") for each in range(number))
    state = {
        **BLANK,
        "live": True,
        "neighbours": ["-"],
        "topics": topics,
        "entries": [[each, "c" * 64] for each in topics],
    }
    core = TESTED.configured(PORT.above.of_directory).make("node", "z" * 64, state, None)
    periods = -(-number // 128)
    said = [
        [output.message for output in core.handle(0.0, Timeout()) if isinstance(output, Send)] for _ in range(periods)
    ]
    assert all(sum(len(msgspec.json.encode(one)) for one in period) < 65_536 for period in said)
    assert sorted((one.topic, one.contact[0]) for period in said for one in period) == [
        (topic, contact) for topic in topics for contact in "cz"
    ]
    assert "after" not in msgspec.json.decode(core.snapshot())
