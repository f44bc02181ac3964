"""A function that is watched is called as it is, and its misbehaviour is said in one short sentence."""

import math

import pytest
from msgspec import Struct

from gomboc.checker.core.dependency_tracker import MissingRead
from gomboc.spec.core.guarded import FIRST_CALLS, LATER_CALLS, RULES, SHOWN, ProtocolFaultError, watch, watched
from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.core.registry import find_protocol
from tests.toys.words.spec import UNORDERED, react

BOUND = RULES["bound"]


@pytest.mark.parametrize("length", [SHOWN - 1, SHOWN, SHOWN + 1])
def test_a_value_is_shown_whole_if_it_is_short_and_cut_if_it_is_long(length):
    value = "x" * (length - 2)
    with pytest.raises(ProtocolFaultError) as raised:
        watched(lambda count: value, "own: bound", BOUND)(3)
    shown = f"'{value}'" if length <= SHOWN else f"'{value}'"[:SHOWN] + "..."
    assert str(raised.value) == f"own: bound(3) answers {shown}, and must answer a whole number of rounds, 0 or more"


@pytest.mark.parametrize("answer", [0, 1, 10**9])
def test_what_is_right_is_handed_on(answer):
    assert watched(lambda count: answer, "own: bound", BOUND)(3) == answer


@pytest.mark.parametrize("answer", [-1, True, 1.0, None])
def test_what_is_no_number_of_rounds_is_refused(answer):
    with pytest.raises(ProtocolFaultError):
        watched(lambda count: answer, "own: bound", BOUND)(3)


def test_each_of_the_first_calls_is_asked_twice_and_then_one_of_many():
    asked = []
    function = watched(lambda count: asked.append(count) or count + 1, "own: bound", BOUND)
    calls = range(FIRST_CALLS + 3 * LATER_CALLS)
    assert [function(number) for number in calls] == [number + 1 for number in calls]
    assert len(asked) == 2 * FIRST_CALLS + 3 * LATER_CALLS + 3
    assert all(asked.count(number) == 2 for number in range(FIRST_CALLS))


def test_ours_are_not_watched_and_nothing_is_watched_twice():
    protocol = find_protocol("chord")
    before = protocol.actor.react
    watch(protocol, "gomboc.spec.protocols.chord:PROTOCOL")
    assert protocol.actor.react is before
    once = watched(lambda count: 1, "own: bound", BOUND)
    assert watched(once, "own: bound", BOUND) is once
    assert watched(None, "own: fired", RULES["fired"]) is None


def test_what_is_made_of_parameters_is_watched_too():
    made = UNORDERED.changed(bound=lambda nodes: None)
    protocol = UNORDERED.changed(parameters=("echo",), configured=lambda parameters: made)
    watch(protocol, "own:PROTOCOL")
    with pytest.raises(ProtocolFaultError, match=r"own:PROTOCOL: bound\(3\) answers None"):
        protocol.variants.configured({"echo": 1}).starts.bound(3)


def test_a_protocol_that_shares_records_with_a_watched_one_is_not_watched():
    sharing = UNORDERED.changed(bound=lambda nodes: None)
    watch(sharing, "own:PROTOCOL")
    assert sharing.actor.react is not UNORDERED.actor.react is react


VALUES = {"react", "choices", "rule", "fired", "malformed", "asleep", "share", "projection", "named", "renamed"}
"""The functions that are given states and messages, which are kept in sets."""


def test_states_and_messages_that_can_be_changed_are_refused_by_each_function_that_takes_some():
    assert {name for name, rule in RULES.items() if rule.takes_values} == VALUES
    for name in VALUES:
        with pytest.raises(ProtocolFaultError, match=r"\[1\] can be changed"):
            watched(lambda value: None, f"own: {name}", RULES[name])([1])


def test_a_renaming_is_a_mapping_which_renamed_may_read_and_not_change():
    renamed = watched(lambda value, renaming: renaming.get(value, value), "own: renamed", RULES["renamed"])
    assert renamed("a", {"a": "b"}) == "b"
    forgetful = watched(lambda value, renaming: renaming.pop(value, "b"), "own: renamed", RULES["renamed"])
    with pytest.raises(ProtocolFaultError, match="changes its argument"):
        forgetful("a", {"a": "b"})


class Pair(Struct, frozen=True):
    name: str
    value: float


@pytest.mark.parametrize("where", [lambda bad: Outcome(Pair("a", bad)), lambda bad: Outcome((1, (2.0, bad)))])
def test_nan_is_found_wherever_in_a_state_it_is(where):
    react = watched(lambda value: where(math.nan), "own: react", RULES["react"])
    with pytest.raises(ProtocolFaultError, match="NaN is not equal to itself"):
        react(0)
    right = watched(lambda value: where(3.0), "own: react", RULES["react"])
    assert right(0) == where(3.0)


def test_a_message_with_nan_is_found_as_well():
    react = watched(lambda value: Outcome(0, (Send("b", Pair("a", math.nan)),)), "own: react", RULES["react"])
    with pytest.raises(ProtocolFaultError, match="NaN"):
        react(0)


def raising(error):
    def function(value):
        raise error

    return watched(function, "own: react", RULES["react"])


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), MissingRead(("a",)), ValueError("no rule")])
def test_what_is_no_fault_of_the_protocol_passes_as_it_is(error):
    with pytest.raises(type(error)) as raised:
        raising(error)(0)
    assert raised.value is error


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(0), GeneratorExit(), RecursionError(), BaseException()])
def test_every_other_exception_is_the_protocols_fault(error):
    with pytest.raises(ProtocolFaultError, match=f"own: react.0. raises {type(error).__name__}"):
        raising(error)(0)


def test_what_must_be_answered_is_said():
    wanted = {"asleep": "True or False", "rule": "a Cited", "named": "a tuple of texts", "start": "a Start"}
    for name, answer in wanted.items():
        with pytest.raises(ProtocolFaultError, match=f"answers 7, and must answer {answer}"):
            watched(lambda value: 7, f"own: {name}", RULES[name])(0)
