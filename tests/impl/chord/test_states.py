import pytest

from gomboc.impl.errors import UsageError
from tests.impl.chord.systems import ALONE, CHORD, CRASHED, OUTSIDE, crashed, node, numbered, outside, receive, state_of

FULL = {
    "status": "inside",
    "predecessor": "n60",
    "successors": ["n20", "n40", "n5"],
    "fingers": [[0, "n9"], [4, "n40"]],
    "next": 5,
    "contact": None,
    "peers": ["n20", "n3"],
}


def test_any_state_of_the_right_form_is_loaded_as_it_is():
    assert state_of(node("n10", **FULL)) == FULL
    backwards = {**FULL, "successors": ["n5", "n40"]}
    assert state_of(node("n10", **backwards)) == backwards
    assert state_of(outside("n10", contact="n1", peers=["n2"])) == {**OUTSIDE, "contact": "n1", "peers": ["n2"]}
    assert state_of(crashed("n10")) == CRASHED


def test_the_blank_state_is_that_of_a_node_that_is_outside():
    assert CHORD.blank["node"] == state_of(outside("n10")) == OUTSIDE


def test_a_state_is_written_anew_once_it_has_changed():
    core = node("n10")
    before = core.snapshot()
    assert core.snapshot() is before
    receive(core, kind="Notify", sender="n9")
    assert state_of(core) == {**ALONE, "predecessor": "n9"}


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"successors": ["n20", "n30", "n40", "n50"]}, "it has 4 successors, and lists have 3 at most"),
        ({"successors": ["n30", "n20", "n30"]}, "it has a successor twice"),
        ({"successors": ["n10"]}, "it knows itself"),
        ({"predecessor": "n10"}, "it knows itself"),
        ({"fingers": [[1, "n10"]]}, "it knows itself"),
        ({"peers": ["n10"]}, "it knows itself"),
        ({"fingers": [[6, "n9"]]}, "there is no finger 6, since ids have 6 bits"),
        ({"next": 6}, "there is no finger 6, since ids have 6 bits"),
        ({"fingers": [[2, "n9"], [1, "n9"]]}, "its finger 1 comes after 2"),
        ({"fingers": [[2, "n9"], [2, "n9"]]}, "its finger 2 comes after 2"),
        ({"peers": ["n5", "n4"]}, "its peer 'n4' comes after 'n5'"),
        ({"status": "crashed", "contact": "n1"}, "a node that has crashed knows nothing"),
        ({"predecessor": "n64"}, "the number of 'n64' is not below 64"),
        ({"contact": "ann"}, "the name 'ann' does not end in a number"),
        ({"fingers": [[2, "ann"]]}, "the name 'ann' does not end in a number"),
        ({"peers": ["ann"]}, "the name 'ann' does not end in a number"),
    ],
)
def test_a_state_that_no_trace_holds_is_refused(variables, reason):
    with pytest.raises(UsageError) as error:
        node("n10", **variables)
    assert str(error.value) == f"This is not a state of Chord for 'n10': {reason}."


def test_without_fingers_a_state_has_none():
    for variables in ({"fingers": [[5, "n1"]]}, {"next": 3}):
        with pytest.raises(UsageError) as error:
            node("n10", numbered(fingers=False), **variables)
        reason = "it has fingers, and the parameters say that there are none"
        assert str(error.value) == f"This is not a state of Chord for 'n10': {reason}."


def test_a_state_without_all_its_keys_is_refused():
    with pytest.raises(UsageError) as error:
        CHORD.make("node", "ann", {key: value for key, value in ALONE.items() if key != "next"}, None)
    assert str(error.value) == "This is not a state of Chord: Object missing required field `next`."
