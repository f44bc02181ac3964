from gomboc.impl.protocols.skip_ring.messages import Check, Introduce, Linearize, Present, Probe, RemoveConnections
from tests.impl.protocols.skip_ring.cores import hear, state_of, subscriber, unordered

LEFT, RIGHT, RING = ["001", "l"], ["011", "r"], ["11", "x"]


def linearize(label, node):
    return Linearize((label, node))


# Verifying


def test_a_claim_about_oneself_is_ignored():
    core = subscriber()
    assert hear(core, linearize("1", "u")) == []
    assert state_of(core)["right"] is None


def test_a_node_without_a_label_asks_to_be_left():
    for message in (linearize("1", "v"), Introduce(("1", "v"), "CYC"), Present(("1", "v"), "LIN")):
        assert hear(subscriber(label=None), message) == [("v", "RemoveConnections", "u")]


def test_hearsay_that_contradicts_a_slot_is_checked_with_its_subject():
    core = subscriber(left=LEFT)
    before = state_of(core)
    assert hear(core, linearize("0", "l")) == [("l", "Probe", "u", "LIN")]
    assert hear(core, Introduce(("0", "l"), "CYC")) == [("l", "Probe", "u", "CYC")]
    assert state_of(core) == before


def test_hearsay_that_ties_with_a_slot_is_checked_with_its_subject():
    core = subscriber(ring=RING)
    assert hear(core, linearize("11", "v")) == [("v", "Probe", "u", "LIN")]
    assert state_of(core)["ring"] == RING


def test_hearsay_that_ties_with_oneself_is_checked_with_its_subject():
    assert hear(subscriber(), linearize("01", "v")) == [("v", "Probe", "u", "LIN")]


def test_shortcuts_play_no_part_in_verifying():
    core = subscriber(shortcuts=[["0", "v"], ["1", "w"]])
    assert hear(core, linearize("1", "v")) == []
    assert state_of(core)["right"] == ["1", "v"]


def test_first_hand_corrects_what_is_stored():
    core = subscriber(left=["0", "v"], ring=["1", "v"])
    assert hear(core, Present(("001", "v"), "LIN")) == []
    assert state_of(core)["left"] == ["001", "v"]
    assert state_of(core)["ring"] is None


def test_a_first_hand_tie_asks_the_supervisor_about_both():
    core = subscriber(left=LEFT)
    sent = hear(core, Present(("001", "v"), "LIN"))
    assert sent == unordered(
        ("supervisor", "GetConfiguration", "v"),
        ("supervisor", "GetConfiguration", "l"),
    )
    assert state_of(core)["left"] == LEFT


def test_a_first_hand_tie_with_oneself_asks_about_oneself():
    sent = hear(subscriber(), Present(("01", "v"), "CYC"))
    assert sent == unordered(
        ("supervisor", "GetConfiguration", "v"),
        ("supervisor", "GetConfiguration", "u"),
    )


def test_the_other_party_of_a_tie_is_the_first_slot_in_order():
    core = subscriber(label="001", left=["001", "v"], right=["001", "r"], ring=["001", "x"])
    sent = hear(core, Present(("001", "v"), "LIN"))
    assert sent == unordered(
        ("supervisor", "GetConfiguration", "v"),
        ("supervisor", "GetConfiguration", "r"),
    )


def test_a_first_hand_tie_still_empties_the_contradiction():
    core = subscriber(left=LEFT, right=["1", "v"])
    sent = hear(core, Present(("001", "v"), "LIN"))
    assert {message[2] for message in sent} == {"v", "l"}
    assert state_of(core)["right"] is None
    assert state_of(core)["left"] == LEFT


# The list


def test_an_empty_slot_takes_the_claim():
    core = subscriber()
    assert hear(core, linearize("0", "v")) == []
    assert hear(core, linearize("1", "w")) == []
    assert (state_of(core)["left"], state_of(core)["right"]) == (["0", "v"], ["1", "w"])


def test_a_closer_node_is_stored_and_gets_the_one_before_it():
    core = subscriber(left=["0", "l"], right=["1", "r"])
    assert hear(core, linearize("001", "v")) == [("v", "Linearize", ("0", "l"))]
    assert hear(core, linearize("011", "w")) == [("w", "Linearize", ("1", "r"))]
    assert (state_of(core)["left"], state_of(core)["right"]) == (["001", "v"], ["011", "w"])


def test_a_farther_node_is_passed_on():
    core = subscriber(left=LEFT, right=RIGHT)
    assert hear(core, linearize("0", "v")) == [("l", "Linearize", ("0", "v"))]
    assert hear(core, linearize("1", "w")) == [("r", "Linearize", ("1", "w"))]


def test_what_is_stored_already_changes_nothing():
    assert hear(subscriber(left=LEFT), linearize("001", "l")) == []


def test_a_slot_on_the_wrong_side_gets_the_claim_passed_on():
    core = subscriber(left=["1", "l"])
    assert hear(core, linearize("0", "v")) == [("l", "Linearize", ("0", "v"))]


def test_an_introduction_to_the_list_is_hearsay_and_a_presentation_is_not():
    assert hear(subscriber(left=LEFT), Introduce(("0", "l"), "LIN")) == [("l", "Probe", "u", "LIN")]
    core = subscriber(left=LEFT)
    assert hear(core, Present(("0", "l"), "LIN")) == []
    assert state_of(core)["left"] == ["0", "l"]


# The ring


def test_a_node_at_the_end_of_the_list_closes_the_ring():
    core = subscriber(label="0", right=RIGHT)
    assert hear(core, Introduce(("11", "v"), "CYC")) == []
    assert state_of(core)["ring"] == ["11", "v"]


def test_a_node_inside_the_list_passes_the_cyclic_edge_on():
    core = subscriber(left=LEFT, right=RIGHT)
    assert hear(core, Introduce(("11", "v"), "CYC")) == [("l", "Introduce", ("11", "v"), "CYC")]
    assert hear(core, Introduce(("0", "w"), "CYC")) == [("r", "Introduce", ("0", "w"), "CYC")]


def test_the_cyclic_edge_is_not_passed_on_to_its_own_end():
    core = subscriber(left=["0", "v"], right=RIGHT)
    # First hand, v's new label empties the left slot, so v is not the inner neighbour any more.
    assert hear(core, Present(("11", "v"), "CYC")) == []
    assert (state_of(core)["left"], state_of(core)["ring"]) == (None, ["11", "v"])
    core = subscriber(right=["1", "v"], left=None, ring=None)
    assert hear(core, Introduce(("1", "v"), "CYC")) == []
    assert state_of(core)["ring"] == ["1", "v"]


def test_an_inner_neighbour_on_the_wrong_side_is_not_told_of_itself():
    core = subscriber(left=["1", "v"])
    assert hear(core, Introduce(("1", "v"), "CYC")) == []
    assert state_of(core)["ring"] is None


def test_the_farther_of_two_cyclic_neighbours_stays():
    core = subscriber(label="0", ring=["01", "x"])
    assert hear(core, Introduce(("11", "v"), "CYC")) == [("v", "Introduce", ("01", "x"), "LIN")]
    assert (state_of(core)["ring"], state_of(core)["right"]) == (["11", "v"], ["01", "x"])
    assert hear(core, Introduce(("1", "w"), "CYC")) == unordered(
        ("v", "Introduce", ("1", "w"), "LIN"), ("x", "Linearize", ("1", "w"))
    )
    assert state_of(core)["ring"] == ["11", "v"]


def test_the_cyclic_edge_that_is_there_changes_nothing():
    core = subscriber(label="0", ring=RING)
    assert hear(core, Present(("11", "x"), "CYC")) == []
    assert state_of(core)["ring"] == RING


def test_cyclic_neighbours_on_both_sides_go_to_the_list():
    core = subscriber(ring=RING)
    assert hear(core, Introduce(("0", "v"), "CYC")) == []
    state = state_of(core)
    assert (state["left"], state["right"], state["ring"]) == (["0", "v"], RING, None)


# Check and Probe


def test_a_check_with_the_right_label_is_believed():
    core = subscriber(right=["011", "v"])
    assert hear(core, Check(("1", "v"), "01", "LIN")) == []
    assert state_of(core)["right"] == ["1", "v"]


def test_a_check_with_a_wrong_label_is_told_the_right_one():
    core = subscriber()
    assert hear(core, Check(("1", "v"), "001", "CYC")) == [("v", "Present", ("01", "u"), "CYC")]
    assert state_of(core)["right"] is None


def test_a_check_without_a_label_is_answered_with_removal():
    assert hear(subscriber(label=None), Check(("1", "v"), "01", "LIN")) == [("v", "RemoveConnections", "u")]


def test_a_probe_is_answered_with_the_own_label():
    assert hear(subscriber(), Probe("v", "CYC")) == [("v", "Present", ("01", "u"), "CYC")]
    assert hear(subscriber(label=None), Probe("v", "CYC")) == [("v", "RemoveConnections", "u")]


def test_neither_check_nor_probe_of_oneself_does_anything():
    for label in ("01", None):
        assert hear(subscriber(label=label), Probe("u", "LIN")) == []
        assert hear(subscriber(label=label), Check(("1", "u"), "001", "LIN")) == []


def test_a_node_is_removed_wherever_it_is_stored():
    core = subscriber(left=["0", "v"], right=["1", "v"], ring=["11", "v"], shortcuts=[["0", "v"], ["1", "w"]])
    assert hear(core, RemoveConnections("v")) == []
    state = state_of(core)
    assert (state["left"], state["right"], state["ring"]) == (None, None, None)
    assert state["shortcuts"] == [["0", None], ["1", "w"]]
