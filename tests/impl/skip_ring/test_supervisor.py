import pytest

from impl.automaton import Commanded, Timeout
from impl.errors import UsageError
from impl.skip_ring.commands import Join
from impl.skip_ring.messages import (
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
from tests.impl.skip_ring.cores import hear, state_of, supervisor, time_out, timers_of, unordered

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


def test_who_has_the_last_label_takes_over_that_of_one_who_leaves():
    core = supervisor(*FOUR)
    assert hear(core, Unsubscribe("a")) == unordered(("a", *EMPTY), ("d", "SetData", ("1", "b"), "0", ("01", "c")))
    assert state_of(core)["database"] == [["0", "d"], ["01", "c"], ["1", "b"]]


def test_nobody_moves_when_the_last_one_leaves():
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


def test_the_supervisor_takes_no_commands():
    with pytest.raises(UsageError) as error:
        supervisor().handle(0.0, Commanded(Join()))
    assert str(error.value) == "The supervisor of the skip ring takes no commands."
