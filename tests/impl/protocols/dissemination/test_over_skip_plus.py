"""Skip+ and, on it, dissemination: both traces hold, they join, and no node ever loses a publication."""

import io
from functools import cache
from itertools import takewhile
from pathlib import Path
from random import Random

import msgspec

from gomboc.checker.judge.layers import LayerTrace, Link, join
from gomboc.checker.judge.naive import Options as Judging
from gomboc.checker.judge.naive import judge
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.checker.traces.trace import TraceReader
from gomboc.impl.api.recorder import lines
from gomboc.impl.api.registry import implementation
from gomboc.impl.publishing.publication import held
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.layers import stacked
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from tests.impl.protocols.skip_plus.systems import ALONE, OUTSIDE, drawn, line, obey, outside, state_of
from tests.impl.system import assert_holds

LINKS = [Link("lower", "upper", {"kind": kind}, {"kind": kind}) for kind in ("Moved", "Stayed")]
CRASH = {"kind": "Crash"}
BELOW, ABOVE = {"synchronous": True, "layered": True}, {"key_bits": 32}
PERIODS = 50


def header(protocol, parameters, role, states):
    roles = dict.fromkeys(states, role)
    start = {"format": "gomboc-trace", "version": 1, "protocol": protocol, "parameters": parameters, "roles": roles}
    return {**start, "states": states, "messages": [], "origin": {"implementation": protocol}}


class Layers:
    """Six nodes, and two outside: a line at first; some leave, crash and come, and all publish."""

    def __init__(self, seed):
        random = Random(seed)
        names = drawn(8, 6, random)
        outside = names[3::4]
        live = [name for name in names if name not in outside]
        below = dict.fromkeys(outside, OUTSIDE) | line(random.sample(live, len(live)))
        above = {name: {"live": name in live, "neighbours": []} for name in names}
        commands = {"lower": [], "upper": []}

        def command(layer, at, name, kind, **more):
            commands[layer].append(TimedCommand(at, name, {"kind": kind, **more}))

        def both(at, name, lower, upper, **more):
            command("lower", at, name, lower, **more)
            command("upper", at, name, upper)

        leaving, crashing = random.sample(live, 2)
        staying = [name for name in live if name not in (leaving, crashing)]
        for number, name in enumerate([*live, *staying]):
            command("upper", 1 + 2 * number, name, "Issue", number=number, payload=str(number))
        both(20, leaving, "Leave", "Unsubscribe")
        command("lower", 25, crashing, "Crash")
        for at, name in zip((10, 30), outside, strict=True):
            both(at, name, "Join", "Subscribe", contact=staying[0])
        self.at_the_end, self.payloads = {*staying, *outside}, {*map(str, range(len(live) + len(staying)))}
        self.headers = {
            "lower": header("skip_plus", BELOW, "node", below),
            "upper": header("dissemination", ABOVE, "member", above),
        }
        tested = {"lower": implementation("skip_plus").configured(BELOW)}
        tested["upper"] = implementation("dissemination").configured(ABOVE)
        orders = {"lower": Discipline.ROUNDS, "upper": Discipline.UNORDERED}
        run = {
            layer: Simulation(
                self.headers[layer], tested[layer], seed, Conditions(commands=tuple(commands[layer]), discipline=order)
            )
            for layer, order in orders.items()
        }
        running = stacked(
            run,
            lambda layer, told: [("upper", msgspec.to_builtins(told))] if layer == "lower" else [],
            lambda layer, took: [("upper", CRASH)] if (layer, msgspec.to_builtins(took)) == ("lower", CRASH) else [],
        )
        steps = [*takewhile(lambda _: run["lower"].now < PERIODS, running)]
        self.steps = {layer: [step for name, step in steps if name == layer] for layer in orders}

    def read(self, layer):
        written = b"".join(lines(self.headers[layer], self.steps[layer]))
        return TraceReader(Path(layer), io.BytesIO(written))

    def joined(self, links=LINKS, **fewer):
        """The verdict on both layers, the last steps of one left out."""
        traces = []
        for layer in self.steps:
            reader = self.read(layer)
            steps = [*reader.steps()][: fewer.get(layer)]
            traces.append(LayerTrace(layer, reader.protocol, reader.header, steps, ("Crash",)))
        return join(traces, links).verdict


layers = cache(Layers)


def test_both_layers_hold_and_join_and_no_node_lacks_a_publication_in_the_end():
    there = layers(0)
    for layer in ("lower", "upper"):
        assert_holds(judge(there.read(layer), Judging()))
    assert isinstance(there.joined(), Holds)
    last = {step.node: step.state for step in there.steps["upper"]}
    for name in there.at_the_end:
        assert {publication.payload for publication in held(last[name])} == there.payloads


def test_a_layer_that_is_told_otherwise_does_not_join():
    there = layers(0)
    assert isinstance(there.joined(lower=-20), Violated)
    assert isinstance(there.joined(upper=-20), Violated)
    assert isinstance(there.joined(LINKS[:1]), Holds)
    assert isinstance(there.joined([]), Unknown)


def test_a_node_that_joins_without_a_contact_is_live_and_alone():
    core = outside("00:01")
    assert obey(core, kind="Join") == []
    assert state_of(core) == ALONE
