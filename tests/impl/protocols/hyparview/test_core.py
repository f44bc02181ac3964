"""Whole systems in the simulator: connected views after joins and crashes, and broadcasts that reach every member."""

from itertools import product
from random import Random

import msgspec
import pytest

from gomboc.impl.core.automaton import Received, Timeout
from gomboc.impl.core.errors import PeerError
from tests.impl.protocols.hyparview.systems import System, one_sided, parts, publication
from tests.sampling import share


@pytest.mark.parametrize("within", [0, 10])
@pytest.mark.parametrize("seed", range(share(4, part=2, least=1)))
def test_after_joins_and_after_half_of_the_nodes_have_crashed_all_are_connected_by_mutual_links(seed, within):
    system = System(48, seed).joined(within)
    assert (parts(system.states()), one_sided(system.states())) == ([48], [])
    system.crash(0.5)
    system.run(20)
    states = system.states()
    assert (parts(states), one_sided(states)) == ([24], [])
    assert {node for state in states.values() for node in state.get("active", [])} <= system.alive


@pytest.mark.parametrize(("seed", "active"), [*product(range(3), (1, 2))])
def test_views_of_any_size_keep_within_it_and_their_links_become_mutual(seed, active):
    system = System(9, seed, active=active, passive=2, arwl=2, prwl=1).joined()
    for _ in range(20):
        system.run(1)
        for state in system.states().values():
            assert len(state.get("active", [])) + ("asked" in state) <= active
            assert len(state.get("passive", [])) <= 2


@pytest.mark.parametrize("seed", range(share(4, part=2, least=1)))
def test_a_broadcast_is_heard_by_every_member_once_also_by_those_that_join_later(seed):
    system = System(24, seed).joined()
    for number in range(10):
        system.spread(system.random.choice(system.names), number)
        system.run(0.5)
    system.run(20)
    heard = {frozenset(counted.items()) for counted in system.heard.values()}
    assert len(heard) == 1
    assert set(map(len, heard)) == {10}
    assert {times for counted in system.heard.values() for times in counted.values()} == {1}


@pytest.mark.parametrize("seed", range(share(4, part=2, least=1)))
def test_a_node_that_was_cut_off_gets_all_that_is_kept(seed):
    system = System(12, seed, chunk=2).joined()
    late = system.names[5]
    core = system.running._cores[late]
    holding = {**msgspec.json.decode(core.snapshot()), "held": []}
    for number in range(7):
        system.spread(system.names[number % 3], number)
        system.run(1)
    system.running._cores[late] = system.tested.make("node", late, holding, Random(seed))
    system.heard[late].clear()
    system.run(10)
    assert system.heard[late] == {(system.names[number % 3], number): 1 for number in range(7)}


@pytest.mark.parametrize("seed", range(3))
def test_with_retention_no_topic_holds_more_of_a_publisher(seed):
    system = System(8, seed, keep=2).joined()
    for number in range(40):
        system.spread(system.names[number % 2], number)
        system.run(0.3)
    system.run(10)
    held = [[item[1][1:3] for item in state["held"]] for state in system.states().values()]
    assert [sorted(numbers) for numbers in held] == [[[f"n000{n % 2}", n] for n in (36, 38, 37, 39)]] * 8


def test_what_is_forged_takes_no_memory_whatever_its_topic():
    system = System(2, 1).joined()
    core, before = system.running._cores["n0000"], system.states()["n0000"]
    for number in range(50):
        item = [f"topic{number}", [*publication("n0001", number)[:4], "else"]]
        written = msgspec.json.encode({"kind": "Broadcast", "sender": "n0001", "item": item})
        core.handle(0.0, Received(system.tested.decode(written)))
    assert (system.states()["n0000"], core._holdings._stores) == (before, {})


def test_no_message_that_was_changed_by_chance_raises_anything_but_the_error_of_a_peer():
    system, random, read = System(6, 1).joined(), Random(1), 0
    ids = [["t", "n0001", 3]]
    messages = [
        *({"kind": kind, "sender": "n0003"} for kind in ("Join", "Accept", "Refuse", "Keep", "Disconnect")),
        {"kind": "ForwardJoin", "joiner": "n0004", "ttl": 1, "sender": "n0003"},
        {"kind": "Neighbor", "sender": "n0003", "priority": "high"},
        {"kind": "Shuffle", "origin": "n0005", "ttl": 0, "nodes": ["n0001", "x"], "sender": "n0003"},
        {"kind": "ShuffleReply", "nodes": ["n0001", "y"]},
        {"kind": "Broadcast", "sender": "n0003", "item": ["t", publication("n0001", 3)]},
        *({"kind": kind, "sender": "n0003", "ids": ids} for kind in ("Digest", "Request")),
        {"kind": "Publish", "sender": "n0003", "items": [["t", publication("n0001", 3)]]},
        {"kind": "Dead", "node": "n0001"},
    ]
    for _ in range(12_000):
        written = bytearray(msgspec.json.encode(random.choice(messages)))
        for _ in range(random.randrange(3)):
            written[random.randrange(len(written))] = random.choice(b'0123456789{}[]",:xn')
        try:
            message = system.tested.decode(bytes(written))
        except PeerError:
            continue
        read += 1
        name = random.choice(system.names)
        core = system.running._cores[name]
        core.handle(0.0, Received(message))
        core.handle(0.0, Timeout())
        system.tested.make("node", name, msgspec.json.decode(core.snapshot()), random)
    assert 2_000 < read < 11_000
