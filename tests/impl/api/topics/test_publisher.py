from typing import Any

import pytest

from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.core.vocabulary import encode
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.topics import sealed
from tests.impl.members import NAMES, OVERLAYS, Members
from tests.impl.refusing import refused

each_overlay = pytest.mark.parametrize(("name", "parameters"), OVERLAYS)
FIRST = 2**21


def shown(node: Any) -> list[Any]:
    return [(one.number - FIRST, one.payload, one.content_type, one.body) for one in node.history("news")]


@each_overlay
def test_payloads_are_bytes_or_text_with_a_content_type(name, parameters):
    there = Members(name, **parameters)
    published = there[1].publish("news", "gömböc")
    there[1].publish("news", b"\x00\xff")
    there[1].publish("news", bytearray(b"\x89PNG"), content_type="image/png")
    there[1].publish("news", "{}", content_type="application/json")
    there[1].publish("news", "data:,x")
    there.run()
    assert published == PublicationId(NAMES[1], FIRST)
    for node in there.nodes.values():
        assert shown(node) == [
            (0, "gömböc", "text/plain;charset=utf-8", b"g\xc3\xb6mb\xc3\xb6c"),
            (1, b"\x00\xff", "application/octet-stream", b"\x00\xff"),
            (2, b"\x89PNG", "image/png", b"\x89PNG"),
            (3, "{}", "application/json", b"{}"),
            (4, "data:,x", "text/plain;charset=utf-8", b"data:,x"),
        ]


@each_overlay
def test_a_payload_that_is_refused_uses_up_no_number(name, parameters):
    there = Members(name, payload_limit=64, **parameters)
    for given, options, reason in (
        (None, {}, Reason.BAD_PAYLOAD),
        ("\ud800", {}, Reason.BAD_PAYLOAD),
        ("x", {"content_type": "text"}, Reason.BAD_CONTENT_TYPE),
        ("x", {"content_type": b"text/plain"}, Reason.BAD_CONTENT_TYPE),
        ("x" * 65, {}, Reason.TOO_LARGE),
        # In Base64, with its type, 64 bytes are more than the limit.
        (b"x" * 64, {}, Reason.TOO_LARGE),
    ):
        assert refused(there[1].publish, "news", given, **options)[0] is reason
    assert there[1].publish("news", "x").number == FIRST
    counted = there[1].counters().refused
    assert counted == {Reason.BAD_PAYLOAD: 2, Reason.BAD_CONTENT_TYPE: 2, Reason.TOO_LARGE: 2}


@each_overlay
def test_a_publication_under_a_taken_key_is_refused_and_uses_up_no_number(name, parameters):
    there, numbers, reasons = Members(name, key_bits=1, **parameters), [], []
    for payload in "abcdefgh":
        try:
            numbers.append(there[1].publish("news", payload).number)
        except RefusedError as error:
            reasons.append(error.reason)
    there.run()
    assert numbers == [FIRST, FIRST + 1]
    assert set(reasons) == {Reason.KEY_TAKEN}
    assert {len(node.history("news")) for node in there.nodes.values()} == {2}


def test_where_nothing_waits_for_the_system_a_node_outside_publishes_nothing():
    there = Members("hyparview", 2)
    late = there.start(NAMES[2])
    late.subscribe("news")
    assert refused(late.publish, "news", "x") == (
        Reason.NOT_JOINED,
        "The node is not in the system yet, and nothing is published before: wait until it has joined.",
    )
    assert late.counters("news").refused == {Reason.NOT_JOINED: 1}
    there.run()
    assert late.publish("news", "x").number == FIRST
    there.run()
    assert shown(there[0]) == shown(late)


def test_in_a_tree_the_root_keeps_what_no_node_wants_yet():
    there = Members("scribe", 1)
    assert there[0].publish("sport", "x").number == FIRST
    there.run()
    there[0].subscribe("sport")
    assert [one.payload for one in there[0].history("sport")] == ["x"]


def later_life(there: Members, incarnation: int, away: float = 0) -> Any:
    """The second member, which has stopped and started anew."""
    there[1].stop()
    there.run(away)
    there.start(NAMES[1], incarnation=incarnation).subscribe("news")
    there.run()
    return there[1]


@each_overlay
def test_a_node_goes_on_above_a_later_life_of_itself_once_it_has_heard_of_it(name, parameters):
    there = Members(name, 4, **parameters)
    late = later_life(there, 1_764_115_200, away=10).publish("news", "late")
    there.run()
    forgetful = later_life(there, 3, away=10)
    assert forgetful.incarnation == 1_764_163_587
    assert forgetful.publish("news", "later").number == 1_764_163_587 * 2**21 > late.number


def test_no_number_is_used_twice_though_a_peer_forges_later_ones():
    there, used = Members("skip_ring", 1), []
    for incarnation in (2, 3, 4):
        node = there.start(NAMES[0], incarnation)
        node.subscribe("news")
        there.run()
        for number in (9 * 2**21, 2**53 - 2**21 - 1):
            key = key_of(NAMES[0], number, "forged", 32)
            forged = {"kind": "Publish", "publications": [[key, NAMES[0], number, "forged", NAMES[0]]]}
            there.network.send("mallory", NAMES[0], sealed("news", there.overlay.agreement, encode(forged)))
            there.run(2)
            used.append(node.publish("news", f"in {incarnation}").number)
        node.stop()
    assert [number // 2**21 for number in used] == [65_538, 65_538, 65_539, 65_539, 65_540, 65_540]
    assert len(set(used)) == len(used)


def test_the_first_publication_of_an_incarnation_says_the_one_before_if_there_is_room():
    there = Members("skip_ring", 2, payload_limit=64)
    there[1].publish("news", "x")
    there.run()
    later_life(there, 2).publish("news", "x" * 64)
    once_more = later_life(there, 3)
    once_more.publish("news", "y")
    once_more.publish("news", "z")
    there.run()
    texts = [one.text for one in there[0].history("news")]
    assert texts == ["x", "x" * 64, f"data:text/plain;charset=utf-8;after={2 * 2**21},y", "z"]


def test_what_was_held_before_the_application_subscribed_comes_before_the_first_publication_too():
    there = Members("hyparview", 3)
    published = there[1].publish("news", "x")
    there.run()
    there[1].stop()
    again = there.start(NAMES[1], incarnation=2)
    there.run()
    again.subscribe("news")
    again.publish("news", "y")
    there.run()
    assert there[0].history("news", last=1)[0].text == f"data:text/plain;charset=utf-8;after={published.number},y"
