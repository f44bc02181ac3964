import pytest

from gomboc.impl.core.automaton import Commanded, Received, Timeout
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import Crash, Suspect
from gomboc.impl.protocols.skip_ring.commands import Issue, Join, Leave, Restart, Restore, Trust
from gomboc.impl.protocols.skip_ring.messages import CheckTrie, Linearize, Probe, Publish, SetData
from gomboc.impl.publishing.trie import EMPTY
from tests.impl.protocols.skip_ring.cores import BLANK, coin_of, hear, sends, state_of, subscriber, timers_of
from tests.impl.publications import holder, of_key

EVERYTHING = {
    "left": ["0", "l"],
    "right": ["1", "r"],
    "ring": ["11", "o"],
    "shortcuts": [["001", "s"]],
    "hashes": [["", "f" * 32]],
    "forgets": True,
}
TAKEN = [
    Timeout(),
    Received(Probe("v", "LIN")),
    Received(Linearize(("0", "v"))),
    Received(SetData(None, None, None)),
    Received(CheckTrie("v", (EMPTY,))),
    Received(Publish((of_key("111"),))),
    Commanded(Join()),
    Commanded(Leave(True)),
    Commanded(Issue(1, "p")),
    Commanded(Crash()),
]


def order(core, command):
    return core.handle(0.0, Commanded(command))


def full(**variables):
    return holder(of_key("000"), of_key("100"), **{**EVERYTHING, **variables})


def test_a_crash_changes_nothing_else():
    core = full()
    before = state_of(core)
    assert order(core, Crash()) == []
    assert state_of(core) == {**before, "crashed": True}


@pytest.mark.parametrize("state", TAKEN)
@pytest.mark.parametrize("wants", [True, False])
def test_nothing_has_an_effect_on_a_node_that_is_crashed(state, wants):
    core = full(crashed=True, wants=wants)
    before = state_of(core)
    outputs = core.handle(2.5, state)
    assert state_of(core) == before
    assert sends(outputs) == coin_of(outputs) == []
    assert timers_of(outputs) == ([3.5] if state == Timeout() else [])


def test_a_node_that_could_keep_its_variables_goes_on_with_them():
    core = full(crashed=True)
    before = state_of(core)
    assert order(core, Restart(True)) == []
    assert state_of(core) == {key: value for key, value in before.items() if key != "crashed"}


@pytest.mark.parametrize("wants", [True, False])
def test_a_node_that_could_not_is_empty_and_still_wants_what_it_wanted(wants):
    core = full(crashed=True, wants=wants)
    assert order(core, Restart(False)) == []
    assert state_of(core) == {**BLANK, "wants": wants}


@pytest.mark.parametrize("keep", [True, False])
def test_a_node_that_is_not_crashed_cannot_be_restarted(keep):
    core = full()
    before = state_of(core)
    assert order(core, Restart(keep)) == []
    assert state_of(core) == before


def test_the_ring_alone_crashes_and_restarts_too():
    core = subscriber(left=["0", "l"])
    order(core, Crash())
    assert hear(core, Probe("v", "LIN")) == []
    order(core, Restart(True))
    assert hear(core, Probe("v", "LIN")) == [("v", "Present", ("01", "u"), "LIN")]
    order(core, Crash())
    order(core, Restart(False))
    assert state_of(core) == BLANK


@pytest.mark.parametrize("command", [Suspect("v"), Trust("v"), Restore(())])
def test_a_subscriber_takes_no_command_of_the_supervisor(command):
    with pytest.raises(UsageError) as error:
        order(full(), command)
    kind = command.__struct_config__.tag
    assert str(error.value) == f"A subscriber of the skip ring takes no command {kind!r}."


# Leaving.


@pytest.mark.parametrize("forget", [True, False])
def test_a_node_that_leaves_says_whether_it_will_forget(forget):
    core = full(forgets=not forget)
    before = state_of(core)
    order(core, Leave(forget))
    assert state_of(core)["publications"] == before["publications"]
    assert state_of(core).get("forgets", False) is forget
    order(core, Join())
    assert "forgets" not in state_of(core)
    assert state_of(core)["wants"] is True


@pytest.mark.parametrize("state", [Received(SetData(None, None, None)), Timeout()])
def test_a_node_that_has_left_forgets_its_publications_if_it_was_to(state):
    label = "01" if isinstance(state, Received) else None
    core = full(wants=False, label=label)
    core.handle(0.0, state)
    assert state_of(core) == {**BLANK, "wants": False}


@pytest.mark.parametrize("state", [Received(SetData(None, None, None)), Timeout()])
@pytest.mark.parametrize(("wants", "forgets"), [(True, True), (True, False), (False, False)])
def test_a_node_that_has_lost_its_label_otherwise_keeps_them(state, wants, forgets):
    core = full(wants=wants, forgets=forgets, label="01" if isinstance(state, Received) else None)
    core.handle(0.0, state)
    assert [publication[0] for publication in state_of(core)["publications"]] == ["000", "100"]
    assert state_of(core).get("forgets", False) is forgets


def test_a_node_that_still_has_a_label_has_not_left():
    core = full(wants=False)
    core.handle(0.0, Timeout())
    assert len(state_of(core)["publications"]) == 2
    hear(core, Publish(()))
    hear(core, SetData(None, "11", None))
    assert len(state_of(core)["publications"]) == 2


def test_another_message_finds_no_node_without_a_label_to_empty():
    core = full(wants=False, label=None)
    hear(core, Probe("v", "LIN"))
    assert len(state_of(core)["publications"]) == 2
