"""No step sends one peer more than `chunk` publications, or 64 KiB of several; so a leaver hands over."""

import pytest

from tests.impl.applications.volumes import CHUNK, LARGE, Brokers, Life
from tests.impl.members import NAMES, OVERLAYS
from tests.sampling import THOROUGH


@pytest.mark.parametrize(("name", "parameters"), OVERLAYS, ids=str)
def test_no_step_sends_one_peer_too_much_and_some_send_as_much_as_they_may(name, parameters):
    scales = Life(name, 4, **parameters).lived(40 if THOROUGH else 24)
    assert scales.excess == []
    assert (scales.most, scales.largest // LARGE) == (CHUNK, 3)


def test_brokers_send_no_peer_too_many_bytes_in_a_step_and_some_send_as_many_as_they_may():
    scales = Brokers(1).lived()
    assert scales.excess == []
    assert scales.largest > 2.5 * LARGE


def test_as_the_paper_reads_which_an_application_has_to_ask_for_brokers_send_more():
    assert Brokers(1, most_rows=None, most_bytes=None, most_filters=None).lived().excess != []


@pytest.mark.parametrize(("name", "parameters"), OVERLAYS, ids=str)
def test_one_that_has_left_may_stop_and_nothing_is_lost_that_only_it_held(name, parameters):
    there, lost = Life(name, 1, **parameters), []
    for node in NAMES[1:3]:
        there.begin(node)
    there.run()
    published = {there[1].publish("news", f"{number}") for number in range(15 * CHUNK)}
    assert {*there[1].unsubscribe("news", patience=200.0, left=lost.append)} == published
    while not lost:
        there.run(0.25)
    there[1].stop()
    there.run(20)
    assert lost == [()]
    assert [{one.id for one in there[other].history("news")} for other in (0, 2)] == [published, published]
    assert there.scales.excess == []


def test_a_node_with_many_topics_announces_them_in_turn():
    """With names of 64 letters, 450 announcements have more than 64 KiB; nine of ten go to the other node."""
    there, long = Life("skip_plus", 1), "0" * 59 + ":1010"
    there.begin(long)
    there.run()
    for number in range(450):
        there.nodes[long].subscribe(f"t{number}".ljust(64, "_"))
    there.run(6)
    assert there.scales.excess == []
    assert 100 * 166 < there.scales.largest <= 128 * 166
