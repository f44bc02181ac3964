"""Messages over Skip+ travel compressed, each by itself: fewer bytes, the same messages, and no memory of others."""

import zlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.errors import PeerError
from gomboc.impl.protocols.skip_plus.port import COMMON
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.compression import LONGEST, MARK, Compressed, compressed, expanded
from gomboc.impl.runtime.memory import MemoryNetwork
from tests.bench.overlays.rest import at_rest

UPDATE = (
    b'{"topic":"news","agreement":"0951a361db04d33a",'
    b'"message":{"kind":"Update","sender":"b:01","ranges":[[null,null],[null,null]],"inserts":["b:01"]}}'
)


def deflated(written, common=COMMON, bits=-12):
    packer = zlib.compressobj(9, zlib.DEFLATED, bits, 9, zlib.Z_DEFAULT_STRATEGY, common)
    return MARK + packer.compress(written) + packer.flush()


@given(st.binary(max_size=2 * LONGEST), st.binary(max_size=200))
def test_any_message_comes_out_as_it_went_in_and_never_longer(written, common):
    message = b"{" + written
    assert expanded(compressed(message, common), common) == message
    assert len(compressed(message, common)) <= len(message)


def test_an_update_takes_less_than_half_of_its_bytes():
    assert compressed(UPDATE, COMMON)[:1] == MARK
    assert len(compressed(UPDATE, COMMON)) * 2 < len(UPDATE)


@pytest.mark.parametrize(("length", "is_short"), [(LONGEST, True), (LONGEST + 1, False), (9 * LONGEST, False)])
def test_only_messages_of_at_most_4096_bytes_are_compressed(length, is_short):
    message = b"{" * length
    assert LONGEST == 4096
    assert compressed(message, COMMON).startswith(MARK) is is_short
    assert expanded(compressed(message, COMMON), COMMON) == message


def test_what_is_not_compressed_is_read_as_it_is():
    assert expanded(UPDATE, COMMON) == UPDATE


@pytest.mark.parametrize(
    "written",
    [
        MARK,
        MARK + b"\xff\xff",
        deflated(UPDATE)[:-1],
        deflated(UPDATE) + b"x",
        deflated(b"{" * (LONGEST + 1)),
        deflated(b"{" * 10_000_000),
        MARK + deflated(UPDATE)[1:3],
    ],
    ids=["empty", "no deflate", "cut off", "followed by more", "too long", "far too long", "begun only"],
)
def test_what_cannot_be_expanded_is_refused(written):
    with pytest.raises(PeerError, match=r"^This is not a compressed message: .*\.$"):
        expanded(written, COMMON)


def connected(*names):
    clock = ManualClock()
    network = MemoryNetwork(clock, Random(1))
    heard = []
    lines = {name: Compressed(network.transport(name), COMMON) for name in names}
    for name, line in lines.items():
        line.listen(
            lambda parcel, name=name: heard.append((name, "received", parcel)),
            lambda to, parcel, name=name: heard.append((name, f"returned from {to}", parcel)),
        )
    return clock, network, lines, heard


@pytest.mark.parametrize(
    ("names", "closes", "name", "how"),
    [
        pytest.param("ab", False, "b", "received", id="its receiver hears it"),
        pytest.param("a", False, "a", "returned from b", id="it comes back to its sender"),
        pytest.param("ab", True, "a", "returned from b", id="and also from a connection that is closed"),
    ],
)
def test_a_message_is_whole_and_under_its_number_where_it_arrives(names, closes, name, how):
    clock, _, lines, heard = connected(*names)
    if closes:
        lines["b"].close()
    number = lines["a"].send("b", UPDATE)
    clock.advance(9)
    ((*where, parcel),) = heard
    assert (*where, parcel.number, parcel.sender, parcel.written) == (name, how, number, "a", UPDATE)


def test_a_receiver_that_has_just_started_needs_nothing_from_before():
    clock, network, lines, heard = connected("a", "b")
    lines["a"].send("b", UPDATE)
    clock.advance(9)
    lines["b"].close()
    lines["a"].send("b", UPDATE)
    Compressed(network.transport("b"), COMMON).listen(lambda parcel: heard.append(("new b", "received", parcel)), None)
    clock.advance(9)
    assert [(name, parcel.written) for name, _, parcel in heard] == [("b", UPDATE), ("new b", UPDATE)]


def test_bytes_that_cannot_be_expanded_reach_the_host_which_refuses_them():
    clock, network, _, heard = connected("b")
    network.transport("m").send("b", MARK + b"\xff\xff")
    clock.advance(9)
    assert [parcel.written for _, _, parcel in heard] == [MARK + b"\xff\xff"]


@pytest.mark.parametrize(("nodes", "before"), [(8, 4_037), pytest.param(32, 11_044, marks=pytest.mark.dear)])
def test_at_rest_a_node_over_skip_plus_sends_less_than_half_of_the_bytes_of_plain_text(nodes, before):
    """The bytes before are those of the same measurement without compression."""
    messages, sent = at_rest("skip_plus", nodes)
    assert sent * 2 < before
    assert messages > 13
