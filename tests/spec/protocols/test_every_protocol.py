"""Properties that every protocol has: of its starts, its disturbances, its steps, its values and its variants."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from gomboc.spec.core.domain import sampler
from gomboc.spec.core.faults import assumption_faults, legitimacy_faults, premise_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.core.protocol import Size, Start, strangers
from gomboc.spec.core.registry import find_protocol, protocol_names
from gomboc.spec.types.kinds import kinds_of
from tests.spec.protocols.cases import CASES, Case

SEEDS = range(40)

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_protocol = pytest.mark.parametrize("name", protocol_names())


def drawn(case: Case, size: Size) -> Iterator[Start]:
    """Some starts of that size."""
    draw = sampler(case.protocol.starts.space(size))
    return (draw(Random(seed)) for seed in SEEDS)


def values_of(start: Start) -> list[Any]:
    return [value for _, value in (*start.locals, *start.in_flight)]


@every_case
def test_a_start_has_the_nodes_of_its_size_and_canonical_values_that_name_these_only(case):
    protocol = case.protocol
    for size in case.sizes:
        for start in drawn(case, size):
            there, states = dict(start.roles), dict(start.locals)
            assert list(states) == list(there)
            assert [*there.values()].count(protocol.vocabulary.member) == size.nodes + size.outside
            assert protocol.vocabulary.fixed.items() <= there.items()
            assert len(start.in_flight) <= size.messages
            assert {target for target, _ in start.in_flight} <= there.keys()
            assert protocol.naming.misnamed(there) is None
            assert [fault for value in values_of(start) for fault in protocol.naming.malformed(value)] == []
            assert [name for value in values_of(start) for name in strangers(protocol, value, there.keys())] == []
            assert not assumption_faults(protocol, states, start.in_flight)
            assert not (case.connected and premise_faults(protocol, states, start.in_flight))


@every_case
@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5, 9, 20])
def test_the_legitimate_start_is_legitimate_and_canonical_with_nothing_in_flight(case, nodes):
    protocol, start = case.protocol, case.protocol.starts.start(nodes)
    assert [role for _, role in start.roles].count(protocol.vocabulary.member) == nodes
    assert start.in_flight == ()
    assert legitimacy_faults(protocol, dict(start.locals), ()) == ()
    assert case.parameters.get("meet") or premise_faults(protocol, dict(start.locals), ()) == ()
    assert [fault for value in values_of(start) for fault in protocol.naming.malformed(value)] == []


@every_case
def test_disturbances_come_in_order_to_nodes_that_are_there_and_are_decided_by_the_seed(case):
    protocol = case.protocol
    for size in case.sizes:
        names = tuple(name for name, _ in next(drawn(case, size)).roles)
        draw = sampler(protocol.environment.disturbances(size, names))
        for seed in SEEDS:
            events = draw(Random(seed))
            assert events == draw(Random(seed))
            assert [event.at for event in events] == sorted(event.at for event in events)
            assert {event.node for event in events} <= {*names}
            assert [fault for event in events for fault in protocol.naming.malformed(event.command)] == []
            assert [name for event in events for name in strangers(protocol, event.command, {*names})] == []


def taken(protocol: Any, start: Start) -> Iterator[tuple[str, Any, Any]]:
    """Every timeout and every delivery in a start: the node, its state, and its input."""
    states = dict(start.locals)
    yield from ((name, local, Timeout()) for name, local in start.locals if not protocol.environment.asleep(local))
    yield from ((target, states[target], Received(message)) for target, message in start.in_flight)


@every_case
def test_a_step_has_a_rule_and_leaves_canonical_values_that_name_nodes_that_are_there_and_no_argument_changed(case):
    protocol = case.protocol
    for start in drawn(case, case.sizes[2]):
        there = {name for name, _ in start.roles}
        for me, local, input_ in taken(protocol, start):
            written = msgspec.json.encode((local, input_))
            choices = protocol.actor.choices(me, local, input_)
            assert sum(choice.probability for choice in choices) == 1
            assert all(choice.probability > 0 for choice in choices)
            rule = protocol.actor.rule(local, input_)
            assert rule.name
            assert rule.source
            for choice in choices:
                outcome = protocol.actor.react(me, local, input_, choice)
                assert outcome == protocol.actor.react(me, local, input_, choice)
                values = [outcome.local, *(send.message for send in outcome.sends)]
                assert [fault for value in values for fault in protocol.naming.malformed(value)] == []
                assert [name for value in values for name in strangers(protocol, value, there)] == []
            assert msgspec.json.encode((local, input_)) == written


@every_case
def test_values_are_read_back_as_they_were_and_an_unknown_key_is_an_error(case):
    protocol = case.protocol
    for start in drawn(case, case.sizes[-1]):
        roles = dict(start.roles)
        draw = sampler(protocol.environment.disturbances(case.sizes[-1], tuple(roles)))
        pairs = [(local, protocol.vocabulary.roles[roles[name]]) for name, local in start.locals]
        pairs += [(message, protocol.vocabulary.message) for _, message in start.in_flight]
        pairs += [(event.command, protocol.vocabulary.command) for event in draw(Random(0))]
        for value, kind in pairs:
            text = msgspec.json.encode(value)
            assert len({value, msgspec.json.decode(text, type=kind)}) == 1
            with pytest.raises(msgspec.ValidationError, match="Object contains unknown field `colour`"):
                msgspec.json.decode(json.dumps({**json.loads(text), "colour": "red"}), type=kind)


@every_protocol
def test_every_kind_of_message_and_command_has_a_rule_with_a_name_and_a_source(name):
    """Some role takes it; commands and messages of the wrong role are refused in other tests."""
    protocol = find_protocol(name)
    for kind in kinds_of(protocol.vocabulary.message).values():
        assert all(
            protocol.actor.rule(local, Received(_blank(kind))).source for _, local in protocol.starts.start(3).locals
        )
    for kind in kinds_of(protocol.vocabulary.command).values():
        assert all(
            protocol.actor.rule(local, Commanded(_blank(kind))).source for _, local in protocol.starts.start(3).locals
        )


@every_protocol
def test_a_member_refuses_what_is_no_input_and_that_has_no_rule(name):
    protocol = find_protocol(name)
    me, local = protocol.starts.start(3).locals[-1]
    for taken in (Received("nonsense"), Commanded("nonsense")):
        with pytest.raises(ValueError, match=rf"^(\w+ '{me}' has|there is) no rule for .*nonsense"):
            protocol.actor.react(me, local, taken, CERTAIN[0])
        with pytest.raises(KeyError):
            protocol.actor.rule(local, taken)


def _blank(kind: Any) -> Any:
    """A value of that kind whose fields are of no account."""
    return kind(*(None for _ in kind.__struct_fields__))


@every_protocol
def test_every_variant_has_a_name_of_its_own_a_source_and_no_variants_itself(name):
    errata = find_protocol(name).variants.errata
    assert len({variant.name for variant in errata}) == len(errata)
    assert all(variant.source and variant.protocol.variants.errata == () for variant in errata)


@pytest.mark.parametrize(
    ("name", "parameters", "bounds"),
    [
        ("chord", {}, {0: 40, 1: 44, 2: 58, 5: 90, 100: 510}),
        ("chord", {"ids": "number"}, {3: 72 + 2 * 255}),
        ("chord", {"ids": "number", "fingers": False}, {3: 72}),
        ("delta_fault_tolerance", {}, {0: 40, 1: 50, 20: 240}),
        ("dissemination", {}, {0: 60, 1: 80, 8: 220}),
        ("hyparview", {}, {0: 40, 1: 46, 20: 160}),
        ("scribe", {}, {0: 20, 1: 26, 8: 68}),
        ("skip_plus", {}, {0: 20, 1: 21, 2: 24, 8: 46, 33: 125}),
        ("skip_ring", {}, {1: 120, 8: 260, 32: 740}),
        ("topic_directory", {}, {0: 20, 1: 23, 8: 44}),
        ("topic_directory", {"topics_in_period": 2}, {1: 46, 8: 88}),
        ("topic_directory", {"topics_of_contact": 1_024, "topics_in_period": 128}, {1: 8 * 23, 8: 64 * 44}),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(map(str, value)),
)
def test_a_bound_grows_with_the_nodes(name, parameters, bounds):
    protocol = Case(name, parameters).protocol
    assert {nodes: protocol.starts.bound(nodes) for nodes in bounds} == bounds
