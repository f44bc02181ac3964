import pytest

from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.reasons import Reason
from tests.impl.news import system
from tests.impl.refusing import refused
from tests.impl.system import System
from tests.toys.members.impl import LONGEST, OVERLAY

LONE = "\ud800"


def test_a_topic_that_cannot_be_one_is_refused():
    ann = system("ann")["ann"]
    says = "A topic's name is 1 to 64 characters out of letters, digits and _ . : -; 'news.*' is not."
    for call in (ann.subscribe, ann.unsubscribe, ann.deliveries, ann.history):
        assert refused(call, "news.*") == (Reason.BAD_TOPIC, says)
    assert refused(ann.publish, "news.*", "x") == (Reason.BAD_TOPIC, says)
    assert ann.counters().refused == {Reason.BAD_TOPIC: 5}


def test_what_is_asked_of_a_topic_without_subscription_is_refused():
    ann = system("ann")["ann"]
    says = "ann is not subscribed to sport; subscribe to it first."
    for call in (ann.unsubscribe, ann.deliveries, ann.history):
        assert refused(call, "sport") == (Reason.NOT_SUBSCRIBED, says)
    assert refused(ann.publish, "sport", "x") == (Reason.NOT_SUBSCRIBED, says)
    assert ann.counters("sport").refused == {Reason.NOT_SUBSCRIBED: 4}


def test_a_payload_that_is_no_text_is_refused():
    ann = system("ann")["ann"]
    reason, says = refused(ann.publish, "news", LONE)
    assert reason is Reason.BAD_PAYLOAD
    assert says.startswith("A payload has to be text that UTF-8 can write, and this is not: ")
    assert ann.history("news") == ()


def test_a_payload_above_the_limit_is_refused_as_the_protocol_says():
    ann = system("ann")["ann"]
    assert refused(ann.publish, "news", "x" * (LONGEST + 1)) == (
        Reason.TOO_LARGE,
        "The protocol refuses the publication: too_large.",
    )
    assert ann.counters("news").refused == {Reason.TOO_LARGE: 1}


def test_where_no_node_joins_through_a_member_none_is_named():
    there = System(OVERLAY, ["ann"])
    says = "Nodes do not join through a member here: name none."
    assert refused(there["ann"].subscribe, "news", via="ben") == (Reason.BAD_CONTACT, says)


def test_where_no_key_has_an_owner_none_is_looked_up():
    there = system("ann")
    says = "No key has an owner on this overlay."
    assert refused(there["ann"].look_up, "news", "song", print) == (Reason.CANNOT_LOOK_UP, says)


def test_a_ring_without_key_bits_refuses_publications():
    there = System(overlay("skip_ring"), ["ann", "ben"])
    there.subscribe("news", "ann", "ben")
    node = there["ann"]
    for call in (lambda: node.publish("news", "hello"), lambda: node.history("news"), lambda: node.deliveries("news")):
        reason, says = refused(call)
        assert reason is Reason.CANNOT_PUBLISH
        assert says == "Nothing is published on this overlay without the parameter key_bits: give the overlay one."


@pytest.mark.parametrize("payload", [{"a": 1}, 3, None])
def test_a_payload_of_another_type_than_text_or_bytes_is_refused(payload):
    reason, says = refused(system("ann")["ann"].publish, "news", payload)
    assert reason is Reason.BAD_PAYLOAD
    assert says == f"A payload has to be text or bytes, and this is of the type {type(payload).__name__}."


def test_a_topic_that_is_no_text_is_refused():
    assert refused(system("ann")["ann"].subscribe, 3)[0] is Reason.BAD_TOPIC
