import pytest

from gomboc.impl.automaton import Commanded, Timeout
from gomboc.impl.skip_ring.commands import Join, Leave
from gomboc.impl.skip_ring.messages import (
    Check,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    SetData,
    Subscribe,
    Unsubscribe,
)
from tests.impl.skip_ring.cores import (
    ASK,
    BLANK,
    SILENT,
    coin_of,
    hear,
    state_of,
    subscriber,
    time_out,
    timers_of,
    unordered,
)

LEFT, RIGHT, RING = ["001", "l"], ["011", "r"], ["11", "x"]
OWN = ("01", "u")


def check(node, label, flag="LIN", own=OWN):
    return (node, "Check", own, label, flag)


def question(node):
    return ("supervisor", "GetConfiguration", node)


def slots(core):
    state = state_of(core)
    return state["left"], state["right"], state["ring"]


# References to oneself, commands, messages of the other role


def test_every_step_begins_by_forgetting_oneself():
    stored = {"left": ["0", "u"], "right": ["1", "u"], "ring": ["11", "u"], "shortcuts": [["0", "u"], ["1", "v"]]}
    core = subscriber(**stored)
    hear(core, Probe("u", "LIN"))
    assert slots(core) == (None, None, None)
    assert state_of(core)["shortcuts"] == [["0", None], ["1", "v"]]


@pytest.mark.parametrize("message", [Subscribe("v"), Unsubscribe("v"), GetConfiguration("v")])
def test_messages_for_the_supervisor_have_no_effect(message):
    core = subscriber(left=["0", "u"])
    assert hear(core, message) == []
    assert state_of(core)["left"] == ["0", "u"]


def test_commands_change_what_the_application_wants_and_nothing_else():
    core = subscriber(left=["0", "u"])
    before = state_of(core)
    assert core.handle(0.0, Commanded(Leave())) == []
    assert state_of(core) == {**before, "wants": False}
    assert core.handle(0.0, Commanded(Join())) == []
    assert state_of(core) == before


def test_the_state_is_not_written_again_while_it_stays_the_same():
    core = subscriber(left=LEFT, right=RIGHT, shortcuts=[["0", "a"], ["1", "b"]])
    time_out(core)
    former = core.snapshot()
    time_out(core)
    assert core.snapshot() is former


# Shortcuts that are offered


def test_a_shortcut_takes_the_node_that_is_offered():
    core = subscriber(shortcuts=[["0", None], ["1", "w"]])
    assert hear(core, IntroduceShortcut(("0", "v"))) == []
    assert state_of(core)["shortcuts"] == [["0", "v"], ["1", "w"]]


def test_a_displaced_shortcut_goes_to_the_list():
    core = subscriber(right=RIGHT, shortcuts=[["1", "w"]])
    assert hear(core, IntroduceShortcut(("1", "v"))) == [("r", "Linearize", ("1", "w"))]
    assert state_of(core)["shortcuts"] == [["1", "v"]]


def test_the_same_shortcut_again_changes_nothing():
    assert hear(subscriber(right=RIGHT, shortcuts=[["1", "w"]]), IntroduceShortcut(("1", "w"))) == []


def test_an_offer_without_a_place_goes_to_the_list():
    core = subscriber()
    assert hear(core, IntroduceShortcut(("1", "v"))) == []
    assert slots(core) == (None, ["1", "v"], None)


def test_an_offer_of_oneself_is_ignored_and_one_without_a_label_refused():
    assert hear(subscriber(shortcuts=[["1", None]]), IntroduceShortcut(("1", "u"))) == []
    core = subscriber(label=None, shortcuts=[["1", None]])
    assert hear(core, IntroduceShortcut(("1", "v"))) == [("v", "RemoveConnections", "u")]
    assert state_of(core)["shortcuts"] == [["1", None]]


# Configurations


def test_an_empty_configuration_empties_everything():
    core = subscriber(left=LEFT, right=RIGHT, ring=["1", "l"], shortcuts=[["0", "a"], ["1", None], ["11", "r"]])
    assert hear(core, SetData(None, None, None)) == unordered(
        *((node, "RemoveConnections", "u") for node in ("l", "r", "a"))
    )
    assert slots(core) == (None, None, None)
    assert (state_of(core)["label"], state_of(core)["shortcuts"]) == (None, [])


def test_a_configuration_inside_the_ring_sets_left_and_right():
    core = subscriber(label=None, shortcuts=[["1", "z"]])
    assert hear(core, SetData(("001", "a"), "01", ("011", "b"))) == []
    assert slots(core) == (["001", "a"], ["011", "b"], None)
    assert state_of(core)["label"] == "01"
    assert state_of(core)["shortcuts"] == [["1", "z"]]


def test_the_ends_of_the_ring_store_the_cyclic_neighbour():
    core = subscriber(label=None)
    hear(core, SetData(("11", "a"), "0", ("01", "b")))
    assert slots(core) == (None, ["01", "b"], ["11", "a"])
    core = subscriber(label=None)
    hear(core, SetData(("1", "a"), "11", ("0", "b")))
    assert slots(core) == (["1", "a"], None, ["0", "b"])


def test_in_a_ring_of_two_the_lower_stores_the_other_twice():
    core = subscriber(label=None)
    hear(core, SetData(("1", "a"), "0", ("1", "a")))
    assert slots(core) == (None, ["1", "a"], ["1", "a"])
    core = subscriber(label=None)
    hear(core, SetData(("0", "a"), "1", ("0", "a")))
    assert slots(core) == (["0", "a"], None, ["0", "a"])


def test_a_cyclic_successor_gives_way_to_a_cyclic_predecessor():
    core = subscriber(label=None)
    assert hear(core, SetData(("1", "a"), "01", ("0", "b"))) == []
    assert slots(core) == (None, None, ["1", "a"])


def test_neighbours_that_are_oneself_or_share_the_label_count_as_empty():
    core = subscriber(label=None)
    assert hear(core, SetData(("001", "u"), "01", ("01", "b"))) == []
    assert slots(core) == (None, None, None)


def test_a_replaced_neighbour_that_is_closer_is_asked_about_and_delegated():
    core = subscriber(left=LEFT, right=RIGHT)
    assert hear(core, SetData(("0", "a"), "01", ("1", "b"))) == unordered(
        question("l"), question("r"), ("l", "Linearize", ("0", "a")), ("r", "Linearize", ("1", "b"))
    )
    assert slots(core) == (LEFT, RIGHT, None)


def test_a_replaced_neighbour_that_is_farther_is_delegated_without_a_question():
    core = subscriber(left=["0", "l"], right=["1", "r"])
    assert hear(core, SetData(("001", "a"), "01", ("011", "b"))) == unordered(
        ("a", "Linearize", ("0", "l")), ("b", "Linearize", ("1", "r"))
    )


def test_a_replaced_neighbour_at_the_same_distance_is_asked_about():
    core = subscriber(left=LEFT)
    assert hear(core, SetData(("001", "a"), "01", None)) == unordered(question("l"), ("l", "Probe", "u", "LIN"))


def test_a_replaced_neighbour_is_asked_about_where_there_is_no_new_one():
    core = subscriber(label="0", right=["01", "r"])
    assert hear(core, SetData(None, "0", None)) == [question("r")]
    assert slots(core) == (None, ["01", "r"], None)


def test_the_cyclic_edge_is_compared_around_the_ring():
    # The old cyclic predecessor at 7/8 is nearer to 0 than the new one at 3/4.
    core = subscriber(label="0", ring=["111", "x"])
    assert question("x") in hear(core, SetData(("11", "a"), "0", ("01", "b")))
    core = subscriber(label="0", ring=["1", "x"])
    assert question("x") not in hear(core, SetData(("11", "a"), "0", ("01", "b")))


def test_a_cyclic_reference_belongs_to_the_side_of_the_new_label():
    core = subscriber(label="11", ring=["01", "x"])
    # For the new label 0, x at 1/4 comes before it, 3/4 away, and the new predecessor at 1/2 is nearer.
    assert question("x") not in hear(core, SetData(("1", "a"), "0", None))


def test_a_claim_in_both_left_and_ring_is_two_replaced_references():
    core = subscriber(label="01", left=["1", "x"], ring=["1", "x"])
    assert hear(core, SetData(None, "11", ("0", "b"))).count(question("x")) == 1
    core = subscriber(label="01", left=["0", "x"], ring=["0", "x"])
    # In left it precedes and nothing replaces it; in ring it succeeds, and the new successor is as far away.
    assert hear(core, SetData(None, "01", ("0", "b"))).count(question("x")) == 2


def test_a_neighbour_that_stays_is_not_delegated():
    core = subscriber(left=LEFT, right=RIGHT)
    assert hear(core, SetData(("0", "l"), "01", ("011", "r"))) == []
    assert slots(core) == (["0", "l"], RIGHT, None)


# Timeouts


def test_a_node_without_a_label_lets_go_of_everyone_and_subscribes():
    core = subscriber(label=None, left=LEFT, ring=["1", "l"], shortcuts=[["0", "a"], ["1", None]])
    assert time_out(core) == unordered(
        ("l", "RemoveConnections", "u"), ("a", "RemoveConnections", "u"), ("supervisor", "Subscribe", "u")
    )
    assert slots(core) == (None, None, None)
    assert state_of(core)["shortcuts"] == []


def test_a_node_without_a_label_that_does_not_want_one_stays_away():
    outputs = subscriber(label=None, wants=False).handle(2.0, Timeout())
    assert coin_of(outputs) == []
    assert timers_of(outputs) == [3.0]
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("variables", "chance"),
    [
        ({"left": None, "right": ["1", "r"]}, 1 / 2),
        ({"left": None, "shortcuts": [["0", None]]}, 1 / 2),
        ({"left": ["0", "l"], "right": ["1", "r"]}, 1 / 16),
        ({"left": ["0", "l"], "ring": ["001", "r"]}, 1 / 16),
        ({"right": ["1", "r"], "ring": ["11", "l"], "shortcuts": [["0", "a"]]}, 1 / 16),
        ({"left": ["0", "l"]}, 1 / 2),
        ({"ring": ["0", "l"]}, 1 / 2),
        ({"right": ["1", "r"], "shortcuts": [["0", "a"]]}, 1 / 2),
        ({"left": ["0", "u"], "right": ["1", "r"]}, 1 / 2),
        ({"label": "011", "left": ["0", "l"], "right": ["1", "r"]}, 1 / 72),
    ],
)
def test_the_chance_to_ask_depends_on_length_unless_the_label_seems_minimal_or_a_neighbour_is_missing(
    variables, chance
):
    for coin, result in ((chance - 1e-9, "ask"), (chance, "silent")):
        outputs = subscriber(coin, **variables).handle(0.0, Timeout())
        assert coin_of(outputs) == [result]


def test_a_node_that_asks_asks_for_itself():
    assert question("u") in time_out(subscriber(ASK))
    assert question("u") not in time_out(subscriber(SILENT))


def test_a_node_that_does_not_want_to_stay_unsubscribes_whatever_the_coin():
    for coin in (ASK, SILENT):
        assert time_out(subscriber(coin, wants=False)) == [("supervisor", "Unsubscribe", "u")]


def test_a_node_alone_is_silent():
    assert time_out(subscriber(label="0")) == []


def test_the_ends_of_the_list_present_themselves_for_the_ring():
    assert ("r", "Present", OWN, "CYC") in time_out(subscriber(right=RIGHT))
    assert ("l", "Present", OWN, "CYC") in time_out(subscriber(left=LEFT))
    assert not [message for message in time_out(subscriber(left=LEFT, right=RIGHT)) if message[1] == "Present"]


def test_a_cyclic_neighbour_with_the_own_label_is_probed_and_dropped():
    core = subscriber(left=LEFT, right=RIGHT, ring=["01", "x"])
    assert ("x", "Probe", "u", "CYC") in time_out(core)
    assert slots(core) == (LEFT, RIGHT, None)


def test_a_cyclic_edge_in_the_middle_is_passed_on_towards_the_end():
    core = subscriber(left=LEFT, right=RIGHT, ring=RING)
    assert ("l", "Introduce", ("11", "x"), "CYC") in time_out(core)
    assert slots(core) == (LEFT, RIGHT, None)
    core = subscriber(left=LEFT, right=RIGHT, ring=["0", "x"])
    assert ("r", "Introduce", ("0", "x"), "CYC") in time_out(core)
    assert slots(core) == (LEFT, RIGHT, None)


def test_a_cyclic_edge_at_the_end_is_checked():
    core = subscriber(right=RIGHT, ring=RING)
    assert check("x", "11", "CYC") in time_out(core)
    assert slots(core) == (None, RIGHT, RING)
    assert check("x", "0", "CYC") in time_out(subscriber(left=LEFT, ring=["0", "x"]))


def test_list_neighbours_are_checked_with_the_label_that_is_stored():
    sent = time_out(subscriber(left=LEFT, right=RIGHT))
    assert sent == unordered(check("l", "001"), check("r", "011"))


def test_a_neighbour_with_the_own_label_is_checked_in_place():
    core = subscriber(left=["01", "l"], right=["01", "r"])
    assert check("l", "01") in time_out(core)
    assert slots(core) == (["01", "l"], ["01", "r"], None)


def test_a_neighbour_on_the_wrong_side_is_placed_anew_and_left_comes_first():
    core = subscriber(left=["1", "l"], right=["0", "r"])
    # l meets the occupied right slot, which is not farther, and is passed on; then r moves to the left.
    assert ("r", "Linearize", ("1", "l")) in time_out(core)
    assert slots(core) == (["0", "r"], None, None)
    core = subscriber(left=["1", "l"])
    assert check("l", "1") in time_out(core)
    assert slots(core) == (None, ["1", "l"], None)


def test_shortcuts_get_the_labels_that_the_neighbours_imply():
    core = subscriber(left=["0011", "l"], right=["0101", "r"], shortcuts=[["0", "a"]])
    time_out(core)
    assert state_of(core)["shortcuts"] == [["0", "a"], ["001", None], ["011", None], ["1", None]]


def test_the_cyclic_neighbour_implies_shortcuts_too():
    core = subscriber(label="0", right=["001", "r"], ring=["111", "x"])
    time_out(core)
    assert state_of(core)["shortcuts"] == [["01", None], ["1", None], ["11", None]]


def test_a_cyclic_neighbour_on_the_wrong_side_implies_none():
    core = subscriber(ring=["0", "x"])
    time_out(core)
    assert state_of(core)["shortcuts"] == []


def test_pruned_shortcuts_go_to_the_list_in_ascending_order():
    core = subscriber(label="0", right=["001", "r"], shortcuts=[["011", "a"], ["0111", "b"], ["111", None]])
    sent = time_out(core)
    assert state_of(core)["shortcuts"] == [["01", None], ["1", None]]
    assert ("r", "Linearize", ("011", "a")) in sent
    assert ("r", "Linearize", ("0111", "b")) in sent
    core = subscriber(label="0", shortcuts=[["011", "a"], ["0111", "b"]])
    # The lower one is stored first, so the higher one is passed on to it.
    assert ("a", "Linearize", ("0111", "b")) in time_out(core)
    assert slots(core) == (None, ["011", "a"], None)


def test_partners_are_the_ends_of_both_chains():
    core = subscriber(left=["0011", "l"], right=["0101", "r"], shortcuts=[["0", "a"], ["1", "b"]])
    sent = time_out(core)
    assert ("a", "IntroduceShortcut", ("1", "b")) in sent
    assert ("b", "IntroduceShortcut", ("0", "a")) in sent


def test_ring_neighbours_with_shorter_labels_are_partners_themselves():
    core = subscriber(label="011", left=["01", "l"], right=["1", "r"])
    sent = time_out(core)
    assert ("l", "IntroduceShortcut", ("1", "r")) in sent
    assert ("r", "IntroduceShortcut", ("01", "l")) in sent


def test_there_is_no_introduction_without_two_different_partners():
    for shortcuts in ([["0", "a"]], [["0", "a"], ["1", "a"]]):
        core = subscriber(left=["0011", "l"], right=["0101", "r"], shortcuts=shortcuts)
        assert not [message for message in time_out(core) if message[1] == "IntroduceShortcut"]


def test_partners_are_those_from_before_the_pruned_shortcuts_were_placed():
    core = subscriber(label="011", left=["01", "l"], shortcuts=[["1", "a"]])
    sent = time_out(core)
    assert slots(core) == (["01", "l"], ["1", "a"], None)
    assert not [message for message in sent if message[1] == "IntroduceShortcut"]


@pytest.mark.parametrize(
    "message",
    [
        SetData(("0", "supervisor"), "01", ("1", "supervisor")),
        Check(("1", "supervisor"), "01", "LIN"),
        Check(("1", "supervisor"), "11", "CYC"),
        Introduce(("1", "supervisor"), "CYC"),
        Present(("1", "supervisor"), "LIN"),
        Linearize(("1", "supervisor")),
        IntroduceShortcut(("1", "supervisor")),
        Probe("supervisor", "LIN"),
    ],
)
def test_the_supervisor_is_no_neighbour(message):
    named = ["1", "supervisor"]
    core = subscriber(left=named, right=named, ring=named, shortcuts=[named])
    assert hear(core, message) == []
    assert state_of(core) == {**BLANK, "label": "01", "shortcuts": [["1", None]]}


def test_an_empty_shortcut_with_a_lower_label_keeps_no_node_from_thinking_itself_minimal():
    """Source: Section 3.2.1, action (iv)."""
    ring = {"label": "01", "right": ["1", "r"], "ring": ["11", "x"]}
    asks = ("supervisor", "GetConfiguration", "u")
    assert asks in time_out(subscriber(0.4, **ring, shortcuts=[["0", None]]))
    assert asks not in time_out(subscriber(0.4, **ring, shortcuts=[["0", "v"]]))
