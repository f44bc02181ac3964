"""A local state of any type as variables."""

from msgspec import Struct

from gomboc.checker.report.page.variables import LONGEST, text_of, variables


class Inner(Struct, frozen=True):
    low: int
    names: frozenset[str] = frozenset()


class Outer(Struct, frozen=True):
    inner: Inner
    by_number: dict[int, str]
    empty: dict[str, int] = {}


class Row(Struct, frozen=True, array_like=True):
    name: str
    items: tuple[int, ...]


def test_fields_of_records_are_variables_and_anything_else_is_one_value():
    state = Outer(Inner(1, frozenset(("b", "a", "c"))), {7: "x"})
    assert variables(state) == {
        "inner.low": "1",
        "inner.names": '["a","b","c"]',
        "by_number.7": '"x"',
        "empty": "{}",
    }


def test_a_state_that_is_a_list_or_a_number_is_one_variable():
    assert variables(Row("v", (1, 2))) == {"state": '["v",[1,2]]'}
    assert variables(3) == {"state": "3"}
    assert variables({}) == {"state": "{}"}
    assert variables(["a", "b"]) == {"state": '["a","b"]'}


def test_a_long_value_is_cut_and_says_how_long_it_is():
    text = text_of("x" * 5_000)
    assert text.endswith("... (5,002 characters)")
    assert len(text) == LONGEST + len("... (5,002 characters)")
    assert text_of("x" * 10) == '"xxxxxxxxxx"'
