"""A key that stands twice in one object is found wherever it is, and nothing else is taken for one."""

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.traces.keys import ENCODE, check_keys, repeated_key

TWICE = {
    "at the top": b'{"a":1,"a":1}',
    "deep inside": b'{"b":{"c":[{"a":1,"d":2,"a":3}]}}',
    "spelled otherwise": rb'{"a":1,"\u0061":2}',
    "beside quotes that are none": rb'{"b":"\u0022\"","a":1,"a":3}',
    "beside a number that is too long": b'{"a":1,"b":%b,"a":2}' % (b"9" * 5000),
    "with blanks": b'{"a": 1, "a" : 1}',
}

ONCE = {
    "in two objects": b'[{"a":1},{"a":2}]',
    "in an object and in one inside of it": b'{"a":{"a":1}}',
    "as a key and as a value": b'{"a":"a","b":["a","a"]}',
    "in a string": rb'{"a":"{\"a\":1,\"a\":2}"}',
}


@pytest.mark.parametrize("text", TWICE.values(), ids=TWICE)
def test_a_key_that_stands_twice_is_found(text):
    assert repeated_key(text) == "a"


@pytest.mark.parametrize("text", ONCE.values(), ids=ONCE)
def test_one_that_does_not_is_not(text):
    assert repeated_key(text) is None


@pytest.mark.parametrize("text", [b'{"a":2}', b'{"a": 2}', b'{ "a":2 }\n'])
def test_however_a_value_is_written_it_may_be_read(text):
    check_keys({"a": 2}, text)


@pytest.mark.parametrize("text", [b'{"a":1,"a":2}', b'{"a": 1, "a": 2}'])
def test_a_value_with_a_repeated_key_is_refused(text):
    with pytest.raises(UsageError, match=r"\Athe key 'a' stands twice in one object\Z"):
        check_keys({"a": 2}, text)


def test_a_key_is_not_hidden_by_blanks_within_keys():
    """Without blanks, both texts are the same; the value has only one of the two keys."""
    value = {"a: b": 2}
    with pytest.raises(UsageError):
        check_keys(value, b'{"a: b":1,"a: b":2}')
    check_keys({"a: b": 1, "a:b": 2}, b'{"a: b":1,"a:b":2}')
    assert ENCODE(value) == b'{"a: b":2}'
