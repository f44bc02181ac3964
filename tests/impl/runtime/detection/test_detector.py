"""The failure detector: complete, eventually accurate or perfect, and slow to change its mind, under any heartbeats."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.errors import UsageError
from gomboc.impl.runtime.detection.detector import Timing, begin, bound, heard, looked, missing, mistakes

QUARTERS = st.integers(1, 60).map(lambda number: number / 4)
"""Lengths of silences: exact in binary, so that no sum is rounded."""

TIMINGS = st.builds(
    lambda patience, growth, more, returns, rest: Timing(patience, growth, patience + more, returns, rest),
    QUARTERS,
    QUARTERS,
    QUARTERS,
    st.integers(1, 3),
    st.sampled_from((0.0, 0.5, 2.0, 7.25)),
)


def verdicts(timing, beats, end):
    """The times of all changes of mind, at looks in every quarter of a period, under heartbeats at these times."""
    watched, changes, beats = begin(timing, 0.0), [], sorted(beats)
    for quarter in range(1, int(end * 4) + 1):
        now = quarter / 4
        while beats and beats[0] <= now:
            watched = heard(watched, beats.pop(0))
        after = looked(timing, watched, now)
        if after.is_suspected != watched.is_suspected:
            changes.append((now, after.is_suspected))
        watched = after
    return changes


@given(TIMINGS, st.lists(QUARTERS, max_size=30))
def test_a_node_that_is_silent_for_ever_is_suspected_within_the_bound_and_stays_so(timing, silences):
    beats = [*accumulate(silences)]
    last = beats[-1] if beats else 0.0
    changes = verdicts(timing, beats, last + bound(timing) + 20)
    at, is_suspected = changes[-1]
    assert is_suspected
    assert at <= last + bound(timing)


@given(TIMINGS, st.lists(QUARTERS, max_size=60))
def test_a_live_node_is_suspected_only_as_often_as_its_longest_silence_allows(timing, silences):
    allowed = [silence for silence in silences if silence <= timing.most]
    beats = [*accumulate(allowed)]
    suspicions = [at for at, is_suspected in verdicts(timing, beats, beats[-1] if beats else 0.0) if is_suspected]
    assert len(suspicions) <= mistakes(timing, max(allowed, default=0.0))


@given(TIMINGS, st.lists(QUARTERS, max_size=60))
def test_a_detector_whose_patience_is_longer_than_every_silence_is_perfect(timing, silences):
    beats = [*accumulate(min(silence, timing.patience - 0.25) for silence in silences if timing.patience > 0.25)]
    assert verdicts(timing, beats, beats[-1] if beats else 0.0) == []


@given(TIMINGS, st.lists(QUARTERS, max_size=60), st.lists(st.integers(0, 400), max_size=40))
def test_it_changes_its_mind_no_sooner_than_after_a_rest(timing, silences, more):
    beats = [*accumulate(silences), *(each / 4 for each in more)]
    times = [at for at, _ in verdicts(timing, beats, 150)]
    assert all(latter - former >= timing.rest for former, latter in pairwise(times))


def test_a_suspect_is_trusted_after_so_many_heartbeats_and_patience_grows_then():
    timing = Timing(patience=2.0, growth=3.0, most=4.0, returns=2, rest=0.0)
    watched = looked(timing, begin(timing, 0.0), 2.0)
    assert watched.is_suspected
    once = looked(timing, heard(watched, 2.5), 2.5)
    assert once.is_suspected
    twice = looked(timing, heard(once, 3.0), 3.0)
    assert (twice.is_suspected, twice.patience) == (False, 4.0)


def test_a_node_that_the_transport_does_not_find_is_suspected_at_once_but_not_before_the_rest_is_over():
    timing = Timing(rest=2.0)
    gone = missing(begin(timing, 1.0), 1.0)
    assert looked(timing, gone, 1.0).is_suspected
    back = looked(timing, heard(heard(looked(timing, gone, 1.0), 2.0), 2.5), 3.0)
    assert not back.is_suspected
    assert not looked(timing, missing(back, 3.5), 4.5).is_suspected
    assert looked(timing, missing(back, 3.5), 5.0).is_suspected


def test_a_late_heartbeat_sets_no_clock_back():
    assert heard(begin(Timing(), 5.0), 3.0).heard == 5.0


@pytest.mark.parametrize(
    "wrong", [{"patience": 0.0}, {"patience": 40.0}, {"growth": -1.0}, {"returns": 0}, {"most": float("inf")}]
)
def test_times_without_sense_are_refused(wrong):
    with pytest.raises(UsageError):
        Timing(**wrong)


def test_how_often_it_errs_is_known_only_as_far_as_its_patience_grows():
    assert mistakes(Timing(), 4.0) == 0
    assert mistakes(Timing(), 9.0) == 3
    for timing, longest in ((Timing(growth=0.0), 5.0), (Timing(), 33.0)):
        with pytest.raises(UsageError, match=r"^The patience of this detector does not grow to"):
            mistakes(timing, longest)
