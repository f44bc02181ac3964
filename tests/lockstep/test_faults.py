"""Single faults in implementations: each is found by the steps in which specification and implementation differ."""

from functools import partial
from itertools import islice
from pkgutil import resolve_name
from random import Random

import pytest
from msgspec.structs import replace

from gomboc.impl.protocols.chord.stabilising import Notify, Send
from gomboc.impl.publishing.comparison import Answer
from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring import PROTOCOL as SKIP_RING
from tests.lockstep.side_by_side import (
    MOST_IN_FLIGHT,
    MOST_PUBLICATIONS,
    differences,
    drawn_schedule,
    step_that_differs,
)
from tests.lockstep.test_chord import SMALL as CHORD
from tests.lockstep.test_large import RING, runs
from tests.lockstep.test_publications import ALL_SIDES
from tests.lockstep.test_skip_ring import PRINTED
from tests.sampling import THOROUGH

DRAWN = 3_000


def seeds(since, before):
    """The seeds of runs: all of them in `make thorough`, else those from one on, soon before a rare fault is found."""
    return range(0 if THOROUGH else since, before)


def chord_runs(since=0):
    return ((sides, *sides.run(seed)) for seed in seeds(since, DRAWN // len(CHORD)) for sides in CHORD)


def small_runs(sides, since=0, publications=0):
    """Starts of one or two subscribers and a schedule, by seeds; far cheaper to draw than with Hypothesis."""
    for seed in seeds(since, DRAWN):
        random = Random(seed)
        space = sides.protocol.starts.space(Size(random.randint(1, 2), MOST_IN_FLIGHT, publications))
        yield sides, sample(space, random), drawn_schedule(random, 60)


def publishing_runs(since=0):
    return small_runs(ALL_SIDES['{"key_bits":3}'], since, MOST_PUBLICATIONS)


def ring_runs(since=0):
    return small_runs(RING, since)


def printed_runs():
    sides = PRINTED["printed_build_ring"]
    return ((sides, SKIP_RING.starts.start(2), drawn_schedule(Random(seed), 40)) for seed in range(20))


def large_runs():
    return runs(RING, 9)


@pytest.mark.parametrize(
    "drawn", [chord_runs, publishing_runs, ring_runs, printed_runs], ids=lambda drawn: drawn.__name__
)
def test_nothing_is_found_where_there_is_no_fault(drawn):
    assert differences(islice(drawn(), 100)) == []


def answers_leaves(was, holdings, prefix, digest):
    node = holdings.beneath(prefix)
    other = node is not None and node.prefix == prefix and holdings.told(node)[1] != digest
    return was(holdings, prefix, digest) or (Answer((), prefix) if other else None)


def notifies(was, me, *given):
    after, sends = was(me, *given)
    return after, [Send(send.to, Notify(me.name)) for send in sends]


def drops_no_hash(was, trie, above, key, node):
    if above:
        above[-1].replace_towards(key, node)
    else:
        trie._root = node


SUBSCRIBER = "skip_ring.core.Subscriber"
SUPERVISOR = "skip_ring.supervisor.Supervisor"
PLACING = "skip_ring.placing.Placing"
FAULTS = [
    (
        "a joiner with a place that names no successor begins without any",
        partial(chord_runs, 60),
        "chord.core.Node.placed",
        lambda was, node, index: (index.sender, node.me.shortened(index.successors)),
    ),
    (
        "a list goes past the node itself, which is left out",
        chord_runs,
        "chord.identity.LocalIdentity.shortened",
        lambda was, me, names: tuple(name for name in dict.fromkeys(names) if name != me.name)[: me.parameters.r],
    ),
    (
        "a lookup does not use the farthest finger",
        chord_runs,
        "chord.core.next_hop",
        lambda was, me, state, key: was(me, replace(state, fingers=state.fingers[:-1]), key),
    ),
    ("a nearer head is notified before it has answered", chord_runs, "chord.core.use", notifies),
    (
        "a leaf with another hash is asked for, as line 18 of Algorithm 5 is indented",
        partial(publishing_runs, 780),
        "publishing.comparison._answer",
        answers_leaves,
    ),
    (
        "a new publication goes back to its sender",
        publishing_runs,
        "skip_ring.publishing.Publishing._spread",
        lambda was, node, publication, _: was(node, publication, node._u.me),
    ),
    (
        "publications stay that their publisher has not signed",
        publishing_runs,
        "publishing.store.Store._may_stay",
        lambda was, store, publication: True,
    ),
    ("a change of the trie drops no cached hash", publishing_runs, "publishing.trie.Trie._replace", drops_no_hash),
    (
        "a node that restarts without its variables still has its publications",
        publishing_runs,
        "skip_ring.variables.Variables.forget_publications",
        lambda was, variables: setattr(variables, "forgets", False),
    ),
    (
        "a node that has left keeps its publications even if it was to forget them",
        publishing_runs,
        f"{SUBSCRIBER}._forget_if_asked",
        lambda was, node: None,
    ),
    (
        "the supervisor tells no node to forget a suspect",
        publishing_runs,
        f"{SUPERVISOR}._get_configuration",
        lambda was, supervisor, node: [supervisor._configure(node)],
    ),
    (
        "the supervisor does not drop recorded suspects",
        publishing_runs,
        f"{SUPERVISOR}._repair",
        lambda was, supervisor: supervisor._database.repair(),
    ),
    (
        "each claim is taken for first hand",
        ring_runs,
        f"{PLACING}.believes",
        lambda was, placing, subject, flag, *, first_hand: was(placing, subject, flag, first_hand=True),
    ),
    ("no probe is answered", ring_runs, f"{SUBSCRIBER}._probe", lambda was, node, asker, flag: None),
    (
        "one with a label of two bits asks as often as is right for one bit",
        partial(ring_runs, 500),
        f"{SUBSCRIBER}._chance_to_ask",
        lambda was, node, own: 0.5 if len(own.written[0]) == 2 else was(node, own),
    ),
    (
        "the printed ring has a guard that is not printed: no node places itself",
        printed_runs,
        "skip_ring.printed_ring.PrintedRingPlacing.place_in_list",
        lambda was, placing, subject: None if subject.node == placing.u.me else was(placing, subject),
    ),
    (
        "line 34 of the printed ring is repaired: the farther candidate is told of the other one",
        printed_runs,
        "skip_ring.printed_ring.PrintedRingPlacing._keep_the_farther",
        lambda was, placing, *given: resolve_name(f"gomboc.impl.protocols.{PLACING}")._extend_ring(placing, *given),
    ),
    (
        "one with a label of more than four bits asks as often as one with four",
        large_runs,
        f"{SUBSCRIBER}._chance_to_ask",
        lambda was, node, own: 1 / (2**4 * 4**2) if len(own.written[0]) > 4 else was(node, own),
    ),
]


@pytest.mark.parametrize(("drawn", "target", "fault"), [pytest.param(*rest, id=name) for name, *rest in FAULTS])
def test_a_fault_in_the_implementation_is_found(monkeypatch, drawn, target, fault):
    where = f"gomboc.impl.{'' if target.startswith('publishing') else 'protocols.'}{target}"
    was = resolve_name(where)
    monkeypatch.setattr(where, lambda *given, **named: fault(was, *given, **named))
    assert any(step_that_differs(*run) is not None for run in drawn())


def test_a_fault_of_labels_of_more_than_four_bits_is_not_found_in_a_small_ring(monkeypatch):
    target = f"gomboc.impl.protocols.{SUBSCRIBER}._chance_to_ask"
    was = resolve_name(target)
    monkeypatch.setattr(target, lambda node, own: 0 if len(own.written[0]) > 4 else was(node, own))
    assert differences(runs(RING, 4)) == []
