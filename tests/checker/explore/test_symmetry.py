"""Names that can be exchanged: the reduced run agrees with the unreduced one, with fewer states."""

from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.symmetry import canonical_world, quotient, rename_of, renamed_world, renamings
from gomboc.checker.explore.table import examine as table
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.instance import bounded_model
from gomboc.spec.core.network import World, begin
from gomboc.spec.core.protocol import Discipline, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import Claim, Subscriber
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, NodeName
from tests.checker.explore.alike import assert_same_extent
from tests.checker.explore.table.protocols import KEYS, MESSAGES, STATES, WAYS, instance_of, key, tabled
from tests.sampling import share

AS_IT_IS = tabled({}).naming.renamed
OTHER = {"a": "b", "b": "a"}
BOTH = ("a", "b")


@st.composite
def symmetric_instances(draw):
    """Instances with two nodes that follow one table; legitimacy is symmetric in the nodes."""
    sends = st.lists(st.tuples(st.booleans(), MESSAGES), max_size=2)
    keys = st.tuples(STATES, st.none() | MESSAGES)
    table_of_one = draw(st.dictionaries(keys, st.tuples(STATES, sends), max_size=6))
    reactions = {
        (me, *key): ((after, tuple((OTHER[me] if away else me, sent) for away, sent in sends)),)
        for key, (after, sends) in table_of_one.items()
        for me in BOTH
    }
    wrong = draw(st.sets(STATES | MESSAGES, max_size=3))
    protocol = tabled(reactions).changed(
        anchor=lambda states: None,
        node_faults=lambda anchor, me, local: ("wrong",) if local in wrong else (),
        message_faults=lambda anchor, target, message: ("wrong",) if message in wrong else (),
    )
    locals_ = draw(st.lists(STATES, min_size=1, max_size=2, unique=True))
    sent = draw(st.lists(MESSAGES, max_size=1))
    pairs = [(target, message) for target in BOTH for message in sent]
    most = draw(st.integers(2, 3))
    return instance_of(protocol, locals_, pairs, in_flight=len(sent), most=most, alike=BOTH)


def safe(exploration):
    """The findings on properties that do not depend on names."""
    properties = ("closure", "not_vacuous", "canonical")
    said = {(one.promise, type(one.verdict)) for one in exploration.findings if one.promise in properties}
    return said | {("AG EF", type(one.verdict)) for one in exploration.findings if "AG EF" in one.of}


@settings(max_examples=share(60))
@given(instance=symmetric_instances())
def test_the_reduced_run_says_what_the_unreduced_one_says(instance):
    whole = examine(bounded_model(instance))
    reduced, by_tables = examine(quotient(instance)), table.examine(instance)
    assert_same_extent(reduced, by_tables)
    assert safe(reduced) == safe(by_tables) == safe(whole)
    assert reduced.extent.states <= whole.extent.states <= 2 * reduced.extent.states


@settings(max_examples=share(60))
@given(instance=symmetric_instances())
def test_each_state_stands_for_all_that_differ_by_names(instance):
    whole = set(explore(bounded_model(instance)).states)
    reduced = explore(quotient(instance)).states
    assert set(reduced) == {canonical_world(instance, world) for world in whole}
    assert whole == {renamed_world(world, renaming, AS_IT_IS) for world in reduced for renaming in renamings(BOTH)}


def alike_with(reactions, **changes):
    """Two nodes that are said to be alike; every state is right."""
    protocol = tabled(reactions).changed(**{"anchor": lambda states: None} | changes)
    return instance_of(protocol, (0, 1), alike=BOTH)


SPREAD = {(me, 0, None): ((1, ((OTHER[me], 10),)),) for me in BOTH}


def turned(value, renaming):
    """0 for 1 and 1 for 0 wherever names are exchanged."""
    return 1 - value if renaming.get("a") == "b" and value < 2 else value


NO_SYMMETRIES = {
    "a rule of one node": (
        alike_with(SPREAD | {("b", 0, None): ((1, ()),)}),
        "a takes Timeout() in 0 and b takes Timeout() in 0, and the results differ",
    ),
    "a receipt of one node": (
        alike_with(SPREAD | {("a", 1, 10): ((0, ()),)}),
        "b takes Received(message=10) in 1 and a takes Received(message=10) in 1, and the results differ",
    ),
    "a target that is not exchanged": (
        alike_with({(me, 0, None): ((1, (("a", 10),)),) for me in BOTH}),
        "a takes Timeout() in 0 and b takes Timeout() in 0, and the results differ",
    ),
    "legitimacy": (
        alike_with(SPREAD, node_faults=lambda anchor, me, local: ("wrong",) * (me == "a" and local)),
        "only one of {'a': 0, 'b': 1} and its renaming is legitimate",
    ),
    "an anchor": (
        alike_with(SPREAD, anchor=lambda states: states["b"], anchor_faults=lambda anchor: ("mad",) * anchor),
        "only one of {'a': 0, 'b': 1} and its renaming is legitimate",
    ),
    "sleep": (
        alike_with(SPREAD, asleep=lambda local: local == 1, renamed=turned),
        "of b in 1 and of a in its renaming only one is asleep",
    ),
    "a renaming without end": (
        alike_with(SPREAD, renamed=lambda value, renaming: value + (renaming["a"] == "b")),
        "`renamed` exchanges the names of 0 differently in two steps",
    ),
    "a renaming that changes more than names": (
        alike_with(SPREAD, renamed=lambda value, renaming: value + 1),
        "`renamed` changes 0 if no name is exchanged",
    ),
}


@pytest.mark.parametrize("name", NO_SYMMETRIES)
def test_a_symmetry_that_is_none_leaves_everything_unknown(name):
    instance, why = NO_SYMMETRIES[name]
    exploration = table.examine(instance)
    assert exploration.exit_code() == 3
    assert exploration.extent.stopped == f"a, b are not alike, as the instance says: {why}; leave out alike"
    assert {type(finding.verdict) for finding in exploration.findings} == {Unknown}
    assert table.examine(replace(instance, alike=())).exit_code() in (0, 1)


@settings(max_examples=share(60))
@given(instance=symmetric_instances(), more=st.dictionaries(KEYS, WAYS, max_size=1))
def test_rules_that_are_nearly_alike_say_what_is_so_or_nothing(instance, more):
    one, other = instance.protocol.actor, tabled(more).actor

    def chosen(me, local, taken):
        return other if key(me, local, taken) in more else one

    nearly = instance.protocol.changed(
        react=lambda me, local, taken, choice: chosen(me, local, taken).react(me, local, taken, choice),
        choices=lambda me, local, taken: chosen(me, local, taken).choices(me, local, taken),
    )
    instance = replace(instance, protocol=nearly)
    whole, reduced = examine(bounded_model(instance)), table.examine(instance)
    assert reduced.exit_code() == 3 or safe(reduced) == safe(whole)


def test_without_fairness_the_reduced_run_converges_if_the_unreduced_one_does():
    spread = {(me, 0, None): ((1, ((OTHER[me], 10),)),) for me in BOTH} | {(me, 0, 10): ((1, ()),) for me in BOTH}
    protocol = tabled(spread).changed(
        anchor=lambda states: None, node_faults=lambda anchor, me, local: () if local else ("wrong",)
    )
    instance = instance_of(protocol, alike=BOTH)
    question = Question(fairness=Fairness.NONE)
    one, other = examine(quotient(instance), question), examine(bounded_model(instance), question)
    assert [type(finding.verdict) for finding in one.findings] == [type(finding.verdict) for finding in other.findings]
    assert one.extent.states < other.extent.states


def test_every_name_in_a_value_is_exchanged_wherever_it_stands():
    (_, swap) = renamings(("v1", "v2"))
    value = Subscriber(label="0", left=Claim("1", "v2"), right=None, shortcuts=())
    assert rename_of(PROTOCOL)(value, swap) == replace(value, left=Claim("1", "v1"))


def test_nodes_are_alike_only_where_the_protocol_says_how_they_are_renamed():
    protocol = tabled({}).changed(renamed=None)
    with pytest.raises(UsageError, match="states no `renamed`: declare its names as NodeName"):
        quotient(instance_of(protocol, alike=BOTH))


def test_a_renamed_world_is_in_order():
    world = begin(Start((), (("a", 0), ("b", 1)), (("a", 10), ("b", 11))), Discipline.UNORDERED)
    swapped = begin(Start((), (("a", 1), ("b", 0)), (("a", 11), ("b", 10))), Discipline.UNORDERED)
    (_, swap) = renamings(BOTH)
    assert renamed_world(world, swap, AS_IT_IS) == swapped
    assert renamed_world(swapped, swap, AS_IT_IS) == world
    instance = instance_of(tabled({}), alike=BOTH)
    assert canonical_world(instance, world) == canonical_world(instance, swapped)


def test_three_names_have_six_orders_and_the_first_changes_nothing():
    every = renamings(("x", "y", "z"))
    assert len(every) == 6
    assert every[0] == {"x": "x", "y": "y", "z": "z"}


def test_an_order_that_means_something_is_not_exchanged():
    world = World((("a", 0),), begin(Start((), (("a", 0),), ()), Discipline.FIFO).channels)
    with pytest.raises(AssertionError, match="other channels have an order of their own"):
        renamed_world(world, renamings(BOTH)[1], AS_IT_IS)


class Known(Struct, frozen=True):
    """The nodes that are known, ascending, and a text that is no name."""

    known: Annotated[tuple[NodeName, ...], Ascending()]
    text: str


def knowing():
    """Two nodes that are alike and keep ascending names, with a text that may equal one."""

    fields = Derived(Known)
    protocol = tabled({}).changed(
        roles={"node": Known},
        malformed=lambda value: fields.malformed(None, value) if isinstance(value, Known) else (),
        named=lambda value: fields.named(value) if isinstance(value, Known) else (),
        renamed=lambda value, renaming: fields.renamed(value, renaming) if isinstance(value, Known) else value,
        anchor=lambda states: None,
        node_faults=lambda anchor, me, local: () if local.known == BOTH else ("wrong",),
    )
    values = (Known(BOTH, "a"), Known(BOTH, "b"), Known(("a",), "a"), Known(("b",), "a"))
    return instance_of(protocol, values, alike=BOTH)


def test_a_text_that_equals_a_name_is_none_and_ascending_names_are_ascending_again():
    instance = knowing()
    (_, swap) = renamings(BOTH)
    assert rename_of(instance.protocol)(Known(("a",), "a"), swap) == Known(("b",), "a")
    assert rename_of(instance.protocol)(Known(BOTH, "a"), swap) == Known(BOTH, "a")
    whole, reduced, by_tables = (
        examine(bounded_model(instance)),
        examine(quotient(instance)),
        table.examine(instance),
    )
    assert reduced.extent.starts == by_tables.extent.starts == 10
    assert whole.extent.starts == 16
    assert reduced.legitimate == by_tables.legitimate == 3
    assert safe(reduced) == safe(by_tables) == safe(whole)
