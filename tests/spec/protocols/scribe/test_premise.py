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
from gomboc.spec.protocols.scribe.state import BLANK, CRASHED, TREE, Child, Id, Leave, Node, Publish, Subscribe
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
    told = tuple((to, message) for to, message in drawn.in_flight if projection(message) is not None)
    for read in (premise, environment):
        assert read(others, told) == read(states, drawn.in_flight)


def test_it_tells_nodes_apart_in_all_that_is_read_and_has_one_kind_of_message():
    (item,) = universe(("a",), 1, parameters_of({}))
    asking = Node(True, "a")
    others = (
        replace(asking, wants=False),
        replace(asking, next="b"),
        replace(asking, parent="b"),
        replace(asking, children=(Child("b", 1),)),
        replace(asking, children=(Child("b", 1), Child("c", 1))),
        replace(asking, publications=(item,)),
        replace(asking, publications=(item,), pending=(item.key,)),
        BLANK,
        CRASHED,
    )
    assert len({*map(projection, (asking, *others))}) == len(others) + 1
    assert projection(Leave("a")) is None
    assert projection(Subscribe("a", 1, ())) is not None


OWNER, LOST, LEFT = Node(False, "o"), Node(False, None), Node(False, "f", "f", delivered=(Id("l", 0),))


def lacking(in_flight=(), **changed):
    states = {"o": OWNER, "f": LOST, "l": LEFT, "x": CRASHED, **changed}
    return [(fault.rule, fault.node) for fault in premise(states, in_flight)]


def test_a_node_that_nothing_needs_may_have_a_way_that_ends_nowhere():
    assert lacking() == []
    assert lacking((("l", Publish("f", ())), ("l", Leave("f")), ("x", Subscribe("l", 1, ())))) == []


@pytest.mark.parametrize(
    "need",
    [
        {"wants": True},
        {"children": (Child("o", 1),)},
        {"publications": universe(("l",), 1, parameters_of({}))},
    ],
)
def test_one_that_subscribes_has_children_or_holds_something_needs_its_way(need):
    assert lacking(l=replace(LEFT, **need)) == [("ways_end_at_owner", "l")]


def test_so_does_one_that_is_to_get_a_child_also_without_a_next_hop():
    assert lacking((("l", Subscribe("o", 1, ())),)) == [("ways_end_at_owner", "l")]
    assert lacking((("f", Subscribe("l", 1, ())),)) == [("forwarders_have_routes", "f")]
    assert lacking(f=replace(LOST, children=(Child("l", 1),))) == [("forwarders_have_routes", "f")]
