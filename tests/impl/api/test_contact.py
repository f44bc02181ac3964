"""What a supervisor keeps of the topics that peers begin: bounded, and nothing of a topic without members."""

from random import Random

import pytest

from gomboc.impl import Contact, ManualClock, MemoryNetwork, NodeContext, overlay
from gomboc.impl.core.reasons import Reason
from gomboc.impl.runtime.topics import sealed
from gomboc.impl.runtime.transport import Parcel

RING = overlay("skip_ring")


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def contact(clock):
    network = MemoryNetwork(clock, Random(1))
    around = NodeContext(network.transport("supervisor"), clock, Random(1))
    return Contact("supervisor", RING, around, most_topics=6, most_by_peer=2)


def say(contact, topic, kind="Subscribe", sender="eve"):
    message = b'{"kind":"%b","subscriber":"%b"}' % (kind.encode(), sender.encode())
    contact._host.receive(Parcel(0, sender, sealed(topic, RING.agreement, message)))


def test_a_peer_begins_only_so_many_topics_and_others_may_still_begin_theirs(contact):
    for number in range(5_000):
        say(contact, f"t{number}")
    assert contact.topics == ("t0", "t1")
    assert contact.refused == {Reason.TOO_MANY_TOPICS: 4_998}
    say(contact, "news", sender="ada")
    assert contact.topics == ("news", "t0", "t1")


def test_a_topic_of_another_is_joined_beyond_the_bound(contact):
    for number in range(2):
        say(contact, f"t{number}", sender="ada")
        say(contact, f"t{number}")
        say(contact, f"u{number}")
    assert contact.topics == ("t0", "t1", "u0", "u1")


def test_a_topic_without_members_is_dropped_and_may_begin_again(contact, clock):
    for _ in range(3):
        say(contact, "news")
        say(contact, "chess")
        assert contact.topics == ("chess", "news")
        clock.advance(3)
        say(contact, "news", "Unsubscribe")
        say(contact, "chess", "Unsubscribe")
        assert contact.topics == ()
    say(contact, "sport")
    say(contact, "books")
    assert contact.topics == ("books", "sport")
    assert contact.refused == {}


def test_a_supervisor_that_has_dropped_a_topic_knows_nothing_of_it(contact, clock):
    say(contact, "news")
    clock.advance(3)
    say(contact, "news", "Unsubscribe")
    assert not contact._host.instances.know("news")
