"""Specification and implementation with publications, side by side under one schedule, wherever they start."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomboc.impl.protocols.skip_ring.core import Subscriber
from gomboc.impl.protocols.skip_ring.publishing import Publishing
from gomboc.impl.protocols.skip_ring.supervisor import Supervisor
from gomboc.impl.protocols.skip_ring.variables import Variables
from gomboc.impl.publishing import comparison
from gomboc.impl.publishing.store import Store
from gomboc.impl.publishing.trie import Trie
from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size
from tests.lockstep.side_by_side import (
    MOST_IN_FLIGHT,
    MOST_PUBLICATIONS,
    RING_COMMANDS,
    Sides,
    drawn_schedule,
    step_that_differs,
)
from tests.sampling import share

SUBSCRIBERS = (
    *RING_COMMANDS,
    '{"kind":"unsubscribe","forget":true}',
    '{"kind":"publish","number":2,"payload":"x"}',
    '{"kind":"publish","number":9,"payload":"äöü"}',
    '{"kind":"crash"}',
    '{"kind":"restart","keep":true}',
    '{"kind":"restart","keep":false}',
)
SUPERVISORS = (
    '{"kind":"suspect","node":"v1"}',
    '{"kind":"suspect","node":"v2"}',
    '{"kind":"trust","node":"v1"}',
    '{"kind":"trust","node":"v2"}',
    '{"kind":"restore","database":[]}',
    '{"kind":"restore","database":[["0",null],["001","v1"],["1","v1"]]}',
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


def printed_else(monkeypatch):
    """Line 18 of Algorithm 5 as it is indented: a leaf with another hash is asked for."""
    answer = comparison._answer

    def answers_leaves(holdings, prefix, digest):
        node = holdings.beneath(prefix)
        if node is not None and node.prefix == prefix and holdings.told(node)[1] != digest:
            return answer(holdings, prefix, digest) or comparison.Answer((), prefix)
        return answer(holdings, prefix, digest)

    monkeypatch.setattr(comparison, "_answer", answers_leaves)


def flooding_back(monkeypatch):
    """A new publication goes back to its sender."""
    spread = Publishing._spread
    monkeypatch.setattr(Publishing, "_spread", lambda self, publication, _: spread(self, publication, self._u.me))


def lenient_audit(monkeypatch):
    """Publications stay that their publisher has not signed."""
    monkeypatch.setattr(Store, "_may_stay", lambda self, publication: True)


def stale_hashes(monkeypatch):
    """A change of the trie drops no cached hash."""

    def put(self, above, key, node):
        if above:
            above[-1].children[key[above[-1].depth] == "1"] = node
        else:
            self._root = node

    monkeypatch.setattr(Trie, "_replace", put)


def memory_of_the_dead(monkeypatch):
    """A node that restarts without its variables still has its publications."""
    monkeypatch.setattr(Variables, "forget_publications", lambda self: setattr(self, "forgets", False))


def never_forgetting(monkeypatch):
    """A node that has left keeps its publications even if it was to forget them."""
    monkeypatch.setattr(Subscriber, "_forget_if_asked", lambda self: None)


def discreet_supervisor(monkeypatch):
    """The supervisor tells no node to forget a suspect."""
    monkeypatch.setattr(Supervisor, "_get_configuration", lambda self, node: [self._configure(node)])


def hospitable_supervisor(monkeypatch):
    """The supervisor does not drop recorded suspects."""
    monkeypatch.setattr(Supervisor, "_repair", lambda self: self._database.repair())


FAULTS = [
    printed_else,
    flooding_back,
    lenient_audit,
    stale_hashes,
    memory_of_the_dead,
    never_forgetting,
    discreet_supervisor,
    hospitable_supervisor,
]
SMALL = ALL_SIDES['{"key_bits":3}']
DRAWN = 1_000


def drawn_run(seed):
    """A start of one or two subscribers and a schedule, by a seed; far cheaper to draw than with Hypothesis."""
    random = Random(seed)
    space = SMALL.protocol.starts.space(Size(random.randint(1, 2), MOST_IN_FLIGHT, MOST_PUBLICATIONS))
    return sample(space, random), drawn_schedule(random, 60)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_implementation_is_found(monkeypatch, fault):
    fault(monkeypatch)
    assert any(step_that_differs(SMALL, *drawn_run(seed)) is not None for seed in range(DRAWN))


def test_nothing_is_found_where_there_is_no_fault():
    assert all(step_that_differs(SMALL, *drawn_run(seed)) is None for seed in range(DRAWN // 10))
