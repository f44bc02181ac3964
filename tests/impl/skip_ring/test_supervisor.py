import pytest

from gomboc.impl.automaton import Commanded, Timeout
from gomboc.impl.errors import UsageError
from gomboc.impl.skip_ring.commands import Crash, Issue, Join, Leave, Restart, Restore, Suspect, Trust
from gomboc.impl.skip_ring.messages import (
    Check,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    RemoveConnections,
    SetData,
    Subscribe,
    Unsubscribe,
)
from tests.impl.skip_ring.cores import hear, make, sends, state_of, supervisor, time_out, timers_of, unordered

EMPTY = ("SetData", None, None, None)
FOUR = (("0", "a"), ("1", "b"), ("01", "c"), ("11", "d"))


def test_the_first_subscriber_has_no_neighbours():
    core = supervisor()
    assert hear(core, Subscribe("a")) == [("a", "SetData", None, "0", None)]
    assert state_of(core) == {"database": [["0", "a"]], "next": 0}


def test_of_two_each_is_both_neighbours_of_the_other():
    core = supervisor(("0", "a"))
    assert hear(core, Subscribe("b")) == [("b", "SetData", ("0", "a"), "1", ("0", "a"))]


def test_a_new_subscriber_gets_the_next_label():
    core = supervisor(*FOUR)
    assert hear(core, Subscribe("e")) == [("e", "SetData", ("0", "a"), "001", ("01", "c"))]
    assert ["001", "e"] in state_of(core)["database"]


def test_a_known_subscriber_is_told_its_configuration_again():
    core = supervisor(*FOUR)
    before = state_of(core)
    assert hear(core, Subscribe("d")) == [("d", "SetData", ("1", "b"), "11", ("0", "a"))]
    assert state_of(core) == before


def test_a_request_does_not_integrate_an_unknown_node():
    core = supervisor(*FOUR)
    assert hear(core, GetConfiguration("x")) == [("x", *EMPTY)]
    assert hear(core, GetConfiguration("b")) == [("b", "SetData", ("01", "c"), "1", ("11", "d"))]
    assert state_of(core) == {"database": [["0", "a"], ["01", "c"], ["1", "b"], ["11", "d"]], "next": 0}


def test_a_node_that_has_the_last_label_takes_over_that_of_one_that_leaves():
    core = supervisor(*FOUR)
    assert hear(core, Unsubscribe("a")) == unordered(("a", *EMPTY), ("d", "SetData", ("1", "b"), "0", ("01", "c")))
    assert state_of(core)["database"] == [["0", "d"], ["01", "c"], ["1", "b"]]


def test_no_node_moves_when_the_last_one_leaves():
    core = supervisor(*FOUR)
    assert hear(core, Unsubscribe("d")) == [("d", *EMPTY)]
    assert state_of(core)["database"] == [["0", "a"], ["01", "c"], ["1", "b"]]


def test_the_configuration_is_that_after_the_change():
    core = supervisor(("0", "a"), ("1", "b"))
    assert hear(core, Unsubscribe("a")) == unordered(("a", *EMPTY), ("b", "SetData", None, "0", None))


def test_an_unknown_node_may_leave_too():
    core = supervisor(*FOUR)
    assert hear(core, Unsubscribe("x")) == [("x", *EMPTY)]


@pytest.mark.parametrize("request_", [Subscribe("c"), GetConfiguration("c"), Unsubscribe("x")])
def test_every_request_is_served_from_a_repaired_database(request_):
    core = supervisor(("0", None), ("1", "b"), ("11", "b"), ("111", "c"))
    hear(core, request_)
    assert state_of(core)["database"] == [["0", "c"], ["1", "b"]]


def test_timeouts_go_round_all_subscribers():
    core = supervisor(*FOUR, following=2)
    assert [time_out(core)[0][0] for _ in range(5)] == ["d", "a", "b", "c", "d"]
    assert state_of(core)["next"] == 3


def test_next_may_be_far_too_large():
    core = supervisor(*FOUR, following=4_001)
    assert time_out(core) == [("c", "SetData", ("0", "a"), "01", ("1", "b"))]
    assert state_of(core)["next"] == 2


def test_an_empty_database_leaves_next_alone():
    core = supervisor(("0", None), following=7)
    assert time_out(core) == []
    assert state_of(core) == {"database": [], "next": 7}


def test_a_timeout_asks_for_the_next_one():
    assert timers_of(supervisor().handle(3.5, Timeout())) == [4.5]


@pytest.mark.parametrize(
    "message",
    [
        SetData(None, None, None),
        Check(("0", "a"), "1", "LIN"),
        Introduce(("0", "a"), "LIN"),
        Present(("0", "a"), "LIN"),
        Probe("a", "LIN"),
        Linearize(("0", "a")),
        RemoveConnections("a"),
        IntroduceShortcut(("0", "a")),
    ],
)
def test_messages_for_subscribers_have_no_effect_not_even_a_repair(message):
    core = supervisor(("0", None), ("11", "a"))
    assert hear(core, message) == []
    assert state_of(core) == {"database": [["0", None], ["11", "a"]], "next": 0}


@pytest.mark.parametrize("command", [Join(), Leave(), Issue(0, ""), Crash(), Restart(True)])
def test_the_supervisor_takes_no_command_of_a_subscriber(command):
    with pytest.raises(UsageError) as error:
        supervisor().handle(0.0, Commanded(command))
    kind = command.__struct_config__.tag
    assert str(error.value) == f"The supervisor of the skip ring takes no command {kind!r}."


def order(core, command):
    """Give a command; return the messages sent."""
    return sends(core.handle(0.0, Commanded(command)))


def suspicious(*suspects, database=FOUR, following=0):
    state = {"database": sorted(map(list, database)), "next": following, "suspects": list(suspects)}
    return make("supervisor", "supervisor", state)


def test_a_suspect_is_let_go_as_if_it_had_asked_for_it():
    core, other = supervisor(*FOUR), supervisor(*FOUR)
    assert order(core, Suspect("a")) == hear(other, Unsubscribe("a"))
    assert state_of(core) == {**state_of(other), "suspects": ["a"]}


def test_an_unknown_node_may_be_suspected_too_and_one_may_be_suspected_twice():
    core = supervisor(*FOUR)
    assert order(core, Suspect("x")) == order(core, Suspect("x")) == [("x", *EMPTY)]
    order(core, Suspect("d"))
    assert state_of(core)["suspects"] == ["d", "x"]


def test_a_suspect_is_not_recorded():
    core = suspicious("x")
    before = state_of(core)
    assert hear(core, Subscribe("x")) == [("x", *EMPTY)]
    assert state_of(core) == before


def test_a_node_that_is_trusted_again_may_subscribe_and_nothing_else_changes():
    core = suspicious("x", "y")
    assert order(core, Trust("x")) == []
    assert state_of(core) == {"database": sorted(map(list, FOUR)), "next": 0, "suspects": ["y"]}
    hear(core, Subscribe("x"))
    assert ["001", "x"] in state_of(core)["database"]


def test_without_suspects_they_are_not_written():
    core = suspicious("x")
    order(core, Trust("x"))
    assert "suspects" not in state_of(core)


def test_a_node_that_is_told_of_a_suspect_is_told_to_forget_it():
    core = suspicious("x")
    forget = [(node, "RemoveConnections", "x") for node in "abcd"]
    assert hear(core, GetConfiguration("x")) == unordered(("x", *EMPTY), *forget)


@pytest.mark.parametrize("taken", [Subscribe("c"), GetConfiguration("c"), None])
def test_a_suspect_that_is_recorded_is_removed_before_anything_is_served(taken):
    core = suspicious("a", database=(("0", "a"), ("1", "b"), ("01", "c")))
    if taken is None:
        time_out(core)
    else:
        hear(core, taken)
    assert state_of(core)["database"] == [["0", "c"], ["1", "b"]]


def test_trust_repairs_nothing():
    core = suspicious("b", database=(("0", None), ("11", "a")))
    order(core, Trust("b"))
    assert state_of(core) == {"database": [["0", None], ["11", "a"]], "next": 0}


def test_a_supervisor_starts_again_from_any_database_and_still_suspects():
    core = suspicious("a", following=3)
    assert order(core, Restore((("0", None), ("11", "a"), ("111", "b")))) == []
    assert state_of(core) == {"database": [["0", None], ["11", "a"], ["111", "b"]], "next": 0, "suspects": ["a"]}
    assert time_out(core) == [("b", "SetData", None, "0", None)]
    assert state_of(core) == {"database": [["0", "b"]], "next": 0, "suspects": ["a"]}


@pytest.mark.parametrize("kind", [Subscribe, Unsubscribe, GetConfiguration])
def test_a_request_about_the_supervisor_itself_is_refused(kind):
    core = supervisor(("0", "a"), ("01", "b"))
    assert hear(core, kind("supervisor")) == []
    assert state_of(core) == {"database": [["0", "a"], ["01", "b"]], "next": 0}


def test_a_tuple_that_names_the_supervisor_goes():
    core = supervisor(("0", "supervisor"), ("1", "a"))
    assert hear(core, Subscribe("b")) == [("b", "SetData", ("0", "a"), "1", ("0", "a"))]


@pytest.mark.parametrize("kind", [Suspect, Trust])
def test_the_failure_detector_cannot_tell_of_the_supervisor(kind):
    core = supervisor(("0", "a"), ("01", "b"))
    assert core.handle(0.0, Commanded(kind("supervisor"))) == []
    assert state_of(core) == {"database": [["0", "a"], ["01", "b"]], "next": 0}
