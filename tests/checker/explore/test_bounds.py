"""Where an exploration stops, and that it says why."""

import pytest

from gomboc.checker.explore.bounds import BoundReachedError, Bounds, BoundWatch, peak_memory


def test_no_bound_never_stops():
    assert BoundWatch(Bounds()).why_stop(10**9, 10**9, 10**9) == ""


def test_the_bound_that_is_reached_is_named():
    assert BoundWatch(Bounds(most_states=1_000)).why_stop(0, 1_001, 0) == "the bound of 1,000 states was reached"
    assert BoundWatch(Bounds(most_states=1_000)).why_stop(0, 1_000, 0) == ""
    assert BoundWatch(Bounds(seconds=0)).why_stop(0, 0, 0) == "the bound of 0 seconds was reached"
    assert BoundWatch(Bounds(seconds=3_600)).why_stop(0, 0, 0) == ""
    assert BoundWatch(Bounds(megabytes=2)).why_stop(0, 0, 0) == "the bound of 2 MB of memory was reached"
    assert BoundWatch(Bounds(megabytes=1 << 40)).why_stop(0, 0, 0) == ""


def test_memory_is_that_of_this_process():
    before = peak_memory()
    held = bytearray(300 << 20)
    assert before > 10
    assert peak_memory() >= before
    assert peak_memory() >= len(held) >> 20


def test_each_look_at_the_clock_is_reported():
    calls = []
    watch = BoundWatch(Bounds(), lambda *numbers: calls.append(numbers))
    watch.why_stop(1, 2, 3)
    watch.why_stop(4, 5, 6)
    assert calls == [(1, 2, 3), (4, 5, 6)]


def test_any_node_that_judges_a_graph_is_stopped_by_time_and_memory_and_not_by_its_states():
    BoundWatch(Bounds(most_states=1, seconds=1e6, megabytes=1 << 30)).insist()
    with pytest.raises(BoundReachedError, match=r"^the bound of 1e-09 seconds was reached$"):
        BoundWatch(Bounds(seconds=1e-9)).insist()
    with pytest.raises(BoundReachedError, match=r"^the bound of 1 MB of memory was reached$"):
        BoundWatch(Bounds(megabytes=1)).insist()
