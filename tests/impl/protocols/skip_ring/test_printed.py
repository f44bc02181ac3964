from gomboc.impl.protocols.skip_ring.messages import Introduce, Linearize, Present
from tests.impl.protocols.skip_ring.cores import hear, state_of, subscriber


def printed(**variables):
    return subscriber(variant="skip_ring.printed_linearize", **variables)


def slots(core):
    state = state_of(core)
    return state["left"], state["right"]


def test_hearsay_replaces_the_label_of_a_neighbour():
    core = printed(left=["001", "l"])
    assert hear(core, Linearize(("0", "l"))) == []
    assert slots(core) == (["0", "l"], None)
    core = printed(right=["011", "r"])
    assert hear(core, Linearize(("1", "r"))) == []
    assert slots(core) == (None, ["1", "r"])


def test_a_neighbour_with_a_label_of_the_other_side_is_thrown_out_and_queued_to_oneself():
    core = printed(left=["001", "l"], right=["011", "r"])
    assert hear(core, Linearize(("1", "l"))) == [("u", "Linearize", ("1", "l"))]
    assert hear(core, Linearize(("0", "r"))) == [("u", "Linearize", ("0", "r"))]
    assert slots(core) == (None, None)


def test_no_node_is_ever_probed_or_asked_about():
    core = printed(left=["001", "l"])
    assert hear(core, Introduce(("001", "v"), "LIN")) == [("l", "Linearize", ("001", "v"))]
    assert hear(core, Present(("001", "v"), "LIN")) == [("l", "Linearize", ("001", "v"))]


def test_a_stranger_is_placed_as_in_the_list_without_corrupted_labels():
    core = printed(left=["0", "l"], right=["011", "r"])
    assert hear(core, Linearize(("001", "v"))) == [("v", "Linearize", ("0", "l"))]
    assert hear(core, Linearize(("1", "w"))) == [("r", "Linearize", ("1", "w"))]
    assert hear(core, Linearize(("0101", "x"))) == [("x", "Linearize", ("011", "r"))]
    assert slots(core) == (["001", "v"], ["0101", "x"])


def test_a_stranger_with_the_own_label_goes_to_both_sides():
    core = printed(left=["0", "l"])
    assert hear(core, Linearize(("01", "v"))) == [("v", "Linearize", ("0", "l"))]
    assert slots(core) == (["01", "v"], ["01", "v"])


def test_claims_about_oneself_and_nodes_without_a_label_are_treated_as_in_the_repair():
    assert hear(printed(), Linearize(("1", "u"))) == []
    assert hear(printed(label=None), Linearize(("1", "v"))) == [("v", "RemoveConnections", "u")]
