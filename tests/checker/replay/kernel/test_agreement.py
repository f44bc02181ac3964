"""The heart: the factored judge agrees with the naive judge, on true traces and on all others.

Source: traces/README.md, Conformance; checker/README.md, Factored replay
"""

import json
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT, Options, find_variant
from gomboc.checker.replay.kernel.frames import batch
from gomboc.checker.simulate.plan import Plan, PlannedCommand
from gomboc.impl.api.registry import implementations
from gomboc.spec.core.protocol import configured, whole
from gomboc.spec.core.registry import find_protocol, protocol_names
from tests.checker.replay.kernel.mutilation import KINDS
from tests.checker.replay.kernel.packed import agree, compared, factored, known
from tests.checker.replay.kernel.stating import STATING
from tests.checker.replay.kernel.telling import PROTOCOLS, crowded, deferring, honest_trace, some_trace, wandering
from tests.checker.replay.run.corpora import recorded
from tests.copying import copied
from tests.sampling import THOROUGH, share
from tests.toys.words import spec as toy

pytestmark = pytest.mark.long

TOYS = (*PROTOCOLS, crowded(PROTOCOLS[0]), deferring(PROTOCOLS[0]), wandering(PROTOCOLS[0]))
GOLDEN = sorted((Path(__file__).parents[4] / "traces").rglob("*.jsonl"))
seeds = st.integers(0, 2**32)
few_seeds = st.lists(seeds, min_size=1, max_size=4)
RUNS, ALONE = (12, 1) if THOROUGH else (4, 3)
"""Runs for each kind of mutilation; of so many golden traces, one is judged alone."""

limits = st.builds(Options, st.none(), st.sampled_from([None, None, 0, 2]), st.sampled_from([None, None, 1, 7]))


def name_of(protocol):
    return protocol.name


def mutilated(lines, random):
    """The lines after up to three mutilations."""
    lines = copied(lines)
    for kind in random.choices(KINDS, k=random.choice((0, 1, 1, 1, 2, 3))):
        kind(lines, random)
    return toy.written(*lines)


@pytest.mark.parametrize("protocol", TOYS, ids=name_of)
@given(few_seeds, limits)
@settings(max_examples=share(60))
def test_on_traces_in_which_anything_may_stand(protocol, seeds, options):
    agree(protocol, [toy.written(*some_trace(protocol, Random(seed))) for seed in seeds], options)


@pytest.mark.parametrize("protocol", [*TOYS, *STATING], ids=name_of)
@given(few_seeds, limits)
@settings(max_examples=share(60))
def test_on_runs_of_toys_mutilated_or_not(protocol, seeds, options):
    commands, randoms = 0.15 if protocol in STATING else 0.02, map(Random, seeds)
    agree(protocol, [mutilated(honest_trace(protocol, random, 30, commands), random) for random in randoms], options)


@pytest.mark.parametrize("protocol", STATING, ids=name_of)
@given(few_seeds, limits)
@example([9742], Options(None, None, None))  # a quiet command at an unknown node, which changes nothing
@settings(max_examples=share(30))
def test_on_traces_of_toys_that_state_more_in_which_anything_may_stand(protocol, seeds, options):
    agree(protocol, [toy.written(*some_trace(protocol, Random(seed))) for seed in seeds], options)


DECIDING = [entry for entry in STATING if entry.legitimacy.share is whole or entry.promises.always]


@pytest.mark.parametrize("protocol", DECIDING, ids=name_of)
def test_further_declarations_of_toys_decide_verdicts(protocol):
    """Each statement is seen to matter: without it, verdicts are others. Shares change none, they save questions."""
    silent = replace(TOYS[0], discipline=protocol.discipline, name=protocol.name)
    runs = (toy.written(*honest_trace(protocol, Random(seed), 40, 0.1)) for seed in range(60))
    few_at_once = iter(lambda: list(islice(runs, 6)), [])
    assert any(agree(protocol, traces) != agree(silent, traces) for traces in few_at_once)


def echoing(random, echo):
    """A run of the toy with a parameter."""
    head, *steps = honest_trace(configured(toy.ECHO, {"echo": echo}), random, 30)
    return [{**head, "parameters": {"echo": echo}}, *steps]


@pytest.mark.parametrize("echo", [True, False])
@given(few_seeds, limits)
@settings(max_examples=share(30))
def test_on_runs_of_a_toy_with_a_parameter_mutilated_or_not(echo, seeds, options):
    randoms = map(Random, seeds)
    agree(toy.ECHO, [mutilated(echoing(random, echo), random) for random in randoms], options, {"echo": echo})


def refusing(me, local, taken, choice):
    """The toy, but that a timeout is refused if its coin says to speak twice."""
    if choice.name == "twice":
        raise ValueError("not twice")
    return toy.react(me, local, taken, choice)


@pytest.mark.parametrize(("coin", "wanted"), [(None, "violated"), ("silent", "holds"), ("twice", "violated")])
def test_an_input_that_is_refused_for_one_result_of_its_coins_is_refused(coin, wanted):
    protocol = TOYS[0].changed(react=refusing)
    named = {} if coin is None else {"coin": coin}
    (result,) = agree(protocol, [toy.written(toy.header(), toy.rests("a", **named))])
    assert result["conformance"] == wanted


def test_a_parameter_decides_the_verdicts_of_both_judges():
    traces = [toy.written(*echoing(Random(seed), True)) for seed in range(20)]
    silenced = [trace.replace(b'"echo":true', b'"echo":false') for trace in traces]
    right, wrong = (
        agree(toy.ECHO, traces, parameters={"echo": True}),
        agree(toy.ECHO, silenced, parameters={"echo": False}),
    )
    assert "hear" not in {row["rule"] for row in right}
    assert "hear" in {row["rule"] for row in wrong}


def test_a_trace_with_other_parameters_than_its_pack_is_refused():
    traces = [toy.written(*echoing(Random(0), echo)) for echo in (True, False)]
    with known(toy.ECHO), pytest.raises(UsageError) as refused:
        factored(configured(toy.ECHO, {"echo": True}), traces)
    assert str(refused.value) == "trace '1': its header says something else than its columns"


def agreed(protocol, wanted, *batches):
    """The number of rows of those batches, which are the wanted ones; no row is for a trace to be judged naively."""
    rows = [compared(row) for batch in batches for row in factored(protocol, batch)]
    assert rows == [row and other for row, other in zip(rows, wanted, strict=True)]
    return len(rows) - rows.count(None)


@pytest.mark.parametrize("protocol", TOYS, ids=name_of)
def test_on_many_traces_in_blocks_of_any_size(protocol, monkeypatch):
    traces = [toy.written(*some_trace(protocol, Random(seed))) for seed in range(share(100))]
    traces += [mutilated(honest_trace(protocol, Random(seed), 40), Random(seed)) for seed in range(share(100))]
    wanted = agree(protocol, traces)
    for size in (1, 90):
        monkeypatch.setattr(batch, "BLOCK_EVENTS", size)
        with known(protocol):
            assert agreed(protocol, wanted, traces) >= len(traces) // 2


@cache
def simulated(name, index):
    """A run of the implementation, as JSON values; of the specification, as long as there is none."""
    commands = (PlannedCommand(3.0, "v1", "Unsubscribe"), PlannedCommand(7.5, "v1", "Subscribe")) if index % 2 else ()
    start = "legitimate" if index % 3 == 2 else "arbitrary"
    alone = name not in {implementation.protocol for implementation in implementations().values()}
    more = {"from_spec": alone, "start": start, "commands": commands if name == "skip_ring" else ()}
    return recorded(Plan(name, name, (1, 2, 3, 4), 12, seed=5, rounds=14, settle=3, **more), index)


@pytest.mark.parametrize("name", protocol_names())
@given(few_seeds, limits)
@settings(max_examples=share(120))
def test_on_runs_of_the_implementation_mutilated_or_not(name, seeds, options):
    traces = [mutilated(simulated(name, random.randrange(12)), random) for random in map(Random, seeds)]
    agree(find_protocol(name), traces, options)


PARAMETERS = {"key_bits": 6, "chunk": 2, "keep": 3}


@cache
def publishing(index):
    """A run that publishes and is disturbed, as JSON values: members come and go, so the first recorded one changes."""
    more = {"publications": 6, "disturb": True, "parameters": PARAMETERS}
    return recorded(Plan("skip_ring", "skip_ring", (1, 2, 3), 9, seed=8, rounds=40, settle=2, **more), index)


@given(few_seeds, limits)
@example([10_067], DEFAULT)  # A claim with label and node exchanged, in whose state the specification cannot go on.
@settings(max_examples=share(20))
def test_on_runs_that_publish_and_are_disturbed_mutilated_or_not(seeds, options):
    traces = [mutilated(publishing(random.randrange(9)), random) for random in map(Random, seeds)]
    agree(find_protocol("skip_ring"), traces, options, PARAMETERS)


def test_the_runs_that_publish_move_the_anchor_and_hold():
    traces = [publishing(index) for index in range(9)]
    rows = agree(find_protocol("skip_ring"), [toy.written(*lines) for lines in traces], parameters=PARAMETERS)
    assert {row["verdict"] for row in rows} == {"holds"}
    recorded = {tuple(sorted(map(tuple, line["state"].get("database", ())))) for lines in traces for line in lines[1:]}
    assert len({node for database in recorded for label, node in database if label == "0"} - {None}) == 3


@pytest.mark.parametrize("name", protocol_names())
def test_on_each_kind_of_mutilation(name):
    traces = []
    for kind, index in product(KINDS, range(RUNS)):
        lines = copied(simulated(name, index))
        kind(lines, Random(index))
        traces.append(toy.written(*lines))
    agree(find_protocol(name), traces)


@cache
def disturbed(index, synchronous):
    """A run of Skip+ in which nodes join, leave and crash, and some are known that are gone, as JSON values."""
    more = {"disturb": True, "outside": 2, "parameters": {"synchronous": synchronous}}
    return recorded(Plan("skip_plus", "skip_plus", (2, 3), 6, seed=8, rounds=40, settle=2, **more), index)


@pytest.mark.parametrize("synchronous", [True, False])
@given(few_seeds, limits)
@settings(max_examples=share(15))
def test_on_runs_in_which_nodes_come_and_go_mutilated_or_not(synchronous, seeds, options):
    traces = [mutilated(disturbed(random.randrange(6), synchronous), random) for random in map(Random, seeds)]
    agree(find_protocol("skip_plus"), traces, options, {"synchronous": synchronous})


def golden(name):
    """The golden traces of a protocol, those with the same parameters together."""
    together = {}
    for path in GOLDEN:
        if path.parent.name == name:
            trace = path.read_bytes()
            parameters = json.loads(trace.split(b"\n", 1)[0])["parameters"]
            together.setdefault(json.dumps(parameters), (parameters, []))[1].append(trace)
    return together.values()


def test_on_the_golden_traces_all_at_once_and_one_by_one():
    for protocol in map(find_protocol, protocol_names()):
        for parameters, traces in golden(protocol.name):
            together = agree(protocol, traces, parameters=parameters)
            alone = [[trace] for trace in traces[::ALONE]]
            assert agreed(configured(protocol, parameters), together[::ALONE], *alone) >= len(alone) // 2


@pytest.mark.parametrize(
    ("name", "printed"), [("skip_ring", "printed_linearize"), ("skip_plus", "printed_introduction")]
)
def test_on_a_rule_as_printed(name, printed):
    for parameters, traces in golden(name):
        agree(find_variant(name, printed, parameters), traces, Options(printed), parameters)
