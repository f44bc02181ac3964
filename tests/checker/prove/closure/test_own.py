"""Closure of a small protocol of one's own: a mistake that only some values show is never proved away."""

from functools import partial

import pytest
import z3
from msgspec import Struct

from gomboc.checker import Number, World, closure
from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.lemma import Statement
from gomboc.checker.prove.runner import settle
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import (
    Actor,
    Cited,
    Discipline,
    Fault,
    Legitimacy,
    NodeName,
    Outcome,
    Protocol,
    Received,
    Send,
    Starts,
    Timeout,
    Vocabulary,
)
from gomboc.spec.core.guarded import watch


class Leader(Struct, frozen=True):
    number: int


class Follower(Struct, frozen=True):
    number: int
    peer: NodeName | None


class Point(Struct, frozen=True, tag_field="kind", tag="point"):
    node: NodeName


def fault(conjunct, me):
    return Fault(conjunct, me, None, None, "test_own.py")


def node_faults(right, me, local):
    if isinstance(local, Leader) or 0 <= local.number <= 3:
        return ()
    return (fault("number_is_small", me),)


def message_faults(right, target, message):
    return (fault("no_node_is_told_of_itself", target),) if message.node == target else ()


def own(step, node_faults=node_faults, message_faults=message_faults, malformed=None, watching=False):
    """Closure of followers that take that step at a timeout, settled: `step(me, local)` is its outcome."""

    def react(me, local, taken, choice):
        if me != "leader" and isinstance(taken, Timeout):
            return step(me, local)
        if me != "leader" and isinstance(taken, Received):
            return Outcome(Follower(local.number, taken.message.node))
        return Outcome(local)

    protocol = Protocol(
        "own",
        Discipline.UNORDERED,
        Vocabulary({"leader": Leader, "follower": Follower}, "follower", Point, fixed={"leader": "leader"}),
        Actor(react, lambda local, taken: Cited("step", "test_own.py")),
        Legitimacy(lambda states: states["leader"].number, node_faults, message_faults),
        Starts(None, lambda count: 4, None),
    )

    protocol = protocol.changed(malformed=malformed) if malformed else protocol
    if watching:
        watch(protocol, "own")

    def world(path):
        right = Number(path, z3.Int("right"))
        return World(protocol, right, lambda me, local: me != "leader" or local.number == right)

    return settle(Statement("closure", partial(closure, world, protocol)), 60).result


def test_what_keeps_every_conjunct_is_proved():
    assert isinstance(own(lambda me, local: Outcome(local, (Send("leader", Point(me)),))), Proved)


def test_a_protocol_whose_functions_are_watched_is_proved_without_digests_of_symbols():
    assert isinstance(own(lambda me, local: Outcome(local, (Send("leader", Point(me)),)), watching=True), Proved)


def test_a_node_that_every_system_has_may_be_in_any_state_and_message():
    result = own(lambda me, local: Outcome(local, (Send("leader", Point(local.peer)),) if local.peer else ()))
    assert isinstance(result, Refuted)
    assert result.values["before"].peer == "leader"


STEPS = {0: 0, 1: 1, 2: 2, 3: 4}
LOOKED_UP = {
    "in a set": lambda number: 9 if number in {1, 2} else number,
    "in a table": lambda number: STEPS.get(number, number),
    "by its place": lambda number: (0, 1, 2, 9)[number],
    "as a size": lambda number: 9 if len({number, 1}) == 1 else number,
    "counted to": lambda number: 9 if len(range(number)) == 3 else number,
    "as the rest of halves": lambda number: 9 if number // 2 * 2 != number else number,
}


@pytest.mark.parametrize("count", LOOKED_UP.values(), ids=LOOKED_UP)
def test_a_number_that_is_looked_up_has_a_path_for_each_of_its_values(count):
    assert isinstance(own(lambda me, local: Outcome(Follower(count(local.number), local.peer))), Refuted)


@pytest.mark.parametrize("count", [lambda number: STEPS.get(number, 3) % 4, lambda number: min(*range(number), 0, 3)])
def test_a_number_that_is_looked_up_and_breaks_nothing_is_proved(count):
    assert isinstance(own(lambda me, local: Outcome(Follower(count(local.number), local.peer))), Proved)


NOT_PROVED = {
    "beside a number that is not written as a whole one": lambda number: 9 if number == 2.0 else number,
    "and one more that is not": lambda number: 9 if number + 0.5 > 2 else number,
    "as a rest by a divisor that may be below zero": lambda number: 9 if number % (number - 3) < 0 else number,
    "divided by one that may be zero": lambda number: 9 if number // (number - 3) < 0 else number,
}


@pytest.mark.parametrize("count", NOT_PROVED.values(), ids=NOT_PROVED)
def test_a_number_that_is_not_known_by_comparisons_is_open(count):
    result = own(lambda me, local: Outcome(Follower(count(local.number), local.peer)))
    assert isinstance(result, Unknown)
    assert "follower runs its timeout is open: " in result.why


SPELT = {
    "compared": lambda local: 9 if str(local.number) == "2" else local.number,
    "ordered": lambda local: 9 if f"{local.number}" < "3" else local.number,
    "as a part": lambda local: 9 if f"n{local.number}" == "n2" else local.number,
    "looked up": lambda local: {"1": 9}.get(f"{local.number:d}", local.number),
    "read": lambda local: 9 if repr(local).endswith("number=2, peer=None)") else local.number,
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
    result = own(lambda me, local: Outcome(Follower(count(local), local.peer)))
    assert isinstance(result, Unknown)
    assert "follower runs its timeout is open: a rule makes a text out of a name or number" in result.why


def test_a_node_without_a_rule_may_say_so_of_itself():
    def absent(me, local):
        if local.number == 2:
            raise ValueError(f"{me!r} has no rule for {local!r}")
        return Outcome(local)

    assert isinstance(own(absent), Proved)


def by_pattern(value):
    match value:
        case int():
            return True
    return False


TYPED = {
    "a number": lambda local: isinstance(local.number, int),
    "a number by a pattern": lambda local: by_pattern(local.number),
    "a number, exactly": lambda local: type(local.number) is int,
    "a state, and of a class": lambda local: type(local) is Follower and isinstance(Follower, type),
    "a name": lambda local: local.peer != "leader" and isinstance(local.peer, str),
    "a name or a number": lambda local: local.peer != "leader" and isinstance(local.peer, int | str),
}


@pytest.mark.parametrize("typed", TYPED.values(), ids=TYPED)
def test_a_rule_that_asks_for_a_type_is_told_that_of_real_values(typed):
    result = own(lambda me, local: Outcome(Follower(9 if typed(local) else local.number, local.peer)))
    assert isinstance(result, Refuted)
    assert result.values["outcome"].local.number == 9


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
    assert "is open: a conjunct makes a text out of a name or number" in result.why


def test_a_fault_may_say_what_it_finds():
    def saying(right, me, local):
        return tuple(
            Fault(one.rule, me, None, f"{local.number}", "test_own.py") for one in node_faults(right, me, local)
        )

    assert isinstance(own(lambda me, local: Outcome(local), saying), Proved)
    assert isinstance(own(lambda me, local: Outcome(Follower(local.number + 1, local.peer)), saying), Refuted)
