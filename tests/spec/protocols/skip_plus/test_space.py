"""Arbitrary starts are of five families, name all nodes by rule, and say Gone only of nodes outside."""

from pathlib import Path
from random import Random

import pytest
from msgspec.json import encode

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.checker.simulate.plan import Plan, header_of
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.spec.core.domain import enumerate_values, sampler
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.environment import environment
from gomboc.spec.protocols.skip_plus.models import named, right_start
from gomboc.spec.protocols.skip_plus.names import misnamed
from gomboc.spec.protocols.skip_plus.premise import premise
from gomboc.spec.protocols.skip_plus.space import ROLE, assignments, bits, lines, stars, trees
from gomboc.spec.protocols.skip_plus.state import ABSENT, Gone, Join, Leave, Node, Update
from gomboc.spec.types.kinds import Crash

A, B, C = NAMES = named("0", "1", "0")


@pytest.mark.parametrize(("nodes", "length"), [(1, 1), (2, 2), (3, 4), (8, 6), (9, 8), (64, 12)])
def test_strings_have_twice_the_logarithm_of_bits(nodes, length):
    assert bits(nodes) == length


@pytest.mark.parametrize("nodes", [2, 7, 16])
def test_assignments_differ_and_fit(nodes):
    names_drawn = assignments(nodes)
    assert len(set(names_drawn)) == 16
    assert not [names for names in names_drawn if misnamed(dict.fromkeys(names, "node"))]
    assert all(list(names) == sorted(names) for names in names_drawn)


def test_a_single_node_has_only_two_strings():
    assert len(assignments(1)) == 2


def test_a_line_a_star_and_a_tree_have_one_arrow_for_each_but_the_first():
    assert len(set(enumerate_values(lines(NAMES, NAMES)))) == 4
    assert len(set(enumerate_values(stars(NAMES, NAMES)))) == 4
    assert len(set(enumerate_values(trees(NAMES, NAMES)))) == 8


@pytest.mark.parametrize(("nodes", "outside"), [(1, 0), (3, 0), (6, 2)])
def test_of_what_is_drawn_gone_is_only_a_node_that_is_outside(nodes, outside):
    draw, random = sampler(PROTOCOL.starts.space(Size(nodes, 4, 0, outside))), Random(nodes)
    for _ in range(50):
        drawn = draw(random)
        absent = {name for name, local in drawn.locals if local == ABSENT}
        assert len(absent) == outside
        assert all(message.node in absent for _, message in drawn.in_flight if isinstance(message, Gone))


def test_a_node_that_knows_no_node_and_is_known_to_no_node_breaks_the_premise():
    states = {A: Node(True, (B,)), B: Node(), C: Node()}
    (fault,) = premise(states, ())
    assert (fault.rule, fault.node) == ("weakly_connected", C)
    assert not premise(states, ((B, Update(A, ((None, None),), (C,))),))


def test_the_dead_connect_no_node_but_give_back_what_they_were_given():
    states = {A: Node(True, (B,)), B: ABSENT, C: Node()}
    assert premise(states, ())
    assert not premise(states, ((B, Update(A, ((None, None),), (C,))),))
    assert premise(states, ((B, Gone(A, (C,))),))


def test_what_is_on_its_way_to_no_node_connects_no_node():
    states = {A: Node(), B: Node()}
    assert premise(states, (("nobody", Update(A, ((None, None),), (B,))),))


@pytest.mark.parametrize(
    ("a", "in_flight"),
    [(Node(True, (B,)), ((A, Gone(B, ())),)), (Node(True, (B,), gone=(B,)), ())],
    ids=["on its way", "remembered"],
)
def test_a_node_that_takes_part_and_is_said_to_be_gone_breaks_the_premise(a, in_flight):
    (fault,) = premise({A: a, B: Node()}, in_flight)
    assert (fault.rule, fault.node, fault.found) == ("gone_takes_no_part", A, B)


def test_of_several_false_departures_one_is_named():
    states = {A: Node(True, (B, C), gone=(B, C)), B: Node(), C: Node()}
    (fault,) = premise(states, ((B, Gone(A, ())),))
    assert (fault.rule, fault.node, fault.found) == ("gone_takes_no_part", A, B)


def test_a_departure_that_is_true_or_told_to_a_node_outside_breaks_no_premise():
    states = {A: Node(True, (C,), gone=(B,)), B: ABSENT, C: Node()}
    assert not premise(states, ((A, Gone(B, ())), (B, Gone(A, ()))))


@pytest.mark.parametrize("wrong", [((A, Gone(B, ())),), ((B, Gone(A, ())),)], ids=["it is lost", "it is known"])
def test_a_run_after_a_false_departure_is_unknown_or_holds_and_never_violated(wrong, tmp_path):
    start = Start(((A, ROLE), (B, ROLE)), ((A, Node(True, (B,))), (B, Node())), wrong)
    (tmp_path / "start.jsonl").write_bytes(encode({**header_of(PROTOCOL, start), "origin": {}}) + b"\n")
    plan = Plan("skip_plus", "skip_plus", (2,), traces=1, seed=1, start=str(tmp_path / "start.jsonl"))
    judgement = judge_file(Path(simulate_trace(plan, tmp_path, 0).path))
    assert isinstance(judgement.conformance, Holds)
    if wrong[0][0] == A:
        assert "premise: gone_takes_no_part at" in judgement.convergence.why
    else:
        assert isinstance(judgement.convergence, Holds)


def test_no_node_may_crash_a_node_that_alone_connects_the_others():
    states = {A: Node(True, (B,)), B: Node(True, (C,)), C: Node()}
    offered = {(offer.node, type(offer.command)) for offer in environment(states, ())}
    assert {node for node, command in offered if command is Crash} == {A, C}
    assert {node for node, command in offered if command is Leave} == {A, B, C}
    joining = {
        offer for offer in environment(dict(right_start(NAMES, (B,)).locals), ()) if isinstance(offer.command, Join)
    }
    assert {(offer.node, offer.command.contact) for offer in joining} == {(B, A), (B, C)}
