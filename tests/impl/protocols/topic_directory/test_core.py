"""The directory, implemented: refusals, and runs from any start, held to the specification."""

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Timeout
from gomboc.impl.core.errors import PeerError, UsageError
from tests.impl.system import assert_holds

TESTED = implementation("topic_directory")
BLANK = {"live": False, "neighbours": [], "topics": [], "entries": []}


@pytest.mark.parametrize("parameters", [{}, {"expires": 20}], ids=["for ever", "expiring"])
@pytest.mark.parametrize("nodes", [1, 5])
def test_a_disturbed_run_from_any_start_holds(nodes, parameters, tmp_path):
    plan = Plan(
        "topic_directory", "topic_directory", (nodes,), traces=1, parameters=parameters, seed=5, outside=2, disturb=True
    )
    simulate_trace(plan, tmp_path, 0)
    (path,) = tmp_path.glob("*.jsonl")
    assert_holds(judge_file(path))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"topics": [""]}, "Expected `str` matching regex '\\\\A[A-Za-z0-9_.:-]{1,64}\\\\Z' - at `$.topics[0]`."),
        ({"topics": ["b", "a"]}, "its neighbours, topics or entries do not ascend."),
        ({"entries": [["a", "x"], ["a", "y"]]}, "its neighbours, topics or entries do not ascend."),
    ],
)
def test_what_is_no_state_is_refused(change, sentence):
    with pytest.raises(UsageError) as refused:
        TESTED.make("node", "a", {**BLANK, **change}, None)
    assert str(refused.value) == f"This is not a state of the directory: {sentence}"


def test_what_is_no_role_message_or_command_is_refused():
    with pytest.raises(UsageError, match=r"^The directory has no role 'king'; it has: node\.$"):
        TESTED.make("king", "a", BLANK, None)
    with pytest.raises(PeerError, match=r"^This is not a message of the directory: "):
        TESTED.decode(msgspec.json.encode({"kind": "Say", "topic": "", "contact": "a"}))
    with pytest.raises(UsageError, match=r"^This is not a command of the directory: "):
        TESTED.decode_command(msgspec.json.encode({"kind": "Announce", "topic": ""}))
    with pytest.raises(UsageError, match=r"^This is not a command of the directory: its neighbours do not ascend\.$"):
        TESTED.decode_command(msgspec.json.encode({"kind": "Stayed", "neighbours": ["b", "a"]}))


@pytest.mark.parametrize("expires", [1, 2.5, "3"])
def test_a_time_to_expire_that_makes_no_sense_is_refused(expires):
    with pytest.raises(UsageError, match=r"^These are not parameters of the directory: "):
        TESTED.configured({"expires": expires})


def test_a_contact_that_stays_silent_is_forgotten_and_what_is_said_of_others_does_not_help_it():
    core = TESTED.configured({"expires": 3}).make(
        "node", "m", {**BLANK, "live": True, "entries": [["news", "x"]]}, None
    )

    def entries(parameters):
        core.handle(0.0, parameters)
        return msgspec.json.decode(core.snapshot())["entries"]

    def said(contact):
        return Received(TESTED.decode(msgspec.json.encode({"kind": "Say", "topic": "news", "contact": contact})))

    assert entries(Timeout()) == [["news", "x", 1]]
    assert entries(said("x")) == [["news", "x"]]
    assert [entries(Timeout()), entries(said("y")), entries(Timeout()), entries(Timeout())] == [
        [["news", "x", 1]],
        [["news", "x", 1]],
        [["news", "x", 2]],
        [],
    ]
