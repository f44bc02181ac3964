"""Whole runs: from any start, and under any failures, the live nodes end in a ring and hold the same."""

from random import Random

import msgspec
import pytest

from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from tests.impl.protocols.skip_ring.starts import BLANK, blank, corrupted, names, skip_ring, with_publications
from tests.impl.protocols.skip_ring.test_convergence import LABELS
from tests.impl.publications import configured, key_of, made

BITS = 64
WITHIN = 4_000


def some_publication(number, publisher, random):
    """Mostly a right one; else one that is mis-keyed, so that it can be repaired, or forged."""
    kind = random.choice(["right", "right", "right", "wrong key", "forged"])
    key = key_of(publisher, number, "p", BITS)
    if kind == "wrong key":
        key = f"{random.randrange(2**BITS):0{BITS}b}"
    return [key, publisher, number, "p", "nobody" if kind == "forged" else publisher]


def some_publications(count, size, seed):
    random = Random(seed)
    return [some_publication(number, random.choice(names(size)), random) for number in range(count)]


def genuine(publications):
    """The publications that have to be left, each under its right key."""
    return {(publication[1], publication[2]) for publication in publications if publication[1] == publication[4]}


def numbers_in(state):
    return {(publisher, number) for _, publisher, number, _, _ in state.get("publications", [])}


def result(start, seed, commands=(), since=0.0, members=None, **parameters):
    """The states when every member is at its place in the ring and holds the same, some time after `since`."""
    made_for = configured(**{"key_bits": BITS, **parameters})
    simulation = Simulation(start, made_for, seed, Conditions(tail_probability=0.02, commands=tuple(commands)))
    members = set(names(len(start["states"]) - 1)) if members is None else set(members)
    states = dict(start["states"])
    for taken, step in enumerate(simulation.steps()):
        states[step.node] = step.state
        if taken % 50 == 0 and simulation.now > since:
            read = {
                node: state if isinstance(state, dict) else msgspec.json.decode(state) for node, state in states.items()
            }
            if is_right(read, members):
                return read
        assert simulation.now < WITHIN, "the run has not converged"
    raise AssertionError("a simulation goes on for ever")


def is_right(states, members):
    database = dict(states["supervisor"]["database"])
    if set(database.values()) != members or set(database) != set(LABELS[: len(members)]):
        return False
    expected = skip_ring(database)
    held = [states[node].get("publications") for node in members]
    return all(item == held[0] for item in held) and all(
        {key: states[node][key] for key in BLANK} == expected[node] and "hashes" not in states[node] for node in members
    )


@pytest.mark.parametrize("seed", range(12))
def test_from_any_start_every_subscriber_comes_to_hold_everything(seed):
    size = 1 + seed % 8
    publications = some_publications(10, size, seed)
    start = with_publications(corrupted(size, seed), publications, seed)
    states = result(start, seed)
    held = {
        tuple(publication[1:3])
        for node in names(size)
        for publication in start["states"][node]["publications"]
        if publication[1] == publication[4]
    }
    assert held <= genuine(publications)
    assert numbers_in(states["s000"]) == held


def issue(at, node, number):
    return TimedCommand(at, node, {"kind": "Publish", "number": number, "payload": "p"})


def order(at, node, kind, /, **further):
    return TimedCommand(at, node, {"kind": kind, **further})


def test_a_node_that_joins_late_gets_what_was_published_before():
    commands = [*(issue(20 + number, "s000", number) for number in range(5)), order(1, "s001", "Unsubscribe")]
    commands.append(order(60, "s001", "Subscribe"))
    states = result(blank(5), 1, commands, since=61)
    assert numbers_in(states["s001"]) == {("s000", number) for number in range(5)}


@pytest.mark.parametrize("forget", [True, False])
def test_what_a_leaver_publishes_at_the_last_moment_reaches_all_that_stay(forget):
    commands = [issue(50, "s002", 1), order(50, "s002", "Unsubscribe", forget=forget)]
    states = result(blank(5), 3, commands, since=51, members={"s000", "s001", "s003", "s004"})
    assert numbers_in(states["s000"]) == {("s002", 1)}


def test_a_node_that_crashes_without_warning_is_missed_by_no_node_once_it_is_suspected():
    commands = [issue(20, "s003", 1), order(50, "s003", "Crash"), order(70, "supervisor", "Suspect", node="s003")]
    left = {"s000", "s001", "s002", "s004"}
    states = result(blank(5), 4, commands, since=71, members=left)
    assert numbers_in(states["s000"]) == {("s003", 1)}
    assert states["s003"]["crashed"]
    stored = msgspec.json.encode(
        [states[node][slot] for node in left for slot in ("left", "right", "ring", "shortcuts")]
    )
    assert b"s003" not in stored


@pytest.mark.parametrize("keep", [True, False])
def test_a_node_that_comes_back_with_stale_or_without_variables_holds_everything_again(keep):
    commands = [issue(20, "s001", 1), order(50, "s001", "Crash"), order(60, "supervisor", "Suspect", node="s001")]
    commands += [issue(70, "s000", 2), order(100, "s001", "Restart", keep=keep)]
    commands += [order(110, "supervisor", "Trust", node="s001")]
    states = result(blank(5), 5, commands, since=111)
    assert numbers_in(states["s001"]) == {("s001", 1), ("s000", 2)}


def test_a_node_that_is_suspected_falsely_comes_back_by_itself():
    commands = [issue(20, "s001", 1), order(50, "supervisor", "Suspect", node="s001")]
    commands += [issue(60, "s001", 2), order(90, "supervisor", "Trust", node="s001")]
    states = result(blank(4), 6, commands, since=91)
    assert numbers_in(states["s000"]) == {("s001", 1), ("s001", 2)}


@pytest.mark.parametrize("database", [[], [["0", "s002"], ["0011", "s000"], ["1", "s002"]]])
def test_a_supervisor_that_starts_again_from_an_empty_or_stale_database_loses_nothing(database):
    commands = [issue(20, "s001", 1), order(50, "supervisor", "Restore", database=database)]
    states = result(blank(4), 7, commands, since=51)
    assert numbers_in(states["s000"]) == {("s001", 1)}


def test_what_has_expired_is_not_spread_back():
    """One node holds publications that the others have let expire long ago."""
    start = with_publications(blank(3), [], 1)
    start["states"]["s000"]["publications"] = sorted(made_written(number) for number in range(6))
    start["states"]["s001"]["publications"] = sorted(made_written(number) for number in range(5, 9))
    states = result(start, 8, since=50, keep=3)
    assert numbers_in(states["s002"]) == {("a", 6), ("a", 7), ("a", 8)}


def made_written(number):
    return msgspec.to_builtins(made(number, bits=BITS))


def test_a_ring_with_a_peer_that_forges_converges_all_the_same():
    """Forged, mis-keyed and oversized publications arrive all the time; no node stores one."""
    forged = {"kind": "Publish", "publications": [[*made_written(1)[:4], "b"], ["0" * BITS, *made_written(2)[1:]]]}
    start = with_publications(corrupted(4, 3), some_publications(4, 4, 3), 3)
    messages = [{"id": 1_000 + number, "to": f"s00{number % 4}", "message": forged} for number in range(20)]
    states = result({**start, "messages": [*start["messages"], *messages]}, 9, since=30)
    assert not {("a", 1), ("a", 2)} & numbers_in(states["s000"])
