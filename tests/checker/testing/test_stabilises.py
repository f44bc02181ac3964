"""`assert_stabilises` passes a system that stabilises, and shrinks start and schedule of one that does not."""

import re

import pytest
from hypothesis import given, settings

from gomboc.checker.core.errors import UsageError
from gomboc.checker.testing import assert_stabilises, starts
from gomboc.spec.core.faults import premise_faults
from gomboc.spec.core.registry import find_protocol
from tests.checker.cli.command import gomboc

HERE = "tests.checker.testing"


@pytest.fixture(autouse=True)
def named_here(monkeypatch):
    """A protocol that is named here is named nowhere else."""
    monkeypatch.setenv("GOMBOC_IMPLEMENTATIONS", "")


@pytest.mark.parametrize("protocol", ["skip_ring", "skip_plus"])
def test_an_implementation_that_stabilises_passes(protocol):
    assert_stabilises(protocol, members=2, messages=2, examples=8)


def test_a_printed_rule_is_found_and_shrunk_and_the_trace_of_it_can_be_checked(tmp_path):
    path = tmp_path / "smallest.jsonl"
    with pytest.raises(AssertionError) as failed:
        assert_stabilises("skip_ring", "skip_ring.printed_linearize", members=2, examples=60, save_to=path)
    said = re.search(r"violated at step (\d+) ", str(failed.value))
    assert said is not None
    assert int(said[1]) <= 4
    ran = gomboc("check", path)
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == str(failed.value).splitlines()[1:]


def test_a_fault_of_ones_own_is_named_with_the_rule_and_the_variable():
    with pytest.raises(AssertionError, match="set_data: the step is not what the rule 'set_data' produces"):
        assert_stabilises("skip_ring", f"{HERE}.deaf:IMPLEMENTATION", members=1, messages=2, examples=40)


def test_a_node_that_does_not_converge_within_the_bound_is_told():
    with pytest.raises(AssertionError, match="the system is not legitimate after 0 rounds"):
        assert_stabilises("skip_ring", members=1, messages=0, bound=0, examples=10)


def test_a_node_that_writes_what_is_no_state_is_told():
    with pytest.raises(
        AssertionError, match="mute writes an invalid line of a trace: in memory:2: the state lacks the"
    ):
        assert_stabilises("skip_ring", f"{HERE}.deaf:MUTE", members=1, messages=0, examples=5)


def test_starts_fulfil_the_premise_and_are_of_that_size():
    protocol = find_protocol("skip_plus")

    @settings(max_examples=8, deadline=None, database=None)
    @given(starts(protocol, 3, 2))
    def fulfils(start):
        assert len(start.locals) == 3
        assert len(start.in_flight) <= 2
        assert not premise_faults(protocol, dict(start.locals), start.in_flight)

    fulfils()


def test_a_node_that_names_nothing_that_is_there_is_told():
    with pytest.raises(UsageError, match=r"There is no implementation 'paxos'"):
        assert_stabilises("paxos")
    with pytest.raises(UsageError, match=r"nowhere:PROTOCOL cannot be imported"):
        assert_stabilises("nowhere:PROTOCOL", "skip_ring")
    with pytest.raises(UsageError, match=r"These are not parameters of Skip"):
        assert_stabilises("skip_plus", parameters={"loud": 1})
