"""Values that are read piece by piece are those that a decoder reads at once; unreadable texts stay unreadable."""

from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.traces.interning_decoder import Reader
from gomboc.checker.traces.keys import ENCODE
from gomboc.spec.core.registry import find_protocol


class Part(msgspec.Struct, frozen=True):
    name: str
    numbers: tuple[int | None, ...] = ()


class Tagged(msgspec.Struct, frozen=True, tag_field="kind", tag="whole", omit_defaults=True, rename="camel"):
    the_parts: tuple[Part, ...] = ()
    pairs: tuple[tuple[str, tuple[int, ...]], ...] = ()
    small: tuple[int, ...] = ()


class Listed(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    parts: tuple[Part, ...]
    name: str = "nobody"


class Demanding(msgspec.Struct, frozen=True):
    """A struct that looks at itself when it is made."""

    parts: tuple[Part, ...]

    def __post_init__(self):
        if not self.parts:
            raise ValueError("nothing in it")


KINDS = [Tagged, Listed, Demanding, *find_protocol("skip_plus").vocabulary.roles.values(), dict[str, int]]

PARTS = st.lists(st.builds(Part, st.sampled_from("ab"), st.lists(st.none() | st.integers(0, 2)).map(tuple)))


def same(kind, text):
    """A reader's result for a text, compared with the decoder's; the value, or None if it cannot be read."""
    expected, refused = read(partial(msgspec.json.decode, type=kind), text)
    assert read(Reader(kind).read, text) == (expected, refused)
    return expected


def read(decode, text):
    """The value of a text, or None and the sentence with which it is refused."""
    try:
        return decode(text), None
    except ValueError as error:
        return None, f"{type(error)} {error}"


@given(PARTS.map(tuple))
def test_a_value_is_read_as_it_was_written(parts):
    for value in (Tagged(parts, tuple((part.name, (1,)) for part in parts), (3,)), Listed(parts, "c")):
        assert same(type(value), ENCODE(value)) == value
        assert Reader(type(value)).read_many([ENCODE(value)] * 2) == {0: value, 1: value}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text",
    [
        b'{"theParts":[{"name":"a","numbers":[1,2]}]}',
        b'{"kind":"whole","theParts":[{"name":"a","numbers":[1,"x"]}]}',
        b'{"kind":"whole","theParts":[ {"name":"a" , "numbers":[]} ],"unknown":1}',
        b'{"kind":"other","theParts":[]}',
        b'{"parts":[{"name":"a","name":"b"}]}',
        b'{"parts":[]}',
        b'[[{"name":"a","numbers":[1]}]]',
        b'[[{"name":"\xff"}],"x"]',
        b'[[],"x",1]',
        b'{"live":true,"neighbours":[],"stable":[],"told":[["a:0",[[null,"b:1"]]]],"gone":[]}',
        b'{"live":true,"neighbours":[],"stable":[],"told":[["a:0",[[null]]]],"gone":[]}',
        b'{"live":true,"told":[["a:0",[[null,null]],1]]}',
        b'{"live":true,"told":null}',
        b'{"a":1}',
        b"{",
        b"",
    ],
)
def test_every_text_is_read_as_by_the_decoder(kind, text):
    value = same(kind, text)
    result = Reader(kind).read_many([text])
    assert result == ({0: value} if value is not None and ENCODE(value) == text else {})


@pytest.mark.parametrize(
    "text",
    [b'{"parts":[{"name":"a","name":"b","numbers":[]}]}', b'{"parts":[{"name": "b","numbers":[]}]}', b"{}", b"]"],
)
def test_only_texts_in_another_spelling_are_left_out(text):
    right = ENCODE(Demanding((Part("a"),)))
    result = Reader(Demanding).read_many([right, text, right])
    assert all(value == Demanding((Part("a"),)) and index != 1 for index, value in result.items())
    assert text in (b"{}", b"]") or set(result) == {0, 2}


def test_equal_pieces_are_one_object_and_are_read_once():
    one, other = Listed((Part("a"), Part("b")), "x"), Listed((Part("b"), Part("a")), "y")
    reader = Reader(Listed)
    first, second = reader.read(ENCODE(one)), reader.read_many([ENCODE(other)])[0]
    assert first.parts[0] is second.parts[1]
    assert first.parts[1] is second.parts[0]


def test_pieces_are_forgotten_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("gomboc.checker.traces.interning_decoder.MOST_KNOWN", 2)
    reader = Reader(Listed)
    values = [Listed(tuple(Part(name) for name in names)) for names in ("abc", "cba", "ddd")]
    assert [reader.read(ENCODE(value)) for value in values] == values
