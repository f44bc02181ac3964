"""A leaving member keeps publications that no other member holds from being lost, or reports them."""

import pytest

from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.topics.leaving import PATIENCE, Leaving
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.publication import PublicationId
from tests.impl.members import NAMES, OVERLAYS, Members
from tests.impl.refusing import refusing
from tests.impl.system import System
from tests.toys.members.impl import OVERLAY


def settled(*names):
    there = System(overlay("skip_ring", {"key_bits": 32}), names)
    there.subscribe("news", *names)
    there.run()
    return there


@pytest.mark.parametrize(("name", "parameters"), OVERLAYS)
def test_a_publisher_is_told_once_that_another_member_holds_its_publication(name, parameters):
    there, told = Members(name, 2, **parameters), []
    published = there[0].publish("news", "x", confirmed=told.append)
    assert told == []
    there.run(20)
    assert told == [published] == [PublicationId(NAMES[0], published.number)]


def test_leaving_waits_until_another_member_holds_everything_and_then_says_that_nothing_is_lost():
    there, lost = settled("ann", "ben"), []
    published = there["ann"].publish("news", "x")
    assert there["ann"].unsubscribe("news", forget=True, left=lost.append) == (published,)
    assert (there["ann"].topics, there["ann"].instances, lost) == ((), ("news",), [])
    there.run(PATIENCE - 1)
    assert lost == [()]
    there.run()
    assert there["ann"].instances == ()
    assert there.payloads("ben", "news") == ["x"]


def test_what_came_from_others_is_waited_for_too_since_they_may_have_left():
    there, lost = settled("ann", "ben", "cai"), []
    there.network.disconnect("cai")
    published = there["ann"].publish("news", "x")
    while not there.payloads("ben", "news"):
        there.run(0.01)
    assert there["ben"].unsubscribe("news", left=lost.append) == (published,)
    there.run()
    assert lost == [()]


def test_what_no_other_member_can_hold_is_not_confirmed_and_said_to_be_lost_when_patience_ends():
    there, lost, confirmed = settled("ann"), [], []
    published = there["ann"].publish("news", "x", confirmed.append)
    there.run(100)
    there["ann"].unsubscribe("news", left=lost.append)
    there.run(PATIENCE - 0.5)
    assert lost == []
    there.run(1)
    assert (lost, confirmed) == ([(published,)], [])


def test_a_node_without_patience_leaves_at_once_and_says_what_may_be_lost():
    there, lost = settled("ann", "ben"), []
    published = there["ann"].publish("news", "x")
    assert there["ann"].unsubscribe("news", forget=True, patience=0, left=lost.append) == (published,)
    assert lost == [(published,)]


def test_where_everything_is_confirmed_a_node_still_hears_first_that_another_member_stays():
    there, lost = settled("ann", "ben"), []
    there["ann"].publish("news", "x")
    there.run()
    assert there["ben"].unsubscribe("news", left=lost.append) == ()
    assert lost == []
    there.run(5)
    assert lost == [()]


comparing = pytest.mark.parametrize("name", ["skip_ring", "skip_plus"])
"""Overlays on which members compare what they hold, and hold it as long as they take part."""


@comparing
@pytest.mark.parametrize("gap", [0, 0.5, 2])
@pytest.mark.parametrize("crashes", [False, True])
def test_two_that_hold_a_publication_and_go_leave_it_to_one_that_has_just_joined(name, gap, crashes):
    there, lost = Members(name, 2), []
    first, second, third = there[0], there[1], there.start(NAMES[2])
    published = first.publish("news", "x")
    there.run(15)
    third.subscribe("news")
    if crashes:
        first.stop()
        for node in (second, third):
            node.suspect(first.name)
    else:
        first.unsubscribe("news", left=lost.append)
    there.run(gap)
    second.unsubscribe("news", left=lost.append)
    there.run(60)
    assert [one.id for one in third.history("news")] == [published]
    assert lost == [()] * (1 if crashes else 2)


@comparing
def test_where_all_leave_none_relies_on_another_one(name):
    there, lost = Members(name, 3), []
    published = there[0].publish("news", "x")
    there.run(15)
    for member in range(3):
        assert there[member].unsubscribe("news", left=lost.append) == ()
    there.run(PATIENCE - 1)
    assert lost == []
    there.run(2)
    assert lost == [(published,)] * 3


@comparing
def test_one_that_stays_after_all_is_relied_on_again(name):
    there, lost = Members(name, 2), []
    there[0].publish("news", "x")
    there.run(15)
    for member in (0, 1):
        there[member].unsubscribe("news", left=lost.append)
    there.run(5)
    there[1].subscribe("news")
    there.run(5)
    assert lost == [()]


def test_a_node_that_subscribes_again_meanwhile_has_not_left():
    there, lost = settled("ann", "ben"), []
    there["ann"].unsubscribe("news", left=lost.append)
    assert lost == [()]
    there["ann"].subscribe("news")
    published = there["ann"].publish("news", "x")
    there["ann"].unsubscribe("news", left=lost.append)
    there["ann"].subscribe("news")
    there.run(2 * PATIENCE)
    assert lost == [()]
    assert there["ann"].history("news")[0].id == published
    assert there.payloads("ben", "news") == ["x"]


def test_a_node_that_stops_while_it_leaves_says_nothing_more():
    there, lost = settled("ann"), []
    there["ann"].publish("news", "x")
    there["ann"].unsubscribe("news", left=lost.append)
    there["ann"].stop()
    there.run(2 * PATIENCE)
    assert lost == []


def test_an_overlay_that_tells_no_holders_confirms_nothing_and_waits_for_nothing():
    there, lost = System(OVERLAY, ["ann", "ben"]), []
    there.subscribe("news", "ann", "ben")
    with refusing("This overlay does not say which member holds a publication: ask for no confirmation."):
        there["ann"].publish("news", "x", confirmed=lost.append)
    there["ann"].publish("news", "x")
    assert there["ann"].unsubscribe("news", left=lost.append) == ()
    assert lost == [()]


def test_a_publication_that_retention_drops_is_waited_for_no_more():
    there, lost = System(overlay("skip_ring", {"key_bits": 32, "keep": 1}), ["ann"]), []
    there.subscribe("news", "ann")
    there.run()
    there["ann"].publish("news", "old")
    newest = there["ann"].publish("news", "new")
    assert there["ann"].unsubscribe("news", left=lost.append) == (newest,)


@pytest.mark.parametrize(("name", "parameters"), [*OVERLAYS, ("scribe", {"keep": 2})], ids=str)
@pytest.mark.parametrize("member", range(3))
def test_one_that_has_left_and_is_back_is_given_what_is_held_and_what_comes_each_once(name, parameters, member):
    there = Members(name, 3, **parameters)
    leaver, other = there[member], there[(member + 1) % 3]
    other.publish("news", "before")
    there.run(10)
    leaver.unsubscribe("news")
    there.run(25)
    other.publish("news", "away")
    there.run(10)
    leaver.subscribe("news")
    opened = leaver.deliveries("news")
    there.run(15)
    other.publish("news", "after")
    there.run(10)
    assert [one.payload for one in iter(opened.take, None)] == ["before", "away", "after"]
    # With `keep`, a node may be asked for what has expired when its answer arrives.
    assert leaver.counters("news").refused.keys() <= ({Reason.EXPIRED} if "keep" in parameters else set())


def test_what_a_neighbour_names_by_ids_is_passed_on_to_the_topics_that_it_names_alone(monkeypatch):
    there, heard = Members("hyparview", 2), []
    for topic in ("one", "two"):
        there[0].subscribe(topic)
    monkeypatch.setattr(Leaving, "confirm", lambda self, topic, held: heard.append(topic))
    there[1].publish("news", "x")
    there.run(5)
    assert {*heard} == {"news"}


def test_one_that_leaves_and_forgets_is_given_everything_anew():
    there = Members("scribe", 3)
    there[0].publish("news", "before")
    there.run(10)
    for member in (1, 2):
        there[member].unsubscribe("news", forget=True)
    there.run(25)
    for member in (1, 2):
        there[member].subscribe("news")
        opened = there[member].deliveries("news")
        there.run(10)
        assert [one.payload for one in iter(opened.take, None)] == ["before"]
