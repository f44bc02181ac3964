from base64 import b64decode, b64encode

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.signatures import Ed25519, Identity, public_key, signed_overlay, signer_for_traces
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.publication import Publication, content
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.host import NodeContext
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
        around = NodeContext(there.network.transport(name), there.clock, there.random, there.recording)
        there.nodes[name] = Node(name, signed(name), around, incarnation=1)
    for topic in ("news", "sport"):
        there.subscribe(topic, *PRIVATE)
    there.run(5)
    return there


def tell(there, topic, publication):
    message = {"kind": "PublishNew", "sender": "eve", "publication": publication}
    there.say(topic, "ben", msgspec.json.encode(message), sender="eve")


def test_what_is_signed_reaches_every_node_and_its_trace_holds(tmp_path):
    there = system()
    for name in PRIVATE:
        there[name].publish("news", f"{name} says")
    tell(there, "news", said(by="eve", payload="forged"))
    there.run(30)
    for name in PRIVATE:
        assert there.payloads(name, "news") == ["ann says", "ben says", "eve says"]
    judgement = judge_file(there.recording.write(tmp_path)[0])
    for verdict in (judgement.conformance, judgement.closure, judgement.convergence):
        assert isinstance(verdict, Holds), verdict


def test_a_publication_under_another_name_is_forged_whatever_it_says_of_itself():
    there = system()
    for forged in (said(by="eve"), said(signature="ann")):
        tell(there, "news", forged)
    there.run(5)
    assert there["ben"].counters("news").refused == {Reason.FORGED: 2}
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
