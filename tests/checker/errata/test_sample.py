"""Random runs: decided by their seeds, and given up after the rounds that are allowed."""

from gomboc.checker.errata.sample import Sample, sample_rounds
from gomboc.spec.protocols.skip_ring import PROTOCOL


def test_the_same_call_gives_the_same_sample():
    one, other = (sample_rounds(PROTOCOL, PROTOCOL, 3, 4, 300) for _ in range(2))
    assert one == other
    assert one.rounds == tuple(sorted(one.rounds))
    assert one.rounds[-1] < 300


def test_a_run_that_is_given_up_counts_as_all_its_rounds():
    assert sample_rounds(PROTOCOL, PROTOCOL, 3, 4, 1).rounds == (1, 1, 1, 1)


def test_the_median_is_written_without_a_fraction_that_it_does_not_have():
    assert Sample((1, 2, 9)).median == "2"
    assert Sample((1, 2, 3, 9)).median == "2.5"
