"""Mutilated traces: the judge refuses each one at the step that is wrong, unless it is true in spite of everything.

Whether a mutilated trace is true is decided without the judge and without the specification: its steps are taken again,
one by one, by the implementation, each from the state and with the message that the trace itself claims, and a step is
true if the implementation can answer exactly that. The rest, the network, is a set of ids; and no value names a node
that is not in the trace.
"""

import io
import json
import re
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import Phase, assume, find, given, settings
from hypothesis import strategies as st

from gomboc.checker.judge import conformance
from gomboc.checker.judge.naive import Options, judge
from gomboc.checker.judge.verdict import Violated
from gomboc.checker.simulate.plan import Plan, header
from gomboc.checker.traces.trace import TraceReader
from gomboc.impl.api.recorder import lines
from gomboc.impl.core.automaton import Commanded, Received, Send, Timeout, Traced
from gomboc.impl.core.errors import PeerError, UsageError
from gomboc.impl.core.vocabulary import plain
from gomboc.impl.protocols.skip_ring import IMPLEMENTATION
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring import PROTOCOL
from tests.checker.replay.kernel import mutilation
from tests.checker.replay.kernel.packed import readable
from tests.copying import copied
from tests.sampling import share

LONGEST = 40
NAME = re.compile(r"supervisor|v[0-9]+")


def read(raw):
    return [json.loads(line) for line in raw]


@cache
def simulated(nodes, seed):
    """An honest run as JSON values: the header, then LONGEST steps; one application changes its mind twice."""
    plan = Plan("skip_ring", "skip_ring", (nodes,), 1, seed)
    commands = (TimedCommand(1.0, "v1", {"kind": "Unsubscribe"}), TimedCommand(2.5, "v1", {"kind": "Subscribe"}))
    head = header(plan, 0)
    run = Simulation(head, IMPLEMENTATION, seed, Conditions(commands=commands if seed % 2 else ()))
    return read(lines(head, islice(run.steps(), LONGEST)))


honest_traces = st.builds(
    lambda nodes, seed, length: copied(simulated(nodes, seed)[: length + 1]),
    st.integers(1, 3),
    st.integers(0, 11),
    st.integers(1, LONGEST),
)

randoms = st.integers(0, 2**32).map(Random)


def written(trace):
    return "".join(json.dumps(line) + "\n" for line in trace).encode()


def is_readable(trace):
    """Whether it is a trace at all: a state of another role cannot even be read."""
    return readable(written(trace))


def first_wrong_step(trace):
    """The step at which the judge finds that the trace does not conform; None if it does."""
    verdict = judge(TraceReader(Path("a trace"), io.BytesIO(written(trace))), Options()).conformance
    return verdict.step if isinstance(verdict, Violated) else None


class Loaded:
    """A coin that falls on one side."""

    def __init__(self, number):
        self._number = number

    def random(self):
        return self._number


COINS = (Loaded(0.0), Loaded(0.9999))


def answers(role, node, state, took, message):
    """The possible answers of the implementation, one for each side of its coin: (state, sends, coin)."""
    for coin in COINS:
        try:
            core = IMPLEMENTATION.make(role, node, state, coin)
            outputs = core.handle(0.0, given_to(took, message))
        except (PeerError, UsageError):
            return
        said = [output.coin for output in outputs if isinstance(output, Traced)]
        sends = [(output.to, msgspec.to_builtins(output.message)) for output in outputs if isinstance(output, Send)]
        yield msgspec.json.decode(core.snapshot()), multiset(sends), said[0] if said else None


def given_to(took, message):
    if took == "timeout":
        return Timeout()
    if isinstance(took, dict):
        return Commanded(IMPLEMENTATION.decode_command(json.dumps(took).encode()))
    return Received(IMPLEMENTATION.decode(json.dumps(message).encode()))


def multiset(sends):
    return Counter((to, json.dumps(message, sort_keys=True)) for to, message in sends)


def names_in(value):
    """Every node that a value names: here no other text looks like a name."""
    match value:
        case str():
            return {value} if NAME.fullmatch(value) else set()
        case dict() | list():
            return set().union(*map(names_in, value.values() if isinstance(value, dict) else value))
    return set()


def first_untrue_step(trace):
    """The first step that did not happen; None if each could have happened. 0 stands for the start."""
    roles, states = trace[0]["roles"], dict(trace[0]["states"])
    in_flight, given_ids = {}, set()

    def put(messages):
        numbers = [entry["id"] for entry in messages]
        fresh = len({*numbers}) == len(numbers) and given_ids.isdisjoint(numbers)
        given_ids.update(numbers)
        in_flight.update((entry["id"], entry) for entry in messages)
        return fresh and all(entry["to"] in roles for entry in messages)

    if not put(trace[0]["messages"]) or not names_in([states, trace[0]["messages"]]) <= roles.keys():
        return 0
    for number, step in enumerate(trace[1:], 1):
        node, took = step["node"], step["took"]
        if node not in roles or step.get("before", states[node]) != states[node]:
            return number
        if not names_in([step["state"], step["sent"]]) <= roles.keys():
            return number
        message = in_flight.pop(took, None) if isinstance(took, int) else None
        if isinstance(took, int) and (message is None or message["to"] != node):
            return number
        said = message and message["message"]
        if message is not None and step.get("received", said) != said:
            return number
        claimed = step["state"], multiset((entry["to"], entry["message"]) for entry in step["sent"])
        possible = answers(roles[node], node, states[node], took, said)
        said_coin = step.get("coin") if states[node].get("wants") else None
        if not put(step["sent"]) or step.get("delivered"):
            return number
        if not any(_same(claimed, said_coin, answer) for answer in possible):
            return number
        states[node] = step["state"]
    return None


def _same(claimed, said_coin, answer):
    """Whether it is this answer. A node that wants to leave tosses no coin: a trace's coin is ignored there."""
    state, sends, coin = answer
    return claimed == (state, sends) and (None in (coin, said_coin) or coin == said_coin)


def any_start(trace, random):
    """An arbitrary start of as many subscribers, with arbitrary messages in flight."""
    return sample(PROTOCOL.starts.space(Size(len(trace[0]["roles"]) - 1, 3)), random)


def take_any_state(trace, random):
    step = random.choice(trace[1:])
    step["state"] = plain(dict(any_start(trace, random).locals)[step["node"]])


def start_in_any_state(trace, random):
    node = random.choice(sorted(trace[0]["states"]))
    trace[0]["states"][node] = plain(dict(any_start(trace, random).locals)[node])


def start_with_anything_in_flight(trace, random):
    for to, message in any_start(trace, random).in_flight:
        number = random.randrange(60)
        trace[0]["messages"].append({"id": number, "to": to, "message": msgspec.to_builtins(message)})


def send_anything(trace, random):
    for number, (to, message) in enumerate(any_start(trace, random).in_flight, 1 + max(ids(trace), default=0)):
        sent = {"id": number, "to": to, "message": msgspec.to_builtins(message)}
        random.choice(trace[1:])["sent"].append(sent)


def ids(trace):
    return [entry["id"] for line in trace for entry in line.get("sent", line.get("messages", ()))]


MUTILATIONS = (*mutilation.KINDS, take_any_state, start_in_any_state, start_with_anything_in_flight, send_anything)


def check_a_mutilation(trace, mutilate, random):
    """Whether the mutilated trace is true, where the judge agrees; None if nothing was changed."""
    honest = copied(trace)
    mutilate(trace, random)
    assume(is_readable(trace))
    untrue = first_untrue_step(trace)
    assert first_wrong_step(trace) == untrue
    changed = next((n for n in range(len(trace)) if n >= len(honest) or trace[n] != honest[n]), None)
    assert untrue is None or untrue >= changed
    return None if trace == honest else untrue is None


@settings(max_examples=share(100))
@given(honest_traces, st.lists(st.sampled_from(MUTILATIONS), min_size=2, max_size=5), randoms)
def test_a_trace_mutilated_several_times_is_refused_at_its_first_step_that_did_not_happen(trace, several, random):
    for mutilate in several:
        assume(len(trace) > 1)
        mutilate(trace, random)
    assume(is_readable(trace))
    assert first_wrong_step(trace) == first_untrue_step(trace)


@settings(max_examples=share(100))
@given(honest_traces)
def test_an_honest_trace_is_true_and_found_so(trace):
    assert first_untrue_step(trace) is None
    assert first_wrong_step(trace) is None


ALWAYS_UNTRUE = (
    *(mutilation.leave_out_send, mutilation.send_again, send_anything, mutilation.hand_something_over),
    *(mutilation.take_it_twice, mutilation.start_with_a_message_to_no_node, mutilation.start_with_a_message_twice),
    *(mutilation.reverse_a_table, mutilation.deliver_what_it_sends),
)
ALWAYS_TRUE = (
    *(mutilation.bound_it, mutilation.spell_it_otherwise, mutilation.claim_it_in_another_spelling),
    mutilation.see_it_in_another_spelling,
)


@pytest.mark.parametrize("mutilate", MUTILATIONS)
def test_a_mutilated_trace_is_refused_at_its_first_step_that_did_not_happen(mutilate):
    """Each mutilation makes traces untrue, or never does: the test does not hold for want of anything to refuse."""
    result = Counter()

    @settings(max_examples=share(150), derandomize=True, database=None)
    @given(honest_traces, randoms)
    def look(trace, random):
        result[check_a_mutilation(trace, mutilate, random)] += 1

    look()
    assert (result[False] > 0) is (mutilate not in ALWAYS_TRUE)
    assert mutilate not in ALWAYS_UNTRUE or result[True] == 0


@settings(max_examples=share(150))
@given(honest_traces, st.data())
def test_adjacent_steps_of_two_nodes_commute_unless_one_sends_to_the_other(trace, data):
    assume(len(trace) > 2)
    number = data.draw(st.integers(1, len(trace) - 2), "step")
    one, other = trace[number], trace[number + 1]
    assume(one["node"] != other["node"])
    trace[number], trace[number + 1] = other, one
    delivers = other["took"] in [entry["id"] for entry in one["sent"]]
    assert first_wrong_step(trace) == (number if delivers else None)


@settings(max_examples=share(60))
@given(honest_traces, st.randoms(use_true_random=False))
def test_the_order_of_the_messages_sent_in_one_step_means_nothing(trace, random):
    for step in trace[1:]:
        random.shuffle(step["sent"])
    random.shuffle(trace[0]["messages"])
    assert first_wrong_step(trace) is None


@settings(max_examples=share(60))
@given(honest_traces, st.integers(0, 2**52), st.randoms(use_true_random=False))
def test_ids_are_names_and_nothing_more(trace, lowest, random):
    numbers = ids(trace)
    others = random.sample(range(lowest, lowest + 2 * len(numbers)), len(numbers))
    renamed = dict(zip(numbers, others, strict=True))
    for line in trace:
        for entry in line.get("sent", line.get("messages", ())):
            entry["id"] = renamed[entry["id"]]
        if isinstance(line.get("took"), int):
            line["took"] = renamed[line["took"]]
    assert first_wrong_step(trace) is None


@settings(max_examples=share(60))
@given(honest_traces, st.data())
def test_every_beginning_of_a_trace_conforms(trace, data):
    assert first_wrong_step(trace[: data.draw(st.integers(1, len(trace)), "lines")]) is None


def sends_are_not_compared(monkeypatch):
    monkeypatch.setattr(conformance.Conformance, "_compare_sends", lambda self, outcome, step: ())


def sends_are_compared_as_sets(monkeypatch):
    compare = conformance.Conformance._compare_sends

    def as_sets(self, outcome, step):
        once = {(entry.to, entry.message): entry for entry in step.sent}
        expected = msgspec.structs.replace(outcome, sends=tuple(dict.fromkeys(outcome.sends)))
        return compare(self, expected, msgspec.structs.replace(step, sent=list(once.values())))

    monkeypatch.setattr(conformance.Conformance, "_compare_sends", as_sets)


def nothing_extra_is_noticed(monkeypatch):
    compare = conformance.Conformance._compare_sends
    monkeypatch.setattr(
        conformance.Conformance,
        "_compare_sends",
        lambda *arguments: tuple(entry for entry in compare(*arguments) if entry.found is None),
    )


def states_are_not_compared(monkeypatch):
    monkeypatch.setattr(conformance, "_apart", lambda *arguments: ())


def ids_may_be_given_twice(monkeypatch):
    monkeypatch.setattr(conformance.Conformance, "_judge_sends", lambda self, *arguments: None)


def coins_are_ignored(monkeypatch):
    judge_outcome = conformance.Conformance._judge_outcome

    def without_coin(self, number, step):
        return judge_outcome(self, number, msgspec.structs.replace(step, coin=None))

    monkeypatch.setattr(conformance.Conformance, "_judge_outcome", without_coin)


@pytest.mark.parametrize(
    ("fault", "mutilate"),
    [
        (sends_are_not_compared, mutilation.leave_out_send),
        (sends_are_compared_as_sets, mutilation.send_again),
        (nothing_extra_is_noticed, send_anything),
        (states_are_not_compared, take_any_state),
        (ids_may_be_given_twice, mutilation.give_id_again),
        (coins_are_ignored, mutilation.toss_another_coin),
    ],
)
def test_a_fault_in_the_judge_is_found(monkeypatch, fault, mutilate):
    fault(monkeypatch)

    @settings(max_examples=200, derandomize=True, database=None, phases=[Phase.generate])
    @given(honest_traces, randoms)
    def look(trace, random):
        check_a_mutilation(trace, mutilate, random)

    with pytest.raises(AssertionError, match="first_wrong_step"):
        look()


def test_the_example_for_a_fault_in_the_judge_is_small(monkeypatch):
    sends_are_not_compared(monkeypatch)

    def is_missed(trace):
        sends = [sent for sent in (line["sent"] for line in trace[1:]) if sent]
        for sent in sends[:1]:
            del sent[0]
        return first_wrong_step(trace) != first_untrue_step(trace)

    smallest = find(honest_traces, is_missed, settings=settings(derandomize=True, database=None))
    assert len(smallest) <= 3
    assert len(smallest[0]["roles"]) == 2
