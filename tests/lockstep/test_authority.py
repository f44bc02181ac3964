"""Who may send what: each protocol has one table in `spec` and one in `impl`, written apart; both admit the same.

No rule sends what its table forbids: neither in golden traces, nor in simulated runs in which nodes join, leave, crash
and restart, nor in explored models. `python -m tests.lockstep.test_authority` looks at more runs and models, and prints
the messages and the forbidden ones.
"""

import sys
from collections import Counter
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec
import pytest

from gomboc.checker.traces.trace import open_trace
from gomboc.impl.api.registry import implementation
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.types.speakers import anyone, speakers
from tests.checker.cli.command import gomboc

TRACES = Path(__file__).resolve().parents[2] / "traces"
PROTOCOLS = sorted(path.name for path in TRACES.iterdir() if [*path.glob("*.ok.jsonl")])
STRANGER = "stranger:0101"


def test_a_kind_of_message_whose_sender_is_not_said_is_refused_as_the_protocol_is_loaded():
    messages = find_protocol("scribe").vocabulary.message
    with pytest.raises(TypeError, match=r"^the sender of \w+ is not known: it has no field 'sender'"):
        speakers(messages)
    assert speakers(messages, dict.fromkeys(messages.__args__, anyone)) == dict.fromkeys(messages.__args__, anyone)


def sent(paths):
    """The messages of traces: protocol, parameters, roles, sender, receiver and message."""
    for path in paths:
        with open_trace(path) as reader:
            head = reader.header
            for step in reader.steps():
                for one in step.sent if isinstance(step.sent, list) else ():
                    yield reader.protocol, head.parameters, head.roles, step.node, one.to, one.message


@cache
def golden(name):
    """What was sent in the golden traces of a protocol that hold, each message once for its sender and receiver."""
    return [*{one[3:]: one for one in sent(sorted((TRACES / name).glob("*.ok.jsonl")))}.values()]


def spec_allows(protocol, roles, sender, to, message):
    speaker = protocol.vocabulary.speakers.get(type(message))
    return speaker is None or speaker(sender, roles.get(sender, ""), to, message)


def impl_allows(protocol, parameters, roles, sender, to, message):
    made = implementation(protocol.name)
    made = made if made.configured is None or not parameters else made.configured(parameters)
    read = made.decode(msgspec.json.encode(message))
    word = made.words[type(read)]
    return word.is_of(sender, roles.get(sender), to, read)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_both_tables_have_every_kind_of_message(name):
    vocabulary = find_protocol(name).vocabulary
    kinds = {kind.__struct_config__.tag for kind in vocabulary.message.__args__}
    assert {kind.__struct_config__.tag for kind in vocabulary.speakers} == kinds
    assert {kind.__struct_config__.tag for kind in implementation(name).words} == kinds


@pytest.mark.parametrize("name", PROTOCOLS)
def test_both_tables_admit_the_same_senders_and_golden_traces_have_no_other(name):
    random = Random(name)
    every = golden(name)
    verdicts = Counter()
    for protocol, parameters, roles, sender, to, message in random.sample(every, min(len(every), 300)):
        assert spec_allows(protocol, roles, sender, to, message), (sender, to, message)
        for other in (sender, STRANGER, *random.sample(sorted(roles), min(len(roles), 3))):
            if other != to:
                verdict = spec_allows(protocol, roles, other, to, message)
                verdicts[verdict] += 1
                assert impl_allows(protocol, parameters, roles, other, to, message) == verdict, (other, to, message)
    assert min(verdicts.values()) > 10
    assert len(verdicts) == 2


def walked(instance, random, steps, starts=40):
    """Messages that nodes send on random walks through an instance: roles, sender, receiver and message."""
    model = bounded_model(instance)
    roles = {name: role for name, role, _ in instance.locals}
    for start in islice(model.initial(), 0, starts, 29):
        world = start
        for _ in range(steps):
            acts = model.enabled(world)
            if not acts:
                break
            act = random.choice(acts)
            outcome = instance.protocol.actor.react(act.node, world.states()[act.node], act.input, act.choice)
            yield from ((roles, act.node, send.target, send.message) for send in outcome.sends)
            world = model.step(world, act)


def models(name):
    pinned = import_module(f"gomboc.spec.protocols.{name}.models").MODELS
    return [one.model for one in pinned if isinstance(one.model, Instance) and one.variant is None]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_no_step_of_an_explored_model_sends_what_the_table_forbids(name):
    assert forbidden_in_models(name, steps=6)[1] == 0


def forbidden_in_models(name, steps, starts=40):
    """The number of messages, and that of forbidden ones."""
    counts = Counter(
        spec_allows(model.protocol, *one) for model in models(name) for one in walked(model, Random(1), steps, starts)
    )
    return sum(counts.values()), counts[False]


def forbidden_in_runs(name, traces, *options):
    """The same of simulated runs."""
    with TemporaryDirectory() as folder:
        words = ("--nodes", "2..6", "--traces", f"{traces}", "--output", f"{folder}/runs", *options)
        assert gomboc("simulate", name, *words).code == 0
        paths = sorted(Path(folder).rglob("*.jsonl"))
        counts = Counter(spec_allows(protocol, *one) for protocol, _, *one in sent(paths))
    return sum(counts.values()), counts[False]


def test_a_printed_rule_that_sends_back_towards_the_source_is_noticed():
    """Of the printed rules of brokers, one sends copies in any direction."""
    pinned = {one.name: one.model for one in import_module("gomboc.spec.protocols.delta_fault_tolerance.models").MODELS}
    model = pinned["any_direction"]
    wrong = [one for one in walked(model, Random(1), 30) if not spec_allows(model.protocol, *one)]
    assert [(sender, message.id[0]) for _, sender, to, message in wrong] == [("0.1", "0")]


if __name__ == "__main__":
    for each in sys.argv[1:] or PROTOCOLS:
        print(each, "models", *forbidden_in_models(each, 60, 20_000), "runs", *forbidden_in_runs(each, 60, "--disturb"))
