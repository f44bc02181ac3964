"""The automaton of dissemination: refusals; and lists of nodes that find together, held to the specification."""

from itertools import islice

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Commanded, Delivered, Received, Refused
from gomboc.impl.runtime.simulator import Simulation
from gomboc.spec.protocols.dissemination import PROTOCOL
from tests.impl.system import assert_holds

BITS = 16
TESTED = implementation("dissemination").configured({"key_bits": BITS, "payload_limit": 4})
BLANK = {"live": False, "neighbours": []}
LIVE = {"live": True, "neighbours": []}


def node(state=LIVE, me="m"):
    return TESTED.make("member", me, state, None)


def obey(core, kind, **more):
    return core.handle(0.0, Commanded(TESTED.decode_command(msgspec.json.encode({"kind": kind, **more}))))


def receive(core, kind, **more):
    return core.handle(0.0, Received(TESTED.decode(msgspec.json.encode({"kind": kind, **more}))))


def published(payload="x", me="m", number=0):
    return next(output.content for output in obey(node(me=me), "Issue", number=number, payload=payload)[:1])


def test_a_payload_that_is_too_large_is_refused_and_a_node_that_does_not_take_part_publishes_nothing():
    assert obey(node(), "Issue", number=1, payload="12345") == [Refused("too_large")]
    assert obey(node(BLANK), "Issue", number=1, payload="1") == []


@pytest.mark.parametrize(("index", "value", "reason"), [(0, "0" * BITS, "key_mismatch"), (4, "else", "forged")])
def test_what_is_not_valid_is_refused_by_name_and_goes_no_further(index, value, reason):
    written = msgspec.to_builtins(published())
    core = node({"live": True, "neighbours": ["a", "z"]}, "b")
    wrong = [*written[:index], value, *written[index + 1 :]]
    assert receive(core, "Broadcast", publication=wrong, low=None, high=None) == [Refused(reason)]


def listening(implementation=TESTED):
    """A node with a neighbour on either side that holds publication 2 of its own."""
    core = implementation.make("member", "b", {"live": True, "neighbours": ["a", "z"]}, None)
    obey(core, "Issue", number=2, payload="x")
    return core


def forged(number):
    return [*msgspec.to_builtins(published(me="b", number=number))[:4], "else"]


def test_a_forged_broadcast_is_not_passed_on_even_if_its_key_is_held():
    held = listening()
    genuine = msgspec.to_builtins(published(me="b", number=2))
    assert len(receive(held, "Broadcast", publication=genuine, low=None, high=None)) == 2
    assert receive(held, "Broadcast", publication=forged(2), low=None, high=None) == [Refused("forged")]


def test_what_has_expired_is_answered_to_both_sides_with_what_is_kept_and_what_is_forged_is_not():
    core = listening(implementation("dissemination").configured({"key_bits": BITS, "keep": 1}))
    genuine = [msgspec.to_builtins(published(me="b", number=number)) for number in (1, 2)]
    refused, *answers = receive(core, "Publish", publications=[genuine[0]])
    assert (refused, [output.to for output in answers]) == (Refused("expired"), ["a", "z"])
    assert [msgspec.to_builtins(output.message.publications) for output in answers] == [(genuine[1],)] * 2
    assert receive(core, "Publish", publications=[forged(1)]) == [Refused("forged")]
    assert receive(core, "Publish", publications=[genuine[1]]) == []


def test_a_node_that_has_unsubscribed_keeps_what_it_holds_unless_it_forgets():
    core = node()
    assert [type(output) for output in obey(core, "Issue", number=1, payload="x")] == [Delivered]
    obey(core, "Unsubscribe")
    assert b'"publications"' in bytes(core.snapshot())
    obey(core, "Subscribe")
    obey(core, "Unsubscribe", forget=True)
    assert bytes(core.snapshot()) == b'{"live":false,"neighbours":[]}'


def test_without_parameters_keys_have_32_bits():
    assert implementation("dissemination").configured({}).make("member", "a", LIVE, None).snapshot()
    assert len(published().key) == BITS


def plan(nodes, **parameters):
    parameterss = {"messages": 3, "publications": 5, "outside": 2, "disturb": True, "parameters": parameters}
    return Plan("dissemination", "dissemination", (nodes,), traces=1, seed=3, **parameterss)


@pytest.mark.parametrize("parameters", [{"key_bits": 24}, {"key_bits": 24, "keep": 1, "chunk": 1}], ids=str)
@pytest.mark.parametrize("nodes", [2, 5])
def test_a_disturbed_run_from_any_start_conforms_and_ends_with_every_node_holding_the_same(nodes, parameters, tmp_path):
    simulate_trace(plan(nodes, **parameters), tmp_path, 0)
    (path,) = tmp_path.glob("*.jsonl")
    assert_holds(judge_file(path))


def right_list(names):
    return {
        name: {"live": True, "neighbours": [output for output in names if abs(names.index(output) - index) == 1]}
        for index, name in enumerate(names)
    }


def test_a_publication_that_a_broadcast_missed_comes_by_comparison():
    names = list("abcdef")
    states = right_list(names)
    held = [msgspec.to_builtins(published(me="f", number=number)) for number in range(3)]
    states["f"]["publications"] = sorted(held)
    header = {"protocol": "dissemination", "roles": dict.fromkeys(names, "member"), "states": states, "messages": []}
    steps = [*islice(Simulation(header, TESTED, 1).steps(), 600)]
    assert sorted(output.payload for step in steps if step.node == "a" for output in step.delivered) == ["x", "x", "x"]


def test_without_parameters_keys_have_32_bits_as_in_the_specification():
    core = implementation("dissemination").make("member", "m", LIVE, None)
    ((key, *_),) = msgspec.json.decode(obey(core, "Issue", number=1, payload="x") and core.snapshot())["publications"]
    assert len(key) == 32 == PROTOCOL.publishing["key_bits"]
