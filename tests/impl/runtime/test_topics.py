from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.errors import PeerError
from gomboc.impl.runtime.topics import is_topic, opened, sealed
from tests.impl.refusing import refusing

NAMES = st.text("abcXYZ0189_.:-", min_size=1, max_size=64)


@pytest.mark.parametrize("name", ["a", "News", "a.b:c-d_9", "-", "x" * 64])
def test_a_topic_is_called_by_letters_digits_and_four_signs(name):
    assert is_topic(name)


@pytest.mark.parametrize("name", ["", "x" * 65, "a b", "a/b", "a\n", "\na", "é", "news.*", "#", "a\x00", "١"])
def test_anything_else_is_no_name_of_a_topic_and_there_are_no_wildcards(name):
    assert not is_topic(name)


@given(NAMES, st.recursive(st.none() | st.integers() | st.text(), lambda some: st.lists(some)))
def test_what_is_sealed_is_opened_as_it_was(topic, message):
    envelope = opened(sealed(topic, "0f", msgspec.json.encode(message)))
    assert (envelope.topic, envelope.agreement) == (topic, "0f")
    assert msgspec.json.decode(envelope.message) == message


@pytest.mark.parametrize("leaver", ["sender", "receiver", None])
def test_an_envelope_names_the_leaver_if_one_of_both_leaves(leaver):
    envelope = opened(sealed("news", "0f", b"7", leaver))
    assert (envelope.leaver, bytes(envelope.message)) == (leaver, b"7")


@given(NAMES)
def test_an_envelope_is_what_msgspec_would_write(topic):
    written = sealed(topic, "0f", b'{"kind":"X"}')
    assert written == msgspec.json.encode({"topic": topic, "agreement": "0f", "message": {"kind": "X"}})


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (b"", "Input data was truncated"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"topic":"a"}', "Object missing required field `agreement`"),
        (b'{"topic":"a","agreement":"0f","message":1,"more":2}', "Object contains unknown field `more`"),
        (b'{"topic":"a","agreement":"0f","message":1,"leaver":"ben"}', "Invalid enum value 'ben' - at `$.leaver`"),
        (b'{"topic":7,"agreement":"0f","message":1}', "Expected `str`, got `int` - at `$.topic`"),
        (b'{"topic":"a","agreement":"0f","message":1}x', "JSON is malformed: trailing characters (byte 43)"),
        (
            b'{"topic":"a b","agreement":"0f","message":1}',
            r"Expected `str` matching regex '\\A[A-Za-z0-9_.:-]{1,64}\\Z' - at `$.topic`",
        ),
        (
            b'{"topic":"a","agreement":"0f","message":"\xff"}',
            "'utf-8' codec can't decode byte 0xff in position 41: invalid start byte",
        ),
        (
            b'{"topic":"a","agreement":"0f","message":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            "maximum recursion depth exceeded while deserializing an object",
        ),
    ],
)
def test_what_is_no_envelope_is_refused_in_one_sentence(written, why):
    with refusing(f"This is not an envelope with a topic and a message: {why}.", PeerError):
        opened(written)


@given(st.binary())
def test_any_bytes_are_an_envelope_or_the_fault_of_a_peer(written):
    with suppress(PeerError):
        assert is_topic(opened(written).topic)
