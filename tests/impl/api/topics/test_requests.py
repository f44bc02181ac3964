import pytest

from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.reasons import Reason
from tests.impl.news import system
from tests.impl.refusing import refused
from tests.impl.system import System
from tests.toys.members.impl import LONGEST, OVERLAY

LONE = "\ud800"


NO_TOPIC = "A topic's name is 1 to 64 characters out of letters, digits and _ . : -; {} is not.".format
NOT_SUBSCRIBED = "ann is not subscribed to sport; subscribe to it first."
TOO_LARGE = "The protocol refuses the publication: too_large."
NO_PAYLOAD = "A payload has to be text or bytes, and this is of the type {}.".format


@pytest.mark.parametrize(
    ("calls", "arguments", "reason", "says"),
    [
        (["subscribe", "unsubscribe", "deliveries", "history"], ["news.*"], Reason.BAD_TOPIC, NO_TOPIC("'news.*'")),
        (["publish"], ["news.*", "x"], Reason.BAD_TOPIC, NO_TOPIC("'news.*'")),
        (["subscribe"], [3], Reason.BAD_TOPIC, NO_TOPIC(3)),
        (["unsubscribe", "deliveries", "history"], ["sport"], Reason.NOT_SUBSCRIBED, NOT_SUBSCRIBED),
        (["publish"], ["sport", "x"], Reason.NOT_SUBSCRIBED, NOT_SUBSCRIBED),
        (["publish"], ["news", {"a": 1}], Reason.BAD_PAYLOAD, NO_PAYLOAD("dict")),
        (["publish"], ["news", 3], Reason.BAD_PAYLOAD, NO_PAYLOAD("int")),
        (["publish"], ["news", None], Reason.BAD_PAYLOAD, NO_PAYLOAD("NoneType")),
        (["publish"], ["news", "x" * (LONGEST + 1)], Reason.TOO_LARGE, TOO_LARGE),
        (["look_up"], ["news", "song", print], Reason.CANNOT_LOOK_UP, "No key has an owner on this overlay."),
    ],
)
def test_what_makes_no_sense_is_refused_and_counted(calls, arguments, reason, says):
    ann = system("ann")["ann"]
    for call in calls:
        assert refused(getattr(ann, call), *arguments) == (reason, says)
    topic = None if reason is Reason.BAD_TOPIC else arguments[0]
    assert ann.counters(topic).refused == {reason: len(calls)}


def test_a_payload_that_is_no_text_is_refused():
    ann = system("ann")["ann"]
    reason, says = refused(ann.publish, "news", LONE)
    assert reason is Reason.BAD_PAYLOAD
    assert says.startswith("A payload has to be text that UTF-8 can write, and this is not: ")
    assert ann.history("news") == ()


def test_where_no_node_joins_through_a_member_none_is_named():
    there = System(OVERLAY, ["ann"])
    says = "Nodes do not join through a member here: name none."
    assert refused(there["ann"].subscribe, "news", via="ben") == (Reason.BAD_CONTACT, says)


def test_a_ring_without_key_bits_refuses_publications():
    there = System(overlay("skip_ring"), ["ann", "ben"])
    there.subscribe("news", "ann", "ben")
    node = there["ann"]
    for call in (lambda: node.publish("news", "hello"), lambda: node.history("news"), lambda: node.deliveries("news")):
        reason, says = refused(call)
        assert reason is Reason.CANNOT_PUBLISH
        assert says == "Nothing is published on this overlay without the parameter key_bits: give the overlay one."
