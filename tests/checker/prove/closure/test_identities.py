"""Code that asks by `is`: open between two values that may be equal and another, in any version of Python."""

import linecache
from enum import Enum, StrEnum
from typing import Any

import pytest

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.closure import identities
from gomboc.checker.prove.settlement import Proved
from tests.checker.prove.closure.followers import Follower, numbered

BIG = 9
WORD, EMPTY, SENTINEL = "calm", Follower(0, None), object()


class Mood(Enum):
    """A class whose members are themselves only."""

    CALM = 0


class Spelled(StrEnum):
    """A class whose members are equal to texts."""

    CALM = "calm"


def same(one):
    return one


def within(local):
    def ask(word):
        return word is local.word

    return ask(local.peer)


def about_a_name_of_its_own(local):
    SENTINEL = local.word  # noqa: N806
    return local.peer is SENTINEL


BETWEEN_TWO = {
    "a field and a field": lambda local: local.word is local.peer,
    "or not": lambda local: local.word is not local.peer,
    "three values": lambda local: None is local.peer is local.word,
    "a field of a field": lambda local: local.word is local.peer.real,
    "what functions return": lambda local: same(local.word) is same(local.peer),
    "what is at a place": lambda local: local.word is [local.peer, "calm"][0],
    "a text of the code": lambda local: local.word is WORD.lower(),
    "a text of a module": lambda local: local.word is WORD,
    "a member that is a text": lambda local: local.word is Spelled.CALM,
    "a state of a module": lambda local: local is EMPTY,
    "a number of a module": lambda local: local.number is BIG,
    "in a set of values": lambda local: [one for one in (local.word, local.peer) if one is local.word],
    "in a function within": within,
    "a name that hides a module's": about_a_name_of_its_own,
}


@pytest.mark.parametrize("asked", BETWEEN_TWO.values(), ids=BETWEEN_TWO)
def test_code_that_asks_whether_two_values_are_one_object_is_open(asked):
    result = numbered(lambda local: BIG if asked(local) else local.number)
    assert isinstance(result, Unknown)
    assert " asks by `is` whether two values are one object: compare them by ==" in result.why


def by_pattern(local):
    match local.peer:
        case None:
            return True
    return False


def with_any(local):
    return any(one is None for one in (local.peer, local.word))


def around(held: Any):
    return lambda local: local.word is held


def beside_a_name_without_a_value():
    gone = SENTINEL

    def ask(local):
        return local.word is SENTINEL or (SENTINEL is None and gone)  # noqa: F821

    del gone
    return ask


ABOUT_ONE = {
    "None": lambda local: local.peer is None,
    "not None": lambda local: local.peer is not None,
    "True": lambda local: (local.number > 1) is True,
    "a class": lambda local: type(local) is Follower,
    "two classes": lambda local: type(local.word) is type(local.peer),
    "a member": lambda local: local.word is Mood.CALM,
    "a sentinel": lambda local: local.word is SENTINEL,
    "a function": lambda local: local.word is same,
    "a sentinel around it": around(SENTINEL),
    "a name around it without a value": beside_a_name_without_a_value(),
    "a pattern": by_pattern,
    "any of several": with_any,
}


@pytest.mark.parametrize("asked", ABOUT_ONE.values(), ids=ABOUT_ONE)
def test_code_may_ask_whether_a_value_is_one_that_no_other_is_equal_to(asked):
    assert isinstance(numbered(lambda local: 3 if asked(local) else local.number), Proved)


def of_text(text):
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(f"count = lambda local: {text}", "<nowhere>", "exec"), names)
    return names["count"]


@pytest.mark.parametrize("text", ["3 if local.word is local.peer else 2", "3 if (local.peer is None) is True else 2"])
def test_code_that_asks_without_its_source_is_open(text):
    result = numbered(of_text(text))
    assert isinstance(result, Unknown)
    assert "<lambda> may ask by `is` about two values: its source is needed" in result.why


def test_code_that_asks_nothing_needs_no_source():
    assert isinstance(numbered(of_text("3 if local.peer is None else 2")), Proved)


@pytest.mark.parametrize("lines", [["def (\n"], ["\n"]])
def test_code_whose_source_has_changed_since_is_open(monkeypatch, lines):
    monkeypatch.setattr(linecache, "getlines", lambda name, names=None: lines)
    assert isinstance(numbered(lambda local: 3 if type(local) is Follower else local.number), Unknown)


def test_all_code_is_open_in_a_python_that_asks_by_another_instruction(monkeypatch):
    monkeypatch.setattr(identities, "opmap", {"ASK": 117})
    result = numbered(lambda local: 3)
    assert isinstance(result, Unknown)
    assert " may ask by `is` about two values: its source is needed" in result.why
