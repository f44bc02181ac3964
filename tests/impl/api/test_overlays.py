from random import Random

import pytest

from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import Overlay, overlay
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork
from tests.impl.refusing import refusing
from tests.toys.members.impl import OVERLAY, PORT, TOY


def test_a_blank_core_knows_no_node_and_wants_nothing():
    assert bytes(OVERLAY.blank("subscriber", "ann", Random(1), "news").snapshot()) == b'{"others":null,"wants":false}'
    assert OVERLAY.blank_state("supervisor") == {"members": []}


def test_a_role_whose_beginning_is_not_said_is_refused():
    with refusing("toy does not say how a node with role 'king' begins."):
        Overlay(TOY, PORT).blank("king", "ann", Random(1), "news")


def test_an_implementation_is_found_by_its_name():
    assert overlay("skip_ring").implementation.name == "skip_ring"


def test_parameters_that_an_implementation_does_not_have_are_refused(monkeypatch):
    monkeypatch.setattr("gomboc.impl.api.overlays.implementation", lambda name: TOY)
    monkeypatch.setattr("gomboc.impl.api.overlays.exported", lambda name, what: PORT)
    with refusing("toy has no parameters."):
        overlay("toy", {"key_bits": 3})


def test_what_has_to_be_agreed_on_is_the_same_however_it_is_written():
    agreement = overlay("skip_ring", {"key_bits": 24}).agreement
    assert overlay("skip_ring", {"payload_limit": 4096, "key_bits": 24, "chunk": 64}).agreement == agreement


@pytest.mark.parametrize(
    "parameters", [{}, {"key_bits": 25}, {"key_bits": 24, "keep": 5}, {"key_bits": 24, "chunk": 7}]
)
def test_nodes_with_other_parameters_do_not_agree(parameters):
    assert overlay("skip_ring", parameters).agreement != overlay("skip_ring", {"key_bits": 24}).agreement


def test_nodes_of_another_protocol_do_not_agree():
    assert overlay("skip_ring").agreement != OVERLAY.agreement


def test_an_implementation_without_a_port_is_refused(monkeypatch):
    monkeypatch.delattr("gomboc.impl.protocols.skip_ring.PORT")
    with refusing("skip_ring has no port for applications: its package exports no PORT."):
        overlay("skip_ring")


def test_a_contact_that_the_overlay_does_not_have_is_refused():
    with refusing("toy has no contact 'king'; it has: supervisor."):
        Contact("king", OVERLAY, None)


def test_applications_over_skip_plus_run_without_rounds_and_a_network_in_rounds_is_refused():
    neighbours = overlay("skip_plus").beneath.neighbours
    assert neighbours.parameters == {"synchronous": False, "layered": True, "most_names": 64}
    assert overlay("skip_plus", {"synchronous": False}).agreement == overlay("skip_plus").agreement
    with refusing("Applications over skip_plus need the parameter synchronous to be False: omit it."):
        overlay("skip_plus", {"synchronous": True})


@pytest.mark.parametrize(
    ("name", "parameters", "node", "says"),
    [
        (
            "skip_ring",
            {},
            "a b",
            "A node's name is 1 to 64 characters out of letters, digits and _ . : -; 'a b' is not.",
        ),
        ("skip_ring", {}, "supervisor", "'supervisor' is the contact of this overlay: choose another name."),
        ("skip_plus", {}, "ann", "'ann' is no name of a node of Skip+: write an id and bits, such as '007:0110'."),
        (
            "chord",
            {"ids": "number", "bits": 4},
            "ann",
            "'ann' is no name of a node of Chord: the name 'ann' does not end in a number.",
        ),
    ],
)
def test_a_name_that_no_node_of_the_overlay_can_have_is_refused_where_it_is_given(name, parameters, node, says):
    clock, random = ManualClock(), Random(1)
    around = NodeContext(MemoryNetwork(clock, random).transport("x"), clock, random)
    with pytest.raises(RefusedError) as refused:
        Node(node, overlay(name, parameters), around, incarnation=1)
    assert (refused.value.reason, str(refused.value)) == (Reason.BAD_NAME, says)


def test_the_supervisor_of_a_ring_has_the_name_that_the_parameters_say():
    """Two rings on one network, each with its own; what one says to the other's subscribers is not its to say."""
    clock, random = ManualClock(), Random(1)
    network = MemoryNetwork(clock, random)

    def around(name):
        return NodeContext(network.transport(name), clock, random)

    for ring, members in (("east", ("ann", "ben")), ("west", ("cai", "dan"))):
        own = overlay("skip_ring", {"key_bits": 8, "supervisor": ring})
        supervisor = Contact(ring, own, around(ring))
        nodes = [Node(name, own, around(name), incarnation=1) for name in members]
        for node in nodes:
            node.subscribe("news")
        clock.advance(10)
        nodes[0].publish("news", ring)
        clock.advance(10)
        assert [[one.text for one in node.history("news")] for node in nodes] == [[ring], [ring]]
        assert supervisor.topics == ("news",)
        with refusing(f"skip_ring has no contact 'supervisor'; it has: {ring}."):
            Contact("supervisor", own, around("supervisor"))
        with pytest.raises(RefusedError, match=f"{ring!r} is the contact of this overlay"):
            Node(ring, own, around("x"), incarnation=1)
    east, west = (overlay("skip_ring", {"supervisor": ring}) for ring in ("east", "west"))
    assert len({east.agreement, west.agreement, overlay("skip_ring").agreement}) == 3
