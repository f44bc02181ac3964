from itertools import chain
from random import Random

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import Overlay, overlay
from gomboc.impl.api.recording import Recording
from gomboc.impl.api.signatures import Identity, public_key, signed_overlay
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.topics import sealed
from tests.impl.in_memory import InMemory
from tests.impl.refusing import refused, refusing
from tests.impl.system import assert_holds
from tests.toys.members.impl import OVERLAY, PORT, TOY

NO_NAME = "is 1 to 64 characters out of letters, digits and _ . : -; 'a b' is not."


def test_a_blank_core_knows_no_node_and_wants_nothing():
    assert bytes(OVERLAY.blank("subscriber", "ann", Random(1), "news").snapshot()) == b'{"others":null,"wants":false}'
    assert OVERLAY.blank_state("supervisor") == {"members": []}


def test_a_role_whose_beginning_is_not_said_is_refused():
    with refusing("toy does not say how a node with role 'king' begins."):
        Overlay(TOY, PORT).blank("king", "ann", Random(1), "news")


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
def test_nodes_with_other_parameters_or_another_protocol_do_not_agree(parameters):
    own = overlay("skip_ring", {"key_bits": 24}).agreement
    assert overlay("skip_ring", parameters).agreement != own != OVERLAY.agreement


def test_an_implementation_without_a_port_is_refused(monkeypatch):
    monkeypatch.delattr("gomboc.impl.protocols.skip_ring.PORT")
    with refusing("skip_ring has no port for applications: its package exports no PORT."):
        overlay("skip_ring")


def test_applications_over_skip_plus_run_without_rounds_and_a_network_in_rounds_is_refused():
    neighbours = overlay("skip_plus").beneath.neighbours
    assert neighbours.parameters == {"synchronous": False, "layered": True, "most_names": 64}
    assert overlay("skip_plus", {"synchronous": False}).agreement == overlay("skip_plus").agreement
    with refusing("Applications over skip_plus need the parameter synchronous to be False: omit it."):
        overlay("skip_plus", {"synchronous": True})


@pytest.mark.parametrize(
    ("name", "parameters", "node", "says"),
    [
        ("skip_ring", {}, "a b", f"A node's name {NO_NAME}"),
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
    there = InMemory(overlay(name, parameters))
    assert refused(Node, node, there.overlay, there.around("x"), incarnation=1) == (Reason.BAD_NAME, says)


def test_the_supervisor_of_a_ring_has_the_name_that_the_parameters_say():
    """Two rings on one network, each with its own; what one says to the other's subscribers is not its to say."""
    there = InMemory(OVERLAY)
    clock, around = there.clock, there.around
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


RINGS = overlay("skip_ring", {"key_bits": 32, "supervisor": "west"}, contacts={"news": "east"})
"""One system, in which the topic `news` has a supervisor of its own."""
SET_DATA = b'{"kind":"SetData","pred":null,"label":"0","succ":null}'


class TwoSupervisors(InMemory):
    """Three nodes of one system; two are in `news`, which has its own supervisor, and two in `sport`."""

    def __init__(self, overlay=RINGS):
        super().__init__(overlay, 1, Recording(overlay, {"seed": 1}), detector=Timing())
        east = Contact("east", overlay, self.around("east"), detector=Timing())
        self.contacts = {"east": east, "west": self.contacts[0]}
        for name, topics in {"ann": ["news"], "ben": ["news", "sport"], "cai": ["sport"]}.items():
            self.start(name, topics=topics, detector=Timing())
        self.run()

    def say(self, sender, to, topic, message=SET_DATA):
        self.network.send(sender, to, sealed(topic, self.overlay.of_topic(topic).agreement, message))
        self.clock.advance(5)

    def texts(self, topic, *names):
        return [[publication.text for publication in self.nodes[name].history(topic)] for name in names]


def test_topics_of_one_node_may_have_different_supervisors_and_both_traces_hold(tmp_path):
    there = TwoSupervisors()
    assert {name: contact.topics for name, contact in there.contacts.items()} == {"east": ("news",), "west": ("sport",)}
    there.nodes["ann"].publish("news", "from the east")
    there.nodes["ben"].publish("sport", "from the west")
    there.nodes["ben"].publish("news", "from both")
    there.clock.advance(20)
    assert there.texts("news", "ann", "ben") == [["from the east", "from both"]] * 2
    assert there.texts("sport", "ben", "cai") == [["from the west"]] * 2
    assert [dict(node.refused_peers()) for node in there.nodes.values()] == [{}, {}, {}]
    there.nodes["ben"].unsubscribe("sport", forget=True)
    there.clock.advance(10)
    there.nodes["ann"].stop()
    there.clock.advance(20)
    assert there.nodes["ben"].instances == ("news",)
    for path in there.recording.write(tmp_path):
        assert_holds(judge_file(path))
    headers = {topic: there.recording.header(topic) for topic in there.recording.topics}
    assert {topic: header["parameters"]["supervisor"] for topic, header in headers.items()} == {
        "news": "east",
        "sport": "west",
    }
    assert [sorted(header["roles"]) for header in headers.values()] == [["ann", "ben", "east"], ["ben", "cai", "west"]]


@pytest.mark.parametrize(("liar", "topic"), [("east", "sport"), ("west", "news")])
def test_what_the_supervisor_of_one_topic_says_in_another_one_is_not_its_to_say(liar, topic):
    there = TwoSupervisors()
    before = there.nodes["ben"]._host.instances.snapshot(topic)
    there.say(liar, "ben", topic)
    assert dict(there.nodes["ben"].refused_peers()) == {(liar, topic, "not_yours"): 1}
    assert bytes(there.nodes["ben"]._host.instances.snapshot(topic)) == bytes(before)


@pytest.mark.parametrize(
    ("node", "topic", "own", "other"), [("cai", "news", "east", "west"), ("ann", "sport", "west", "east")]
)
def test_only_the_supervisor_of_a_topic_can_say_that_a_node_belongs_to_it(node, topic, own, other):
    there = TwoSupervisors()
    there.say(other, node, topic)
    assert dict(there.nodes[node].refused_peers()) == {(other, None, "not_yours"): 1}
    there.say(own, node, topic)
    asked = [step for step in there.recording.steps(topic) if step.node == node and step.sent]
    assert "Unsubscribe" in {sent.message.__struct_config__.tag for sent in chain(*(step.sent for step in asked))}
    assert dict(there.nodes[node].refused_peers()) == {(other, None, "not_yours"): 1}


def test_a_topic_with_another_supervisor_has_another_agreement():
    there = TwoSupervisors()
    written = sealed("news", RINGS.agreement, SET_DATA)
    there.network.send("east", "ben", written)
    there.clock.advance(5)
    assert dict(there.nodes["ben"].refused_peers()) == {("east", None, "other_parameters"): 1}


def test_a_recording_says_nothing_in_place_of_a_supervisor_that_is_cut_off():
    there = InMemory(RINGS, 1, Recording(RINGS, {"seed": 1}))
    for name in ("east", "west"):
        there.network.disconnect(name)
    there.start("ben", topics=["news", "sport"])
    there.run(5)
    for topic in ("news", "sport"):
        assert {step.node for step in there.recording.steps(topic)} == {"ben"}


@pytest.mark.parametrize("key_of_ann", ["ann", "eve"])
def test_publications_are_signed_and_disputed_in_a_topic_with_a_supervisor_of_its_own(key_of_ann):
    private = {name: bytes([index]) * 32 for index, name in enumerate(("ann", "ben", "eve"))}
    public = {name: public_key(key) for name, key in private.items()}
    known = {"ann": public, "ben": {**public, "ann": public[key_of_ann]}}
    there = InMemory(RINGS)
    Contact("east", RINGS, there.around("east"))
    signed = {name: signed_overlay(RINGS, Identity(name, private[name], known[name])) for name in known}
    ann, ben = (Node(name, own, there.around(name), incarnation=1, topics=["news"]) for name, own in signed.items())
    there.run()
    ann.publish("news", "signed")
    there.run()
    agree = key_of_ann == "ann"
    assert [publication.text for publication in ben.history("news")] == ["signed"] * agree
    assert dict(ben.refused_peers()) == ({} if agree else {("ann", "news", "forged"): 1})
    assert dict(ann.refused_peers()) == ({} if agree else {("ben", "news", "disputed"): 1})


@pytest.mark.parametrize("name", ["east", "west", "supervisor"])
def test_no_member_has_the_name_of_a_supervisor_of_any_topic(name):
    with pytest.raises(RefusedError) as refused:
        TwoSupervisors().start(name, topics=[])
    assert refused.value.reason == Reason.BAD_NAME


@pytest.mark.parametrize(
    ("own", "says"),
    [
        (OVERLAY, "toy has no contact 'king'; it has: supervisor."),
        (RINGS, "skip_ring has no contact 'king'; it has: west, east."),
    ],
)
def test_a_contact_is_one_of_the_system_or_of_a_topic(own, says):
    with refusing(says):
        Contact("king", own, None)


@pytest.mark.parametrize(
    ("name", "contacts", "says"),
    [
        ("chord", {"news": "east"}, "No topic over chord has a well-known node of its own: omit contacts."),
        ("skip_plus", {"news": "east"}, "No topic over skip_plus has a well-known node of its own: omit contacts."),
        ("skip_ring", {"a b": "east"}, f"A topic's name {NO_NAME}"),
    ],
)
def test_topics_have_contacts_of_their_own_only_where_there_are_some(name, contacts, says):
    with refusing(says):
        overlay(name, contacts=contacts)


@pytest.mark.parametrize("contact", ["a b", "", 7, None])
def test_a_malformed_contact_of_a_topic_is_refused(contact):
    with pytest.raises(UsageError, match="These are not parameters of the skip ring"):
        overlay("skip_ring", contacts={"news": contact})
