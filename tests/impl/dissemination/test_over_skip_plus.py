"""Skip+ and, on it, dissemination: both traces hold, they join, and no node ever loses a publication."""

import io
from functools import cache
from itertools import takewhile
from pathlib import Path
from random import Random

from gomboc.checker.judge.layers import joined
from gomboc.checker.judge.naive import Options as Judging
from gomboc.checker.judge.naive import judge
from gomboc.checker.judge.trace import TraceReader
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.impl.disciplines import Discipline
from gomboc.impl.layers import on
from gomboc.impl.publication import held
from gomboc.impl.recorder import lines
from gomboc.impl.registry import implementation
from gomboc.impl.simulator import Conditions, Simulation, TimedCommand
from tests.impl.skip_plus.systems import ALONE, OUTSIDE, drawn, line, obey, outside, state_of
from tests.impl.system import assert_holds

OF_APPLICATIONS = ("Subscribe", "Unsubscribe", "Issue", "Crash")
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
        both(25, crashing, "Crash", "Crash")
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
        steps = [*takewhile(lambda _: run["lower"].now < PERIODS, on(run["lower"], run["upper"]))]
        self.steps = {layer: [step for name, step in steps if name == layer] for layer in orders}

    def read(self, layer):
        written = b"".join(lines(self.headers[layer], self.steps[layer]))
        return TraceReader(Path(layer), io.BytesIO(written))


layers = cache(Layers)


def test_both_layers_hold_and_join_and_no_node_lacks_a_publication_in_the_end():
    there = layers(0)
    for layer in ("lower", "upper"):
        assert_holds(judge(there.read(layer), Judging()))
    lower, upper = (list(there.read(layer).steps()) for layer in ("lower", "upper"))
    assert isinstance(joined(lower, upper, OF_APPLICATIONS), Holds)
    last = {step.node: step.state for step in there.steps["upper"]}
    for name in there.at_the_end:
        assert {publication.payload for publication in held(last[name])} == there.payloads


def test_a_layer_that_is_told_otherwise_does_not_join():
    there = layers(0)
    lower, upper = (list(there.read(layer).steps()) for layer in ("lower", "upper"))
    assert isinstance(joined(lower[:-1], upper, OF_APPLICATIONS), Violated)
    assert isinstance(joined(lower, upper), Violated)


def test_a_node_that_joins_without_a_contact_is_live_and_alone():
    core = outside("00:01")
    assert obey(core, kind="Join") == []
    assert state_of(core) == ALONE
