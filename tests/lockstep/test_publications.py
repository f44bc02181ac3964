"""Specification and implementation with publications, side by side under one schedule, wherever they start."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lockstep.side_by_side import RING_COMMANDS, Sides, drawn_schedule, step_that_differs
from tests.sampling import share

SUBSCRIBERS = (
    *RING_COMMANDS,
    '{"kind":"Unsubscribe","forget":true}',
    '{"kind":"Publish","number":2,"payload":"x"}',
    '{"kind":"Publish","number":9,"payload":"äöü"}',
    '{"kind":"Crash"}',
    '{"kind":"Restart","keep":true}',
    '{"kind":"Restart","keep":false}',
)
SUPERVISORS = (
    '{"kind":"Suspect","node":"v1"}',
    '{"kind":"Suspect","node":"v2"}',
    '{"kind":"Trust","node":"v1"}',
    '{"kind":"Trust","node":"v2"}',
    '{"kind":"Restore","database":[]}',
    '{"kind":"Restore","database":[["0",null],["001","v1"],["1","v1"]]}',
)
PARAMETERS = (
    "{}",
    '{"key_bits":3}',
    '{"key_bits":2,"chunk":1}',
    '{"key_bits":8,"chunk":2,"keep":1,"payload_limit":4}',
    '{"key_bits":256,"keep":2}',
)
ALL_SIDES = {each: Sides(each, SUBSCRIBERS, SUPERVISORS) for each in PARAMETERS}


@settings(max_examples=share(150))
@given(
    st.sampled_from(PARAMETERS).flatmap(
        lambda parameters: st.tuples(st.just(parameters), ALL_SIDES[parameters].runs_of(3, 60))
    )
)
def test_specification_and_implementation_take_the_same_steps_from_anywhere(drawn):
    parameters, (start, schedule) = drawn
    assert step_that_differs(ALL_SIDES[parameters], start, schedule) is None


@pytest.mark.parametrize("parameters", PARAMETERS)
@settings(max_examples=share(20))
@given(st.data())
def test_they_still_take_the_same_steps_after_hundreds(parameters, data):
    start, _ = data.draw(ALL_SIDES[parameters].runs_of(4, 1))
    random = Random(data.draw(st.integers(0, 2**32 - 1)))
    schedule = drawn_schedule(random, 400)
    assert step_that_differs(ALL_SIDES[parameters], start, schedule) is None
