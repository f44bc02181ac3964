"""Whole trees in the simulator: mended after crashes, from any state, and no publication lost or delivered twice."""

from itertools import islice
from random import Random
from unittest.mock import ANY

import msgspec
import pytest

from gomboc.impl.core.automaton import Received, Send, Timeout
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.vocabulary import Suspect
from gomboc.impl.protocols.scribe import IMPLEMENTATION
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.failures import Budget
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from tests.impl.protocols.scribe.moving import Outcome, moved
from tests.impl.protocols.scribe.trees import Tree, faults, publication
from tests.sampling import share

SWITCH = {"high": 4, "low": 2}
PARAMETERS = [{}, {"keep": 2, "chunk": 1}, SWITCH]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
@pytest.mark.parametrize("seed", range(share(12, part=2, least=1)))
def test_from_any_state_the_tree_is_that_of_the_wishes_and_routes(seed, parameters):
    tree = Tree(2 + seed, seed, **parameters)
    # Where a message names one key of 20, a leaver waits so much longer.
    tree.run(120 if "chunk" in parameters else 40)
    assert faults(tree) == []


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
@pytest.mark.parametrize("seed", range(share(8, part=2, least=1)))
def test_after_crashes_it_is_again_and_every_publication_of_a_live_subscriber_is_delivered_once(seed, parameters):
    tree = Tree(12, seed, corrupted=False, **parameters)
    tree.run(10)
    wanting = [name for name, state in tree.states().items() if state["wants"]]
    published = []
    for number in range(24):
        if number in (8, 12):
            tree.crash(next(iter(tree.random.sample(sorted(tree.alive - {*wanting}) or wanting, 1))))
        publisher = tree.random.choice([name for name in wanting if name in tree.alive])
        tree.command(publisher, "Issue", number=number, payload="x")
        published.append((publisher, number))
        tree.run(tree.random.expovariate(1.0))
    tree.run(40)
    assert faults(tree) == []
    for name in set(wanting) & tree.alive:
        expected = {one for one in published if one[0] in tree.alive or tree.deliveries[name][one]}
        if "keep" in tree.parameters:
            assert max(tree.deliveries[name].values()) == 1
        else:
            assert tree.deliveries[name] == dict.fromkeys(expected, 1)


@pytest.mark.parametrize("seed", range(share(8, part=2, least=1)))
def test_a_publisher_outside_the_tree_is_heard_by_every_subscriber(seed):
    tree = Tree(9, seed, corrupted=False)
    tree.run(10)
    wanting = [name for name, state in tree.states().items() if state["wants"]]
    outside = next(name for name in tree.names if name not in wanting)
    tree.command(outside, "Issue", number=7, payload="x")
    tree.run(20)
    assert [dict(tree.deliveries[name]) for name in wanting] == [{(outside, 7): 1}] * len(wanting)
    assert faults(tree) == []


@pytest.mark.parametrize("seed", range(share(8, part=2, least=1)))
def test_leavers_hand_over_and_in_the_end_the_owner_alone_holds_all(seed):
    tree = Tree(9, seed, corrupted=False)
    tree.run(10)
    wanting = [name for name, state in tree.states().items() if state["wants"]]
    for number, name in enumerate(wanting):
        tree.command(name, "Issue", number=number, payload="x")
        tree.command(name, "Unsubscribe")
    tree.command("n8", "Subscribe")
    tree.run(30)
    assert len(tree.deliveries["n8"]) == len({*wanting, "n8"}) - ("n8" not in wanting)
    tree.command("n8", "Unsubscribe")
    tree.run(30)
    held = {name: len(state["publications"]) for name, state in tree.states().items() if "publications" in state}
    assert held == {name: len(wanting) for name, hop in tree.routes.items() if name == hop}
    assert [state for state in tree.states().values() if state.keys() & {"parent", "children", "pending"}] == []


@pytest.mark.parametrize("parameters", [{}, SWITCH], ids=str)
@pytest.mark.parametrize("seed", [2, 12, 24])
def test_nothing_that_a_live_node_of_the_tree_held_is_lost_while_all_routes_move(seed, parameters):
    assert moved(seed, parameters) == Outcome(0, 0, 0, 0, switched=ANY)


@pytest.mark.parametrize("seed", range(6))
def test_with_retention_the_memory_of_a_node_is_bounded_whatever_is_published(seed):
    tree = Tree(6, seed, corrupted=False, keep=3)
    for number in range(60):
        tree.command(tree.random.choice(tree.names), "Issue", number=number, payload="x")
        tree.run(0.2)
    tree.run(20)
    for state in tree.states().values():
        assert len(state.get("publications", [])) <= 3 * len(tree.names)
        assert len(state.get("delivered", [])) <= 3 * len(tree.names)


def test_no_message_that_was_changed_by_chance_raises_anything_but_the_error_of_a_peer():
    tree, random, read = Tree(5, 1, **SWITCH), Random(1), 0
    for _ in range(12_000):
        written = bytearray(msgspec.json.encode(tree.message()["message"]))
        for _ in range(random.randrange(3)):
            written[random.randrange(len(written))] = random.choice(b'0123456789{}[]",:xn')
        try:
            message = tree.tested.decode(bytes(written))
        except PeerError:
            continue
        read += 1
        core = tree.running._cores[random.choice(tree.names)]
        core.handle(0.0, Received(message))
        core.handle(0.0, Timeout())
        tree.tested.make("node", "n0", msgspec.json.decode(core.snapshot()), random)
    assert 2_000 < read < 11_000


def test_a_detector_tells_the_node_that_has_sent_a_crashed_one_a_message_and_no_other():
    states = {name: {"wants": name != "b", "next": "a"} for name in "abc"}
    header = {"protocol": "scribe", "roles": dict.fromkeys(states, "node"), "states": states, "messages": []}
    crash = TimedCommand(0.0, "a", {"kind": "Crash"})
    running = Simulation(header, IMPLEMENTATION, 1, Conditions(commands=(crash,), failures=Budget(detection=0.5)))
    told = {step.node for step in islice(running.steps(), 60) if isinstance(step.took, Suspect)}
    assert told == {"c"}


def test_a_node_that_begins_wants_nothing_and_knows_no_way():
    assert IMPLEMENTATION.blank == {"node": {"wants": False, "next": None}}


def test_a_publication_that_the_owner_has_taken_for_a_subscriber_on_its_way_is_kept():
    made = IMPLEMENTATION.configured({"key_bits": 24})
    core = made.make("node", "o", {"wants": False, "next": "o", "children": [["c", 1]]}, Random(1))
    one = publication("x", 1)
    core.handle(0.0, Received(made.decode(msgspec.json.encode({"kind": "Submit", "publication": one}))))
    assert msgspec.json.decode(core.snapshot())["publications"] == [one]


@pytest.mark.parametrize("kind", ["Request", "Publish"])
def test_no_message_brings_a_neighbour_more_than_one_of_64_kib(kind):
    payload = "x" * 4_000
    items = sorted([key_of("b", number, payload, 32), "b", number, payload, "b"] for number in range(64))
    here = {"wants": True, "next": "m", "children": [["c", 1]]}
    taken = {"kind": "Publish", "sender": "b", "publications": items}
    if kind == "Request":
        here |= {"publications": items, "delivered": [["b", number] for number in range(64)]}
        taken = {"kind": "Request", "sender": "c", "keys": [key for key, *_ in items]}
    core = IMPLEMENTATION.make("node", "m", here, Random(1))
    outputs = core.handle(0.0, Received(IMPLEMENTATION.decode(msgspec.json.encode(taken))))
    sizes = [len(msgspec.json.encode(output.message)) for output in outputs if isinstance(output, Send)]
    assert len(sizes) == 1
    assert 40_000 < sizes[0] < 64 * 1024


def pair(held, chunk, **changed):
    """An owner and its child that both hold so many publications, as a simulation; `changed` is of the owner o or c."""
    items = sorted(publication("x", number) for number in range(held))
    both = {"wants": True, "publications": items, "delivered": [["x", number] for number in range(held)]}
    states = {
        "o": {**both, "next": "o", "children": [["c", 1]], **changed.get("o", {})},
        "c": {**both, "next": "o", "parent": "o", **changed.get("c", {})},
    }
    header = {"protocol": "scribe", "roles": dict.fromkeys(states, "node"), "states": states, "messages": []}
    made = IMPLEMENTATION.configured({"key_bits": 24, "chunk": chunk})
    return Simulation(header, made, 1, Conditions())


def steps(running, periods):
    while running.next_at < periods:
        yield running.step()


def test_a_period_at_rest_costs_the_same_however_much_is_held():
    sizes = [
        [len(msgspec.json.encode(sent.message)) for step in steps(pair(held, 4), 24) for sent in step.sent]
        for held in (4, 24, 240)
    ]
    assert sizes[0] == sizes[1] == sizes[2]
    assert max(sizes[0]) < 200


@pytest.mark.parametrize("told", range(0, 20, 3))
def test_a_gap_is_closed_within_one_more_period_than_all_keys_take_wherever_the_holder_is(told):
    items = sorted(publication("x", number) for number in range(20))
    for missing in range(0, 20, 2):
        rest = [item for item in items if item != items[missing]]
        running = pair(20, 2, o={"told": items[told][0]}, c={"publications": rest, "delivered": []})
        assert [
            step
            for step in steps(running, 20 / 2 + 2)
            if [*map(msgspec.to_builtins, step.delivered)] == [items[missing]]
        ]


def test_a_leaver_of_many_publications_leaves_after_as_many_periods_as_its_next_hop_takes_to_name_all():
    running = pair(20, 2, c={"wants": False})
    left = [
        running.now
        for step in steps(running, 40)
        if step.node == "c" and "publications" not in msgspec.json.decode(step.state)
    ]
    assert 20 / 2 - 1 < left[0] < 20 / 2 + 2
