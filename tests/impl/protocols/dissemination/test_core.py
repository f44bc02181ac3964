"""The automaton of dissemination: refusals; and lists of nodes that find together, held to the specification."""

from itertools import islice

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.simulator import Simulation
from gomboc.spec.protocols.dissemination import PROTOCOL
from tests.impl.system import assert_holds

BITS = 16
TESTED = implementation("dissemination").configured({"key_bits": BITS, "payload_limit": 4})
LIVE = {"live": True, "neighbours": []}


def node(state=LIVE, me="m"):
    return TESTED.make("member", me, state, None)


def obey(core, kind, **more):
    return core.handle(0.0, TESTED.commanded({"kind": kind, **more}))


def published(payload="x", me="m", number=0):
    return next(output.content for output in obey(node(me=me), "Issue", number=number, payload=payload)[:1])


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
    assert len(key) == 32 == PROTOCOL.variants.publishing["key_bits"]
