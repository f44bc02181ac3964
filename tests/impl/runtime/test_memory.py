from random import Random

import pytest

from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.memory import MemoryNetwork
from tests.impl.refusing import refusing


def network(seed=1, mean_delay=0.2):
    return MemoryNetwork(ManualClock(), Random(seed), mean_delay)


def arrivals(seed, count=200):
    there, heard = network(seed), []
    there.transport("b").listen(lambda parcel: heard.append((there.clock.now(), parcel.number)), print)
    sender = there.transport("a")
    for _ in range(count):
        sender.send("b", b"x")
    there.clock.advance(100)
    return heard


def test_a_parcel_arrives_once_later_unaltered_and_says_from_whom():
    there, heard = network(), []
    there.transport("b").listen(heard.append, print)
    number = there.transport("a").send("b", b"bytes")
    assert heard == []
    there.clock.advance(100)
    assert [(parcel.number, parcel.sender, parcel.written) for parcel in heard] == [(number, "a", b"bytes")]
    assert there.undeliverable == 0


def test_nothing_is_lost_and_parcels_overtake_each_other():
    numbers = [number for _, number in arrivals(1)]
    assert sorted(numbers) == list(range(200))
    assert numbers != sorted(numbers)


def test_delays_come_out_of_the_seed():
    assert arrivals(1) == arrivals(1) != arrivals(2)


def test_the_mean_delay_is_what_was_asked_for():
    mean = sum(at for at, _ in arrivals(3, count=5_000)) / 5_000
    assert 0.18 < mean < 0.22


def test_what_is_sent_to_no_node_is_counted():
    there = network()
    there.transport("b").listen(lambda parcel: pytest.fail(f"{parcel} reached who was disconnected"), print)
    sent(there, "b", "c", before=lambda: there.disconnect("b"))
    assert there.undeliverable == 2


def sent(there, *receivers, before=lambda: None):
    """Send a parcel of `a` to each, and wait until they have arrived."""
    for receiver in receivers:
        there.transport("a").send(receiver, b"x")
    before()
    there.clock.advance(100)


@pytest.mark.parametrize("listens", [True, False])
def test_a_second_connection_under_a_name_replaces_the_first_and_hears_nothing_before_it_listens(listens):
    there, first, second = network(), [], []
    there.transport("b").listen(first.append, print)
    again = there.transport("b")
    if listens:
        again.listen(second.append, print)
    sent(there, "b")
    assert (len(first), len(second), there.undeliverable) == (0, listens, not listens)


@pytest.mark.parametrize("mean_delay", [0, -0.5, float("nan")])
def test_a_network_faster_than_any_is_refused(mean_delay):
    with refusing(f"The mean delay has to be above 0, not {mean_delay}."):
        network(mean_delay=mean_delay)


def test_a_sender_is_told_that_there_is_no_node_of_a_name_and_not_that_one_is_cut_off():
    there, returned = network(), []
    a, b = there.transport("a"), there.transport("b")
    a.listen(print, lambda to, parcel: returned.append((to, parcel.number)))
    b.listen(print, print)
    there.transport("cut").listen(print, print)
    there.disconnect("cut")
    never = a.send("never", b"x")
    a.send("cut", b"x")
    there.clock.advance(100)
    assert returned == [("never", never)]
    b.close()
    closed = a.send("b", b"x")
    there.clock.advance(100)
    assert returned == [("never", never), ("b", closed)]
    assert there.undeliverable == 3


def test_a_connection_that_is_closed_late_does_not_close_the_one_that_replaced_it():
    there, heard = network(), []
    first = there.transport("b")
    first.listen(print, print)
    there.transport("b").listen(heard.append, print)
    first.close()
    sent(there, "b")
    assert len(heard) == 1


def test_over_connections_in_order_a_node_that_stops_loses_what_is_on_its_way_to_it():
    for discipline, expected in ((Discipline.FIFO, [b"2"]), (Discipline.UNORDERED, [b"1", b"2"])):
        clock, got, lost = ManualClock(), [], []
        network = MemoryNetwork(clock, Random(1), discipline=discipline)
        sender = network.transport("a")
        sender.listen(lambda parcel: None, lambda to, parcel, lost=lost: lost.append((to, parcel.written)))
        first = network.transport("b")
        first.listen(lambda parcel, got=got: got.append(parcel.written), lambda to, parcel: None)
        sender.send("b", b"1")
        first.close()
        again = network.transport("b")
        again.listen(lambda parcel, got=got: got.append(parcel.written), lambda to, parcel: None)
        sender.send("b", b"2")
        clock.advance(20)
        assert sorted(got) == expected
        assert lost == [], "b is there"


def test_what_a_former_start_of_a_node_has_sent_is_not_given_back_to_a_later_one():
    there, first, second = network(), [], []
    for returned in (first, second):
        again = there.transport("a")
        again.send("b", b"x")
        again.listen(print, lambda to, parcel, returned=returned: returned.append((to, parcel.number)))
        again.send("b", b"y")
    there.clock.advance(20)
    assert (sorted(first), sorted(second)) == ([("b", 0), ("b", 1)], [("b", 2), ("b", 3)])
