"""No leaver relies on another one."""

import pytest

from gomboc.impl.runtime.leavers import MOST, Leavers


@pytest.mark.parametrize(
    ("stays", "said", "named", "counts"),
    [
        (True, None, None, True),
        (True, "sender", "receiver", False),
        (True, "receiver", None, True),
        (False, None, "sender", False),
        (False, "sender", "sender", False),
        (False, "receiver", "sender", True),
    ],
)
def test_a_leaver_relies_on_one_that_stays_and_knows_of_it_and_no_node_on_a_leaver(stays, said, named, counts):
    leavers = Leavers({"news"} if stays else ())
    leavers.hear("news", "ben", said)
    assert (leavers.leaver("news", "ben"), leavers.counts("news", "ben")) == (named, counts)
    assert leavers.leaver("news", "cai") == (None if stays else "sender")


def test_the_last_message_of_a_peer_counts():
    leavers = Leavers({"news"})
    leavers.hear("news", "ben", "sender")
    leavers.hear("news", "ben", None)
    assert leavers.counts("news", "ben")
    assert leavers.leaver("news", "ben") is None


def test_one_that_keeps_all_topics_leaves_nothing():
    leavers = Leavers()
    assert not leavers.leaves("news")
    assert leavers.counts("news", None)


def test_a_bounded_number_of_peers_is_remembered_the_last_ones_that_said_something():
    leavers = Leavers({"news"})
    for peer in range(MOST):
        leavers.hear("news", str(peer), "sender")
    leavers.hear("news", "0", "sender")
    leavers.hear("news", "one more", "sender")
    assert [leavers.leaver("news", peer) for peer in ("0", "1", "one more")] == ["receiver", None, "receiver"]
