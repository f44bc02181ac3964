"""The port of a tree of brokers: how nodes begin and come back, and each delivery in the form for applications."""

import msgspec
import pytest

from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.delta_fault_tolerance import deliveries
from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate
from gomboc.impl.protocols.delta_fault_tolerance.port import begin, kept, restored, told
from gomboc.impl.publishing.port import Confirmed, Matched, Ready, SetOut, Subscribed, Truth, Unreachable
from gomboc.impl.publishing.publication import PublicationId
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import line, right_start, star

ID = ("a", 2, 3)
SHOWN = PublicationId("a", 2 * 2**32 + 3)
FILTER = (Predicate("x", "=", 1),)


@pytest.mark.parametrize("names", [line(1), line(2), line(6), star(5)], ids=len)
@pytest.mark.parametrize("delta", [0, 1, 2])
def test_nodes_of_a_new_tree_begin_in_the_right_start_each_with_its_first_stream(names, delta):
    """A stream is known by its ends and its number, so all connections may begin with the first one."""
    right = dict(right_start(Parameters(delta), names, {}).locals)
    for name in names:
        begun, expected = begin({"delta": delta}, name, names), msgspec.to_builtins(right[name])
        linked = [peer for peer, *_ in expected["connections"]]
        connections = tuple([peer, "operational", (0, 1), (0, 1)] for peer in linked)
        assert begun == expected | {"streams": min(1, len(linked)), "connections": connections}


def test_a_node_that_is_not_in_the_tree_is_refused_and_one_without_a_tree_is_outside():
    with pytest.raises(UsageError, match=r"^'b' is not in the tree; its brokers are: a, a\.b\.$"):
        begin({}, "b", ("a.b", "a"))
    assert begin({}, "a.b", ())["status"] == "detached"


@pytest.mark.parametrize(
    ("delivered", "expected"),
    [
        (deliveries.Published(ID, (("x", 1),)), SetOut(SHOWN)),
        (deliveries.Confirmed(ID), Confirmed(SHOWN)),
        (
            deliveries.Publication(ID, (("x", 1), ("y", Truth(True))), (FILTER,)),
            Matched(SHOWN, {"x": 1, "y": True}, ((("x", "=", 1),),)),
        ),
        (deliveries.Subscribed(FILTER), Subscribed((("x", "=", 1),))),
        (deliveries.Status("operational"), Ready(True)),
        (deliveries.Status("recovering"), Ready(False)),
        (deliveries.Unreachable(ID, "b"), Unreachable(SHOWN, "b")),
        (deliveries.Unsubscribed(FILTER), None),
        (deliveries.Unsubscribing(FILTER), None),
    ],
)
def test_each_delivery_has_a_form_for_the_node(delivered, expected):
    assert told(delivered) == expected


def test_only_what_a_crash_leaves_is_restored():
    state = begin({}, "a", ("a", "a.b"))
    assert restored(begin({}, "a", ()) | {"status": "failed"}) == {}
    with pytest.raises(UsageError, match=r"^A crash leaves no broker that is operational: give the value that was"):
        restored(state)
    with pytest.raises(UsageError, match=r"^No crash leaves this state: .*; give the value that was kept\.$"):
        restored({"status": 3})
    assert kept(msgspec.Raw(msgspec.json.encode(state)))["status"] == "failed"
