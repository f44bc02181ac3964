"""What premise and environment of Scribe read of a node is its projection."""

from random import Random

import pytest
from msgspec.structs import replace

from gomboc.spec.core.domain import sampler
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.environment import environment
from gomboc.spec.protocols.scribe.parameters import parameters_of
from gomboc.spec.protocols.scribe.premise import premise, projection
from gomboc.spec.protocols.scribe.state import BLANK, CRASHED, TREE, Child, Leave, Node
from gomboc.spec.publishing.holdings import universe

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


def test_it_tells_nodes_apart_in_all_that_is_read_and_has_no_message():
    (item,) = universe(("a",), 1, parameters_of({}))
    asking = Node(True, "a")
    others = (
        replace(asking, wants=False),
        replace(asking, next="b"),
        replace(asking, parent="b"),
        replace(asking, children=(Child("b", 1), Child("c", 1))),
        replace(asking, publications=(item,)),
        replace(asking, publications=(item,), pending=(item.key,)),
        BLANK,
        CRASHED,
    )
    assert len({*map(projection, (asking, *others))}) == len(others) + 1
    assert projection(Leave("a")) is None
