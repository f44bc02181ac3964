"""What premise and environment of Scribe read of a node is its projection."""

from random import Random

import pytest
from msgspec.structs import replace

from gomboc.spec.core.domain import sampler
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.environment import environment
from gomboc.spec.protocols.scribe.premise import premise, projection
from gomboc.spec.protocols.scribe.state import BLANK, CRASHED, TREE, Child, Leave, Node

SWITCHED = configured(PROTOCOL, {"key_bits": 4, "low": 1, "high": 2})


def blurred(local):
    """The node with other counts, deliveries and method, and its parent in the place of its first child."""
    children = tuple(Child(child.node, child.count + 1) for child in local.children)
    changed = replace(local, children=children, delivered=(), method=TREE)
    if local.parent is None or not children or local.parent in {child.node for child in children}:
        return changed
    others = (Child(local.parent, 0), *children[1:])
    return replace(changed, parent=children[0].node, children=tuple(sorted(others)))


@pytest.mark.parametrize("seed", range(40))
def test_no_more_than_that_is_read(seed):
    drawn = sampler(SWITCHED.starts.space(Size(4, 5, 3, 2)))(Random(seed))
    states = {**dict(drawn.locals), "n000": CRASHED}
    others = {name: blurred(local) for name, local in states.items()}
    assert [*map(projection, others.values())] == [*map(projection, states.values())]
    for read in (premise, environment):
        assert read(others, ()) == read(states, drawn.in_flight)


def test_it_tells_nodes_apart_that_speak_to_others_and_has_no_message():
    asking = [
        Node(True, "a"),
        Node(True, "a", "b"),
        Node(True, "a", None, (Child("b", 1), Child("c", 1))),
        BLANK,
        CRASHED,
    ]
    assert len({*map(projection, asking)}) == len(asking)
    assert projection(Leave("a")) is None
