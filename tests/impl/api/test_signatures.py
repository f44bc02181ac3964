from base64 import b64decode, b64encode

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.api.signatures import Ed25519, Identity, public_key, signed_overlay, signer_for_traces
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.publication import Publication, content
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.topics import sealed
from tests.impl.in_memory import InMemory
from tests.impl.refusing import refusing
from tests.impl.system import System
from tests.toys.members.impl import OVERLAY

PARAMETERS = {"key_bits": 24}
PRIVATE = {name: bytes([place]) * 32 for place, name in enumerate(("ann", "ben", "eve"))}
PUBLIC = {name: public_key(key) for name, key in PRIVATE.items()}


def identity(name):
    return Identity(name, PRIVATE[name], PUBLIC)


def said(publisher="ann", number=1, payload="x", *, by="ann", topic="news", signature=None):
    """A publication that `by` has signed."""
    if signature is None:
        written = content(publisher, number, payload)
        signature = Ed25519(identity(by), topic).sign(by, written)
    return Publication(key_of(publisher, number, payload, 24), publisher, number, payload, signature)


def signer(publication, topic="news"):
    return Ed25519(identity("ben"), topic).signer(publication)


GOOD = said().signature
OTHERWISE = (
    GOOD[:85]
    + next(
        sign
        for sign in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        if sign != GOOD[85] and b64decode(GOOD[:85] + sign + "==") == b64decode(GOOD)
    )
    + "=="
)
"""The same bytes: four bits of the last sign mean nothing."""


def test_a_signature_is_its_publishers():
    assert signer(said()) == "ann"


@pytest.mark.parametrize(
    "publication",
    [
        said(by="eve"),
        said(topic="sport"),
        said(signature="ann"),
        said(signature="not base64"),
        said(signature=b64encode(bytes(64)).decode()),
        said(signature=GOOD[:4] + "." + GOOD[4:]),
        said(signature=OTHERWISE),
        msgspec.structs.replace(said(), number=2),
        msgspec.structs.replace(said(), text="y"),
        msgspec.structs.replace(said(), text="data:text/html,x"),
        msgspec.structs.replace(said(), publisher="ben"),
        msgspec.structs.replace(said(), publisher="stranger"),
    ],
)
def test_what_the_publisher_has_not_signed_in_this_topic_is_of_no_node(publication):
    assert signer(publication) is None


def test_a_node_signs_for_itself_only():
    with refusing("ann cannot sign for ben."):
        Ed25519(identity("ann"), "news").sign("ben", b"x")


@pytest.mark.parametrize(
    ("private", "public", "says"),
    [
        (PRIVATE["ann"][1:], PUBLIC, "The private key of ann has to have 32 bytes, not 31."),
        (PRIVATE["ben"], PUBLIC, "The private key of ann does not belong to its public key."),
        (PRIVATE["ann"], {"ben": PUBLIC["ben"]}, "The private key of ann does not belong to its public key."),
        (PRIVATE["ann"], {**PUBLIC, "eve": b"short"}, "The public key of eve has to have 32 bytes, not 5."),
    ],
)
def test_keys_that_cannot_be_are_refused(private, public, says):
    with refusing(says):
        Identity("ann", private, public)


def signed(name):
    return signed_overlay(overlay("skip_ring", PARAMETERS), identity(name))


def test_where_nothing_can_be_published_nothing_can_be_signed():
    with refusing("toy has no publications to be signed."):
        signed_overlay(OVERLAY, identity("ann"))


def system():
    """A supervisor, and three nodes each of which signs with a key of its own."""
    there = System(signed("ann"), signer=signer_for_traces(identity("ann")))
    for name in PRIVATE:
        there.start(name, own=signed(name))
    for topic in ("news", "sport"):
        there.subscribe(topic, *PRIVATE)
    there.run(5)
    return there


def tell(there, topic, publication):
    message = {"kind": "PublishNew", "sender": "eve", "publication": publication}
    there.say(topic, "ben", msgspec.json.encode(message), sender="eve")


@pytest.mark.parametrize("forged", [said(by="eve"), said(signature="ann")])
def test_a_publication_under_another_name_is_forged_whatever_it_says_of_itself(forged):
    there = system()
    tell(there, "news", forged)
    there.run(5)
    assert there["ben"].counters("news").refused == {Reason.FORGED: 1}
    assert there.payloads("ben", "news") == []


def test_what_was_said_in_one_topic_is_forged_in_another():
    there = system()
    there["ann"].publish("news", "x")
    (publication,) = there["ann"].history("news")
    tell(there, "sport", publication)
    there.run(5)
    assert there["ben"].counters("sport").refused == {Reason.FORGED: 1}
    assert there.payloads("ben", "news") == ["x"]
    assert there.payloads("ben", "sport") == []


class Peers(InMemory):
    """Three nodes that sign, over an overlay where nodes join through each other, and a recording of all layers."""

    def __init__(self, name, **parameters):
        own = signed_overlay(overlay(name, {**PARAMETERS, **parameters}), identity("ann"))
        super().__init__(own, 1, SystemRecording(own, {"seed": 1}, signer_for_traces(identity("ann"))))
        for each in PRIVATE:
            self.start(each, own=self.of(each), contact=self.another(each))
            self.clock.advance(1)
        self.clock.advance(10)

    def of(self, name):
        return signed_overlay(self.overlay, identity(name))

    def subscribe(self, *names):
        for name in names:
            self.nodes[name].subscribe("news")
        self.clock.advance(8)

    def say(self, layer, topic, kind, **fields):
        """A message of eve to ben."""
        (of,) = (one for one in self.overlay.layers if one.implementation.name == layer)
        written = sealed(topic, of.agreement, msgspec.json.encode({"kind": kind, "sender": "eve", **fields}))
        self.network.send("eve", "ben", written)

    def payloads(self, name):
        return sorted(one.payload for one in self.nodes[name].history("news"))

    def refused(self):
        return {reason for node in self.nodes.values() for (_, _, reason) in node.refused_peers()}


def hold(written):
    for path in (path for path in written if path.suffix == ".jsonl" and "chord" not in str(path)):
        judgement = judge_file(path)
        others = (judgement.closure, judgement.convergence) if path.parent.name == "skip_ring" else ()
        for verdict in (judgement.conformance, *others):
            assert isinstance(verdict, Holds), (path, verdict)


def broadcast(one):
    return ":everywhere:", "Broadcast", {"item": ["news", one]}


@pytest.mark.parametrize(
    ("name", "parameters", "layer", "forges"),
    [
        ("skip_ring", {}, "skip_ring", lambda one: ("news", "PublishNew", {"publication": one})),
        ("hyparview", {}, "hyparview", broadcast),
        ("hyparview", {}, "hyparview", lambda one: (":everywhere:", "Publish", {"items": [["news", one]]})),
        ("scribe", {}, "scribe", lambda one: ("news", "Publish", {"publications": [one]})),
        ("scribe", {"high": 2, "low": 1}, "hyparview", broadcast),
    ],
)
def test_what_is_signed_reaches_all_and_the_forged_does_not_and_traces_hold(name, parameters, layer, forges, tmp_path):
    there = Peers(name, **parameters)
    there.subscribe(*PRIVATE)
    for each in PRIVATE:
        there.nodes[each].publish("news", f"{each} says")
    there.clock.advance(8)
    assert there.refused() == set()
    for forged in (said(by="eve", payload="forged"), said(topic="sport", payload="moved")):
        topic, kind, fields = forges(forged)
        there.say(layer, topic, kind, **fields)
    there.clock.advance(8)
    assert [there.payloads(each) for each in PRIVATE] == [["ann says", "ben says", "eve says"]] * 3
    assert there.refused() == {Reason.FORGED}
    hold(there.recording.write(tmp_path))


def test_what_is_signed_goes_across_the_switch_from_tree_to_broadcast_and_back(tmp_path):
    there, publishers = Peers("scribe", high=3, low=2), iter(("ann", "ben", "eve"))
    spread = []
    for subscribed, left in ((("ann",), ()), (("ben", "eve"), ()), ((), ("eve", "ben"))):
        there.subscribe(*subscribed)
        for name in left:
            there.nodes[name].unsubscribe("news")
        there.clock.advance(10)
        publisher = next(publishers)
        there.nodes[publisher].publish("news", f"{publisher} says")
        there.clock.advance(8)
        spread.append(there.payloads("ann"))
    assert spread == [["ann says"], ["ann says", "ben says"], ["ann says", "ben says", "eve says"]]
    assert there.refused() == set()
    written = there.recording.write(tmp_path)
    hold(written)
    (spreading,) = (path for path in written if path.name == "hyparview.jsonl")
    heard = [line for line in spreading.read_text().splitlines() if '"Heard"' in line]
    assert ["ben says" in line for line in heard] == [True] * len(there.nodes)


def test_a_recording_verifies_each_publication_once(monkeypatch):
    verified, signer_of = [], Ed25519.signer

    def counted(authenticator, publication):
        verified.append(publication)
        return signer_of(authenticator, publication)

    monkeypatch.setattr(Ed25519, "signer", counted)
    name_signer, one = signer_for_traces(identity("ben")), said()
    again = msgspec.json.decode(msgspec.json.encode(one), type=Publication)
    forged = said(by="eve")
    assert [name_signer("news", each) for each in (one, again, forged, forged)] == ["ann", "ann", None, None]
    assert name_signer("sport", one) is None
    assert verified == [one, forged, one]
