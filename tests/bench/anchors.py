"""An anchor over all nodes against the skip ring's, which is a matter of one: 16 nodes each, judged in turn.

The protocol is synchronous: each node has a vote, tells three others the highest that it has heard of, and all should
know the highest of all. Votes change at random, so that the anchor does.
"""

import time
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.distinct.distinct import Distinct
from gomboc.checker.distinct.judging import LocalJudge, judge_all
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.kernel.blocks.verdicts import table_of
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.simulate.spec_runner import Player
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import Choice, Commanded, Fault, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Actor, Cited, Discipline, Legitimacy, Protocol, Start, Starts, Vocabulary
from gomboc.spec.core.registry import find_protocol
from tests.bench.corpora import simulated
from tests.bench.measure import in_turn, ratio
from tests.checker.replay.kernel.packed import known, packed

NODES = tuple(f"v{number:02}" for number in range(16))
ROUNDS, TRACES = 30, 40


class Voter(msgspec.Struct, frozen=True):
    vote: int
    highest: int


class Told(msgspec.Struct, frozen=True):
    highest: int


class Vote(msgspec.Struct, frozen=True, tag_field="kind", tag="vote"):
    vote: int


def react(me: str, local: Voter, taken: Any, choice: Choice) -> Outcome:
    match taken:
        case Timeout():
            index = NODES.index(me)
            beside = [NODES[(index + step) % len(NODES)] for step in (1, 4, 15)]
            return Outcome(local, tuple(Send(node, Told(local.highest)) for node in beside))
        case Received(Told(highest)):
            return Outcome(replace(local, highest=max(highest, local.highest)))
        case Commanded(Vote(vote)):
            return Outcome(Voter(vote, max(vote, local.highest)))
    raise ValueError(taken)


def highest_fault(rule: str, node: str, anchor: int, right: bool) -> tuple[Fault, ...]:
    return () if right else (Fault(rule, node, anchor, "", "Section 2"),)


def start(nodes: int, random: Random | None = None) -> Start:
    votes = [(name, random.randrange(4) if random else 0) for name in NODES[:nodes]]
    return Start(tuple((name, "voter") for name, _ in votes), tuple((name, Voter(vote, vote)) for name, vote in votes))


VOTES = Protocol(
    name="votes",
    discipline=Discipline.ROUNDS,
    vocabulary=Vocabulary(roles={"voter": Voter}, member="voter", message=Told, command=Vote),
    actor=Actor(react=react, rule=lambda local, taken: Cited(type(taken).__name__.lower(), "Section 1")),
    legitimacy=Legitimacy(
        anchor=lambda shares: max(shares.values()),
        node_faults=lambda anchor, me, local: highest_fault("knows", me, anchor, local.highest == anchor),
        message_faults=lambda anchor, target, message: highest_fault(
            "tells", target, anchor, message.highest <= anchor
        ),
        share=lambda local: local.vote,
    ),
    starts=Starts(space=lambda size: OneOf((start(size.nodes),)), start=start, bound=lambda nodes: nodes),
)


def played(random: Random) -> bytes:
    """One run: in each round all messages are received, in any order, then all nodes have a timeout; one may vote."""
    player, highest = Player(VOTES, start(len(NODES), random)), 4
    for _ in range(ROUNDS):
        if random.random() < 0.2:
            highest += random.randrange(2)
            player.command(random.choice(NODES), Vote(highest))
        for message in random.sample([*player.waiting], len(player.waiting)):
            player.deliver(message)
        player.time_out_all()
    return player.trace()


def judged(protocol: Protocol, distinct: Distinct, table: Any) -> list[str]:
    """The verdicts on a pack from its columns on, distinct steps included."""
    local = LocalJudge(protocol)
    judge = PackJudge(protocol, {}, distinct, Marks(distinct, judge_all(local, distinct)), local.decoders)
    tables = map(table_of, judge.judge(batch_of(table), DEFAULT))
    return [verdict for rows in tables for verdict in rows["verdict"].to_pylist()]


def anchors(folder: Path, runs: int) -> None:
    """Both, in turn, in processor time for a step."""
    ring = simulated(folder / "ring-of-16", 24, nodes=(16,))
    corpus = open_corpus(ring)
    texts = [b"".join(trace) for name in corpus.names for _, trace in Exporter(corpus.pack(name)).traces()]
    with known(VOTES):
        votes = VOTES, *packed([played(Random(seed)) for seed in range(TRACES)])
    packs = {"anchor over 16 nodes": votes, "skip ring of 16": (find_protocol("skip_ring"), *packed(texts))}
    steps = {name: sum(map(len, table["events"].to_pylist())) for name, (_, _, table) in packs.items()}
    measured = {name: partial(judged, *pack) for name, pack in packs.items()}
    for name, judge in measured.items():
        assert "violated" not in judge(), f"{name} is judged to be wrong"
    seconds = in_turn(measured, runs, time.process_time)
    durations = {name: [second / steps[name] for second in taken] for name, taken in seconds.items()}
    print("\nAn anchor over all nodes")
    for name, item in durations.items():
        distinct = len(packs[name][1])
        print(f"{name:24} {steps[name]:,} steps, {distinct:,} distinct: {median(item) * 1e6:.2f} us a step")
    fast, slow = durations["skip ring of 16"], durations["anchor over 16 nodes"]
    print(f"the anchor over all nodes is judged at {ratio(fast, slow):.2f} of the skip ring's speed for a step")
