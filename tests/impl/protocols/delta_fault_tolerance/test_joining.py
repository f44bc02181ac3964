"""A joining leaf: steps of its parent, its own steps, and whole runs with crashes."""

import msgspec
import pytest

from gomboc.impl.core.automaton import Timeout
from gomboc.impl.core.vocabulary import Crash, Restart
from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.impl.protocols.delta_fault_tolerance.commands import Down, Join
from gomboc.impl.protocols.delta_fault_tolerance.contents import Joined, Rejoin, Row
from gomboc.impl.protocols.delta_fault_tolerance.core import FAILING
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import Status as Stands
from gomboc.impl.protocols.delta_fault_tolerance.messages import (
    Confirm,
    Connect,
    Forward,
    JoinRequest,
    Recover,
    Stamps,
    Status,
    Table,
    Tree,
)
from gomboc.impl.protocols.delta_fault_tolerance.states import DETACHED
from tests.impl.protocols.delta_fault_tolerance.systems import ANY, random_run
from tests.impl.protocols.delta_fault_tolerance.test_core import broker, obeyed, received, taken

ASKS = JoinRequest("a.b.x", (0, 1))


def leaf(delta=1):
    """A broker below `a.b` that is outside."""
    state = msgspec.to_builtins(DETACHED)
    return IMPLEMENTATION.configured({"delta": delta}).make("broker", "a.b.x", state, None)


def kinds(sent):
    return [(to, type(message)) for to, message in sent]


def announced(delta=1):
    """The parent, after all brokers nearby have confirmed that they know the leaf, and the messages sent until then."""
    core = broker("a.b", delta, rows=[Row("a", ANY, "a")])
    sent, _ = received(core, ASKS)
    for to, message in sent:
        assert received(core, Confirm(to, (0, 1), message.id)) == ([], [])
    return core, sent


def test_a_node_that_is_outside_does_nothing_before_it_joins():
    core = leaf()
    before = core.snapshot()
    for command in (Crash(), Restart(), Down("a.b")):
        assert obeyed(core, command) == ([], [])
    assert received(core, Recover("a.b", (0, 1))) == ([], [])
    assert core.snapshot() is before
    sent, delivered = obeyed(core, Join())
    assert sent == [("a.b", ASKS)]
    assert delivered == [Stands("recovering")]
    assert obeyed(core, Join()) == ([], [])


def test_a_parent_first_tells_every_node_near_and_answers_when_it_is_asked_again():
    core, sent = announced()
    assert [(to, message.content) for to, message in sent] == [("a", Joined("a.b.x")), ("a.b.c", Joined("a.b.x"))]
    assert core.at.known == ("a", "a.b.c", "a.b.c.d", "a.b.x")
    answer, _ = received(core, ASKS)
    assert kinds(answer) == [("a.b.x", kind) for kind in (Connect, Tree, Table, Stamps)]
    assert answer[1][1].names == ("a", "a.b", "a.b.c")
    assert answer[2][1].rows == (Row("a", ANY, "a"),)
    assert received(core, ASKS) == ([], [])


def test_a_parent_that_is_announcing_a_leaf_does_not_answer_it_yet():
    core = broker("a.b")
    received(core, ASKS)
    before = core.snapshot()
    assert received(core, ASKS) == ([], [])
    assert core.snapshot() is before


def test_a_parent_that_has_crashed_before_all_have_confirmed_announces_the_leaf_again():
    core = broker("a.b", delta=2)
    (_, *sent), _ = received(core, ASKS)
    obeyed(core, Crash())
    assert "a.b.x" not in core.at.known
    assert sent


def test_where_no_node_is_to_be_told_a_leaf_is_answered_at_once():
    core = broker("a.b", delta=0)
    sent, _ = received(core, ASKS)
    assert "a.b.x" in core.at.known
    assert kinds(sent) == [("a.b.x", kind) for kind in (Connect, Tree, Table, Stamps)]
    assert sent[1][1].names == ("a.b",)


def test_only_the_parent_takes_a_leaf_in():
    core = broker("a")
    assert received(core, ASKS) == ([], [])


def test_a_node_that_is_near_knows_of_a_leaf_at_once_and_a_node_that_is_further_away_does_not():
    stamp = (("a.b", (0, 1)),)
    near = broker("a.b.c")
    sent, _ = received(near, Forward("a.b", (0, 1), ("a.b", 0, 1), Joined("a.b.x"), stamp, None))
    assert "a.b.x" in near.at.known
    assert kinds(sent) == [("a.b", Confirm)]
    further = broker("a.b.c.d", delta=1)
    received(further, Forward("a.b.c", (0, 1), ("a.b", 0, 1), Joined("a.b.x"), (("a.b.c", (0, 1)),), None))
    assert "a.b.x" not in further.at.known


def test_a_node_that_is_down_is_waited_for_when_a_leaf_joins():
    core = broker("a.b", delta=2)
    obeyed(core, Down("a.b.c"))
    sent, _ = received(core, ASKS)
    assert [to for to, _ in sent] == ["a", "a.b.c.d"]
    for to, message in sent:
        received(core, Confirm(to, core.at.links[to].theirs or (0, 1), message.id))
    (entry,) = core.at.entries.values()
    assert "a.b.c" in entry.waiting
    sent, _ = received(core, Recover("a.b.c", (1, 1)))
    assert [(type(message), getattr(message, "content", None)) for _, message in sent][2:3] == [
        (Forward, Joined("a.b.x"))
    ]


def test_a_leaf_asks_again_at_each_timeout_until_it_is_told_the_tree():
    core = leaf()
    obeyed(core, Join())
    assert taken(core, Timeout())[0] == taken(core, Timeout())[0] == [("a.b", ASKS)]
    received(core, Connect("a.b", (0, 3), (0, 1), "operational"))
    received(core, Tree("a.b", (0, 3), ("a", "a.b", "a.b.c")))
    assert core.at.known == ("a", "a.b", "a.b.c")
    assert taken(core, Timeout())[0] == []
    received(core, Table("a.b", (0, 3), (Row("a", ANY, "a"),)))
    ((to, sent),), _ = received(core, Stamps("a.b", (0, 3), ()))
    assert (to, sent.content) == ("a.b", Rejoin("a.b.x", (), "a.b.x"))
    assert core.at.table.rows() == (Row("a", ANY, "a"),)


def test_a_leaf_whose_parent_is_down_never_goes_past_it_and_asks_anew_what_was_answered():
    core = leaf()
    obeyed(core, Join())
    assert obeyed(core, Down("a.b")) == ([], [])
    assert taken(core, Timeout())[0] == [("a.b", ASKS)]
    assert FAILING.watches(core) == ()
    received(core, Connect("a.b", (0, 3), (0, 1), "operational"))
    assert FAILING.watches(core) == ("a.b",)
    assert taken(core, Timeout())[0] == []
    assert obeyed(core, Down("a.b"))[0] == [("a.b", JoinRequest("a.b.x", (0, 2)))]
    assert core.at.recovery.asking == {"a.b"}


def test_a_leaf_that_crashes_before_it_is_told_the_tree_asks_for_it_again():
    core = leaf()
    obeyed(core, Join())
    obeyed(core, Crash())
    assert obeyed(core, Restart())[0] == [("a.b", JoinRequest("a.b.x", (1, 1)))]


def test_a_leaf_that_is_asked_itself_says_that_it_asks_and_takes_no_copies():
    core = leaf()
    obeyed(core, Join())
    sent, _ = received(core, Recover("a", (1, 2)))
    assert sent == [
        ("a", Connect("a.b.x", (0, 2), (1, 2), "recovering")),
        ("a", Status("a.b.x", (0, 2), "recovering")),
    ]
    assert core.at.recovery.asking == {"a.b"}
    copy = Forward("a", (1, 2), ("a", 1, 1), Joined("a.b.y"), (("a", (1, 1)), ("a.b", None)), ("a.b.x",))
    assert received(core, copy) == ([], [])


def test_a_leaf_that_is_asked_by_its_parent_says_that_it_asks_and_asks_anew():
    core = leaf()
    obeyed(core, Join())
    sent, _ = received(core, Recover("a.b", (1, 2)))
    assert sent == [
        ("a.b", Connect("a.b.x", (0, 1), (1, 2), "recovering")),
        ("a.b", Status("a.b.x", (0, 1), "recovering")),
        ("a.b", JoinRequest("a.b.x", (0, 2))),
    ]


def test_a_parent_that_asks_its_leaf_goes_past_it_when_it_hears_that_it_joins():
    core, _ = announced()
    obeyed(core, Crash())
    obeyed(core, Restart())
    assert core.at.recovery.asking == {"a", "a.b.c", "a.b.x"}
    received(core, ASKS)
    assert core.at.recovery.asking == {"a", "a.b.c"}


@pytest.mark.parametrize("delta", [1, 2, 3])
def test_leaves_join_while_others_crash_and_nothing_is_lost_or_wrong_in_the_end(delta):
    for seed in (3, 5, 73):
        system, faults = random_run(seed, 2 + seed % 7, delta, spacing=0.2, events=30, detection=2.0, joining=3)
        assert faults == []
        assert not system.outside


def test_without_tolerance_a_leaf_that_joins_is_told_as_unreachable_and_has_everything_in_the_end():
    system, faults = random_run(3, 5, 0, spacing=0.2, events=30, joining=3)
    assert faults == [f"unreachable {recipient}" for recipient in system.watched.unreachable]
    assert not system.outside


def test_a_guide_may_name_a_leaf_that_its_parent_does_not_know_yet():
    core = broker("a.b", status="recovering", asking=["a"])
    copy = Forward("a", (0, 1), ("a", 0, 1), Rejoin("a", (), "a"), (("a", (0, 1)),), ("a.b", "a.b.c", "a.b.x"))
    received(core, copy)
    assert [entry.recipients for entry in core.at.entries.values()] == [{"a.b.c", "a.b.x"}]


def test_a_leaf_that_is_not_known_yet_is_not_waited_for():
    core = broker("a.b", status="recovering", asking=["a"])
    guide = ("a.b", "a.b.c", "a.b.y")
    received(core, Forward("a", (0, 1), ("a", 0, 1), Joined("a.z"), (("a", (0, 1)),), guide))
    assert [entry.waiting for entry in core.at.entries.values()] == [{"a.b.c"}]


def test_a_leaf_that_joins_by_its_state_and_has_asked_no_node_asks_no_node_again():
    state = msgspec.to_builtins(DETACHED) | {"status": "recovering", "asking": ["a"]}
    assert taken(IMPLEMENTATION.make("broker", "a.b", state, None), Timeout()) == ([], [])
