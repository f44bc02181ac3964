"""Texts that are made out of symbols, and texts in states: what only some texts show is never proved away."""

import re

import pytest
import z3
from msgspec.structs import replace

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import Fault, Outcome, Send
from tests.checker.prove.closure.followers import SOURCE, Follower, Point, fault, keeping, node_faults, numbered, own

SPELT = {
    "compared": lambda local: 9 if str(local.number) == "2" else local.number,
    "ordered": lambda local: 9 if f"{local.number}" < "3" else local.number,
    "as a part": lambda local: 9 if f"n{local.number}" == "n2" else local.number,
    "looked up": lambda local: {"1": 9}.get(f"{local.number:d}", local.number),
    "read": lambda local: 9 if repr(local).endswith("number=2, peer=None, word='')") else local.number,
    "of a name": lambda local: 9 if str(local.peer) == "n2" else local.number,
    "in an error that is caught": lambda local: caught(local.number),
    "before an error": lambda local: raised(local.number),
    "before an error that says it": lambda local: said(local.number),
    "after an error was not raised": lambda local: raised_at_last(local.number),
}


def caught(number):
    try:
        raise ValueError(f"{number}")
    except ValueError as error:
        return 9 if "2" in str(error) else number


def raised(number):
    if number == 2 and str(number) > "3":
        raise ValueError("no rule for it")
    return 9 if number == 2 else number


def said(number):
    text = str(number) if number == 2 else ""
    if text > "3":
        raise ValueError(text)
    return 9 if number == 2 else number


def raised_at_last(number):
    text = ""
    for _ in range(2):
        if text > "3":
            raise ValueError("no rule for it")
        text = str(number) if number == 2 else ""
    return 9 if number == 2 else number


@pytest.mark.parametrize("count", SPELT.values(), ids=SPELT)
def test_a_rule_that_makes_a_text_out_of_a_symbol_is_open(count):
    result = numbered(count)
    assert isinstance(result, Unknown)
    assert "follower runs its timeout is open: a rule makes a text out of a name or number" in result.why


def test_a_node_without_a_rule_may_say_so_of_itself():
    def absent(me, local):
        if local.number == 2:
            raise ValueError(f"{me!r} has no rule for {local!r}")
        return Outcome(local)

    assert isinstance(own(absent), Proved)


def big(text, me):
    return (fault("number_is_small", me),) if text == "9" else ()


CONJUNCTS = {
    "of a node": {"node_faults": lambda right, me, local: big(str(local.number), me)},
    "of a message": {"message_faults": lambda right, target, message: big(f"{message.node}", target)},
    "of form": {"malformed": lambda value: big(repr(value), "")},
}


@pytest.mark.parametrize("conjuncts", CONJUNCTS.values(), ids=CONJUNCTS)
def test_a_conjunct_that_compares_a_text_made_out_of_a_symbol_is_open(conjuncts):
    result = own(lambda me, local: Outcome(Follower(9, local.peer), (Send("leader", Point(me)),)), **conjuncts)
    assert isinstance(result, Unknown)
    assert "are open: a conjunct makes a text out of a name or number" in result.why


def test_a_fault_may_say_what_it_finds():
    def saying(right, me, local):
        return tuple(Fault(one.rule, me, None, f"{local.number}", SOURCE) for one in node_faults(right, me, local))

    assert isinstance(own(keeping, saying), Proved)
    assert isinstance(own(lambda me, local: Outcome(Follower(local.number + 1, local.peer)), saying), Refuted)


NAMED = {
    "equal to one of the code": (lambda local: 9 if local.word == "go" else 3, "word", "go"),
    "on its other side": (lambda local: 9 if "go" == local.word else 3, "word", "go"),  # noqa: SIM300
    "among some of the code": (lambda local: 9 if local.word in ("stop", "go") else 3, "word", "stop"),
    "empty": (lambda local: 3 if local.word else 9, "word", ""),
    "equal to a name that the code has": (lambda local: 9 if local.peer == "v3" else 3, "peer", "v3"),
    "equal to a name that every system has": (lambda local: 9 if local.word == "leader" else 3, "word", "leader"),
}


@pytest.mark.parametrize(("count", "field", "text"), NAMED.values(), ids=NAMED)
def test_a_text_may_be_one_that_the_code_has(count, field, text):
    result = numbered(count)
    assert isinstance(result, Refuted)
    assert getattr(result.values["before"], field) == text


def test_texts_that_the_code_has_are_in_their_order():
    def between(local):
        return 9 if local.word > "m" and local.word < "a" else 3

    assert isinstance(numbered(between), Proved)
    assert isinstance(numbered(lambda local: 9 if "a" < local.word < "m" else 3), Refuted)


KNOWN = ("leader", "right")
"""Names that tables here have: they have hashes of their own, and so either order."""


def first_of(one, other):
    # A function of its own, whose code has no texts: a set that is made beside them might have these.
    return next(iter({one, other}))


@pytest.mark.parametrize("last", [False, True])
def test_a_set_of_two_names_has_either_order(last):
    def step(me, local):
        if local.peer in (None, me, *KNOWN) or me in KNOWN:
            return Outcome(local)
        return Outcome(replace(local, number=9 if (first_of(me, local.peer) == me) == last else 3))

    assert isinstance(own(step), Refuted)


GUESTS = {"v1": 9}


def is_a_guest(name):
    return name in GUESTS


def guests():
    return set(("v1", "v2"))  # noqa: C405


LOOKED_UP = {
    "in a set": lambda local: 9 if local.word in {"a", "b"} else 3,
    "in a table": lambda local: {"a": 9}.get(local.word, 3),
    "as a key": lambda local: {local.word: 9}.get("a", 3),
    "in a set, as a name": lambda local: 9 if local.peer in {"v1", "v2"} else 3,
    "in the table of a module": lambda local: 9 if is_a_guest(local.peer) else 3,
    "in a set that is made of a tuple": lambda local: 9 if local.peer in guests() else 3,
    "as a name that every system has": lambda local: 9 if local.word in {"leader"} else 3,
}


@pytest.mark.parametrize("count", LOOKED_UP.values(), ids=LOOKED_UP)
def test_a_text_that_is_looked_up_may_be_found(count):
    assert isinstance(numbered(count), Refuted)


def test_a_text_that_is_looked_up_and_breaks_nothing_is_proved():
    assert isinstance(numbered(lambda local: 2 if {"a", local.word, local.peer} - {"b"} else 3), Proved)


def is_right(me, word):
    return me == "leader" or word == "right"


def word_of(local):
    return getattr(local, "word", None)


def test_a_share_may_be_a_text():
    world = {"agrees": is_right}
    assert isinstance(own(keeping, world=world, share=word_of), Proved)
    other = {"agrees": lambda me, word: word in {None, "right"}}
    assert isinstance(own(keeping, world=other, share=word_of), Proved)
    assert isinstance(own(lambda me, local: Outcome(replace(local, word="wrong")), world=other, share=word_of), Refuted)
    result = own(lambda me, local: Outcome(replace(local, word="wrong")), world=world, share=word_of)
    assert isinstance(result, Refuted)
    assert "the anchor's share is kept" in result.values["breaks"]


SAID = {
    "share makes a text out of a name or number": {"share": lambda local: f"{local.number}"},
    "World.agrees makes a text out of a name or number": {
        "world": {"agrees": lambda me, word: f"{word}" != "wrong"},
        "share": word_of,
    },
    "World.agrees is to be True or False, and is Follower.word_0": {
        "world": {"agrees": lambda me, word: word or True},
        "share": word_of,
    },
    "World.agrees is to be True or False, and is number == 3": {
        "world": {"agrees": lambda me, local: z3.Int("number") == 3}
    },
    "asleep is to be True or False, and is ": {"asleep": lambda local: local.number},
    "asleep makes a text out of a name or number": {"asleep": lambda local: str(local.number) == "3"},
    "World.awake is to be True or False, and is None": {"world": {"awake": lambda target: None}},
    "World.kept['it'] is to be True or False, and is ": {
        "world": {"kept": {"it": lambda me, local, taken, outcome: outcome.local.number}}
    },
    "World.kept['it'] makes a text out of a name or number": {
        "world": {"kept": {"it": lambda me, local, taken, outcome: f"{outcome.local.number}" < "4"}}
    },
}


@pytest.mark.parametrize(("why", "fields"), SAID.items(), ids=SAID)
def test_what_is_said_of_symbols_is_said_by_true_or_false_and_without_their_texts(why, fields):
    result = own(lambda me, local: Outcome(replace(local, peer=me), (Send("leader", Point(me)),)), **fields)
    assert isinstance(result, Unknown)
    assert re.search(f"(is|are) open: {re.escape(why)}", result.why)
