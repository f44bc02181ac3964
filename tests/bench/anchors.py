"""An anchor over all nodes against the skip ring's, which is a matter of one: 16 nodes each, judged in turn.

The protocol is synchronous: each node has a vote, tells three others the highest that it has heard of, and all should
know the highest of all. Votes change at random, so that the anchor does.
"""

import time
from pathlib import Path
from random import Random
from statistics import median

import msgspec
from msgspec.structs import replace

from gomboc.checker.distinct.judging import LocalJudge, judge_all
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.kernel.blocks.verdicts import table_of
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import CERTAIN, Commanded, Fault, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Cited, Discipline, Protocol, Start
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


def react(me, local, taken, choice):
    match taken:
        case Timeout():
            index = NODES.index(me)
            beside = [NODES[(index + step) % len(NODES)] for step in (1, 4, 15)]
            return Outcome(local, tuple(Send(node, Told(local.highest)) for node in beside))
        case Received(Told(highest)):
            return Outcome(replace(local, highest=max(highest, local.highest)))
        case Commanded(Vote(vote)):
            return Outcome(Voter(vote, max(vote, local.highest)))


def highest_fault(rule, node, anchor, fault):
    return () if fault else (Fault(rule, node, anchor, "", "Section 2"),)


def start(nodes):
    names = NODES[:nodes]
    return Start(tuple((name, "voter") for name in names), tuple((name, Voter(0, 0)) for name in names))


VOTES = Protocol(
    name="votes",
    discipline=Discipline.ROUNDS,
    roles={"voter": Voter},
    member="voter",
    fixed={},
    message=Told,
    command=Vote,
    react=react,
    choices=lambda me, local, taken: CERTAIN,
    rule=lambda local, taken: Cited(type(taken).__name__.lower(), "Section 1"),
    malformed=lambda value: (),
    anchor=lambda shares: max(shares.values()),
    anchor_faults=lambda anchor: (),
    node_faults=lambda anchor, me, local: highest_fault("knows", me, anchor, local.highest == anchor),
    message_faults=lambda anchor, target, message: highest_fault("tells", target, anchor, message.highest <= anchor),
    space=lambda size: OneOf((start(size.nodes),)),
    start=start,
    bound=lambda nodes: nodes,
    share=lambda local: local.vote,
)


def run(random):
    """One run as lines: in each round all messages are received, then all nodes have a timeout; one may vote."""
    states = {name: Voter(random.randrange(4), 0) for name in NODES}
    yield {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "votes",
        "parameters": {},
        "roles": dict.fromkeys(NODES, "voter"),
        "states": dict(states),
        "messages": [],
        "origin": {"implementation": "a benchmark"},
    }
    flying, fresh, highest = [], 0, 4
    for _ in range(ROUNDS):
        inputs = [(to, number, Received(message)) for number, to, message in random.sample(flying, len(flying))]
        inputs += [(name, "timeout", Timeout()) for name in NODES]
        if random.random() < 0.2:
            highest += random.randrange(2)
            vote = Vote(highest)
            inputs.insert(0, (random.choice(NODES), vote, Commanded(vote)))
        flying = []
        for node, took, taken in inputs:
            outcome = react(node, states[node], taken, None)
            states[node] = outcome.local
            sent = [
                {"id": fresh + index, "to": send.target, "message": send.message}
                for index, send in enumerate(outcome.sends)
            ]
            flying += [(message["id"], message["to"], message["message"]) for message in sent]
            fresh += len(sent)
            yield {"node": node, "took": took, "state": outcome.local, "sent": sent}


def judged(protocol, parameters, distinct, table):
    """Judge a pack from its columns on, distinct steps included; how many steps its traces have, and the verdicts."""
    local = LocalJudge(protocol)
    judge = PackJudge(protocol, parameters, distinct, Marks(distinct, judge_all(local, distinct)), local.decoders)
    tables = map(table_of, judge.judge(batch_of(table), DEFAULT))
    return [verdict for rows in tables for verdict in rows["verdict"].to_pylist()]


def anchors(folder: Path, runs: int) -> None:
    """Both, in turn, in processor time for a step."""
    lines = [b"".join(msgspec.json.encode(line) + b"\n" for line in run(Random(seed))) for seed in range(TRACES)]
    ring = simulated(folder / "ring-of-16", 24, nodes=(16,))
    corpus = open_corpus(ring)
    texts = [b"".join(trace) for name in corpus.names for _, trace in Exporter(corpus.pack(name)).traces()]
    with known(VOTES):
        packs = {"anchor over 16 nodes": (VOTES, *packed(lines))}
    packs["skip ring of 16"] = (find_protocol("skip_ring"), *packed(texts))
    steps = {name: sum(map(len, table["events"].to_pylist())) for name, (_, _, table) in packs.items()}
    measured = {name: lambda pack=pack: judged(pack[0], {}, *pack[1:]) for name, pack in packs.items()}
    for name, judge in measured.items():
        assert "violated" not in judge(), f"{name} is judged to be wrong"
    seconds = in_turn(measured, runs, time.process_time)
    durations = {name: [second / steps[name] for second in measured] for name, measured in seconds.items()}
    print("\nAn anchor over all nodes")
    for name, item in durations.items():
        distinct = len(packs[name][1])
        print(f"{name:24} {steps[name]:,} steps, {distinct:,} distinct: {median(item) * 1e6:.2f} us a step")
    fast, slow = durations["skip ring of 16"], durations["anchor over 16 nodes"]
    print(f"the anchor over all nodes is judged at {ratio(fast, slow):.2f} of the skip ring's speed for a step")
