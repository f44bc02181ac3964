import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.publishing.payloads import BYTES, TEXT, Payload, is_content_type, read, written

TYPES = st.sampled_from(["text/plain", TEXT, "image/png", BYTES, "a/b;c=d;e=base64", "a/b;x=after"])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
LIKE_OURS = st.builds(
    "data:{}{}{},{}".format,
    TYPES | st.just(""),
    st.sampled_from(["", ";after=1", ";after=01"]),
    st.sampled_from(["", ";base64"]),
    TEXTS,
)


@given(st.builds(Payload, TEXTS | LIKE_OURS | st.binary(max_size=30), TYPES, st.none() | st.integers(0, 2**53 - 1)))
def test_what_is_written_is_read(payload):
    assert read(written(payload)) == payload


@given(TEXTS | LIKE_OURS)
def test_every_text_of_a_peer_is_a_payload_written_so_or_the_text_itself(text):
    assert read(text) == Payload(text) or written(read(text)) == text


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (Payload("hello"), "hello"),
        (Payload("data:"), "data:text/plain;charset=utf-8,data:"),
        (Payload("{}", "application/json"), "data:application/json,{}"),
        (Payload(b"\x00\xff", "image/png"), "data:image/png;base64,AP8="),
        (Payload("x", after=7), "data:text/plain;charset=utf-8;after=7,x"),
    ],
)
def test_a_trace_shows_text_as_it_is_and_all_else_with_its_type(payload, text):
    assert written(payload) == text


@pytest.mark.parametrize(
    "given", ["", "text", "text/", "/plain", "text/plain;", "a/b;after=1", "a/b;base64", "a/b,c", 3]
)
def test_what_is_no_content_type_is_none(given):
    assert not is_content_type(given)


def test_a_content_type_has_127_characters_at_most():
    assert is_content_type("a/" + "b" * 125)
    assert not is_content_type("a/" + "b" * 126)
