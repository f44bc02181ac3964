"""Claims on whole runs: from which starts, with which probability, and how soon they succeed."""

from functools import cache
from typing import Any

from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.sample import Sample, sample_rounds
from gomboc.checker.errata.scene import Scene, Script, opening, round_of, take, with_rounds
from gomboc.checker.evidence.skip_ring.claims.shortcuts import repeats_without
from gomboc.checker.evidence.skip_ring.experiments.ring import database_of, right_states
from gomboc.spec.core.protocol import Protocol, Start, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.space import names, roles
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Subscriber, Supervisor
from gomboc.spec.protocols.skip_ring.subscriber import ASK, tossed
from gomboc.spec.publishing.publications import Parameters
from gomboc.spec.publishing.publications import published as publication

SIZES, ENOUGH = range(1, 9), 60
NODES, RUNS, MOST = 4, 10, 200
PARAMETERS = {"key_bits": 64}
LUCKLESS = 4
SHORT, LONG = 8, 64
"""Bits of two labels."""


def strangers(nodes: int) -> Start:
    """Start with so many subscribers that have wrong labels and know no node, and an empty supervisor."""
    states: dict[str, Any] = {SUPERVISOR: Supervisor()}
    states |= {node: Subscriber(label_of(index + 5)) for index, node in enumerate(names(nodes))}
    return Start(roles(nodes), tuple(sorted(states.items())))


def partitions_heal() -> Evidence:
    """Rings without any edge: after how many rounds are they right, if every coin says "ask"?"""
    needed = {nodes: _rounds(strangers(nodes)) for nodes in SIZES}
    slow = [nodes for nodes, rounds in needed.items() if rounds is None]
    return Evidence(
        settled(not slow), {"most": SIZES[-1], "rounds": max(count for count in needed.values() if count is not None)}
    )


def _rounds(start: Start) -> int | None:
    stage = opening(start)
    for rounds in range(ENOUGH):
        if stage.is_legitimate(PROTOCOL):
            return rounds
        for turn in round_of(stage, ASK):
            stage = take(PROTOCOL, stage, turn)
    return None


def forgotten() -> Start:
    """SR(2), of which the supervisor knows nothing."""
    states = right_states(2) | {SUPERVISOR: Supervisor()}
    return Start(roles(2), tuple(sorted(states.items())))


def luckless() -> Script:
    """From there, some rounds in which every coin says "silent"."""
    return with_rounds(PROTOCOL, Script(forgotten(), (), LUCKLESS), LUCKLESS)


def arrival_is_guaranteed() -> Evidence:
    """Whether rounds in which every coin is silent come back to where they were; and how long a label may wait."""
    waits = {bits: tossed(bits, often=False)[0].probability for bits in (SHORT, LONG)}
    sampled, lucky = random_runs(), _rounds(forgotten())
    return by_readings(
        (settled(sampled.rounds[-1] < MOST and lucky is not None), settled(not repeats_without(PROTOCOL, forgotten()))),
        {
            "runs": RUNS,
            "nodes": NODES,
            "most": sampled.rounds[-1],
            "lucky": lucky or 0,
            "short": SHORT,
            "waits": int(1 / waits[SHORT]),
            "long": LONG,
            "longest": f"{float(1 / waits[LONG]):.1e}",
        },
    )


@cache
def random_runs() -> Sample:
    """Random runs from arbitrary states, until they are legitimate."""
    return sample_rounds(PROTOCOL, PROTOCOL, NODES, RUNS, MOST)


def every_node_is_recorded() -> Evidence:
    """Random runs from arbitrary states: in a legitimate one every subscriber is recorded."""
    sample = random_runs()
    return Evidence(settled(sample.rounds[-1] < MOST), {"runs": RUNS, "nodes": NODES, "most": sample.rounds[-1]})


def rounds_of_a_newcomer(nodes: int, publications: int) -> int:
    """The rounds in which a newcomer to SR(nodes) has got that many publications, every coin silent."""
    protocol, parameters = configured(PROTOCOL, PARAMETERS), Parameters(64)
    held = tuple(sorted(publication("v1", number, "", parameters) for number in range(publications)))
    old = {node: replace(u, publications=held) for node, u in right_states(nodes).items() if node != SUPERVISOR}
    newcomer = names(nodes + 1)[-1]
    states = {**old, newcomer: Subscriber(), SUPERVISOR: Supervisor(database_of(nodes))}
    stage = opening(Start(roles(nodes + 1), tuple(sorted(states.items()))))
    for rounds in range(ENOUGH):
        if len(stage.states[newcomer].publications) == publications:
            return rounds
        for turn in round_of(stage):
            choices = protocol.actor.choices(turn.node, stage.states[turn.node], turn.taken)
            stage = take(protocol, stage, replace(turn, coin=choices[-1].name))
    return ENOUGH


def newcomers_catch_up() -> Evidence:
    """A newcomer to rings of several sizes, with more and fewer publications."""
    sizes, numbers = (1, 2, 4, 8, 16), (1, 8, 64)
    rounds = {(nodes, number): rounds_of_a_newcomer(nodes, number) for nodes in sizes for number in numbers}
    return Evidence(
        settled(max(rounds.values()) < ENOUGH),
        {"sizes": list(sizes), "numbers": list(numbers), "most": max(rounds.values())},
        {"it takes the same number of rounds in every case": len(set(rounds.values())) == 1},
    )


def _protocol() -> Protocol:
    return configured(PROTOCOL, {"key_bits": 3})


def every_node_has_everything() -> Evidence:
    """Random runs with arbitrary tries; and a node that is no member, and holds a publication of its own."""
    sample = sample_rounds(_protocol(), _protocol(), NODES, RUNS, MOST, publications=4)
    only = publication("w1", 0, "", Parameters(3))
    states = right_states(2) | {"w1": Subscriber(None, wants=False, publications=(only,))}
    lost = opening(Start((*roles(2), ("w1", "subscriber")), tuple(sorted(states.items()))))
    return Evidence(
        settled(sample.rounds[-1] < MOST),
        {"runs": RUNS, "nodes": NODES, "most": sample.rounds[-1]},
        {"a ring is legitimate though a node that is no member holds more": lost.is_legitimate(_protocol())},
    )


SILENT = Scene(
    "every_coin_silent",
    "SR(2), of which the supervisor knows nothing: the rounds in which every coin is silent repeat for ever",
    luckless,
    None,
    1,
)

CLAIMS = (
    Claim(
        name="any_graph",
        title="the graph need not be connected at first",
        source="Theorem 8; Section 1",
        says='Theorem 8: "Given any initially weakly connected graph G = (V, E_R + E_S)". Section 1: "for any '
        'initial state (including overlay network partitions)".',
        ran="Ours.",
        result=Result.REPRODUCED,
        why="That of Section 1 is true: up to n = {most}, subscribers that have wrong labels and know no node, at a "
        "supervisor "
        "that knows no node, form the ring within {rounds} rounds if every coin says ask. Every node knows the "
        "supervisor, "
        "so that the theorem's hypothesis is not needed.",
        evidence=partitions_heal,
        quotes=(
            Quotation(
                "Theorem 8",
                "Given any initially weakly connected graph G = (V, E_R + E_S) with n nodes, BUILDSR transforms "
                "G into a skip ring SR(n).",
            ),
        ),
    ),
    Claim(
        name="convergence_is_guaranteed",
        title="every computation arrives at a legitimate state",
        source="Definition 1; Theorem 8; Section 3.2.1 (ii)",
        says='"Starting from an arbitrary system state, the protocol is guaranteed to arrive at a legitimate state."',
        ran="Ours; the probabilities are as printed.",
        result=Result.DEPENDS,
        why="A ring of which the supervisor knows nothing depends on coins: if each of them says silent, the same "
        "rounds "
        "repeat for ever, though every timeout and every message gets its turn. Nor is there a bound on time: a label "
        "of {short} bits is expected to wait for {waits} timeouts, one of {long} bits for {longest}, and an initial "
        "state may have labels of any length.",
        evidence=arrival_is_guaranteed,
        counterexample="n = 2: right edges, an empty database, nothing in flight.",
        instead="Convergence with probability 1, which we state, and explore (`gomboc explore skip_ring`).",
        readings=(
            Reading(
                "With probability 1, as is usual for a randomised protocol: {runs} random runs from arbitrary states "
                "with n = {nodes} are legitimate after {most} rounds at most, and from the start below {lucky} rounds "
                "do in which the coins say ask.",
                Result.REPRODUCED,
            ),
            Reading("Every computation that is fair to timeouts and messages, for all coins.", Result.REFUTED),
        ),
        reading="Its authors would answer with the first.",
        scenes=(SILENT,),
        quotes=(
            Quotation(
                "Definition 1",
                "Starting from an arbitrary system state, the protocol is guaranteed to arrive at a legitimate state.",
            ),
        ),
    ),
    Claim(
        name="lemma_10_recorded",
        title="all subscribers are recorded in the end",
        source="Lemma 10",
        says="\"After the supervisor's database has reached a non-corrupted state, all subscribers v in V will "
        'eventually become recorded."',
        ran="Ours.",
        result=Result.REPRODUCED,
        why="In {runs} random runs with n = {nodes}, from arbitrary states and messages, the ring was right after at "
        "most "
        "{most} rounds, all subscribers recorded.",
        evidence=every_node_is_recorded,
        reading="The proof has the supervisor remove no node, as no Unsubscribe is considered; a corrupted one, or a "
        "late "
        "one (theorem_13_late_messages), removes a subscriber that is recorded again afterwards.",
        quotes=(
            Quotation(
                "Lemma 10",
                "After the supervisor's database has reached a non-corrupted state, all subscribers v in V will "
                "eventually become recorded.",
            ),
        ),
    ),
    Claim(
        name="constant_rounds",
        title="a new subscriber gets all publications after a constant number of rounds",
        source="Section 1.2",
        says='"[...] we are also able to deliver all publications of a domain to a new subscriber after only a '
        "constant "
        'number of rounds."',
        ran="Ours.",
        result=Result.REPRODUCED,
        why="In a right ring with equal publications at all members, a newcomer that subscribes has all of "
        "them "
        "after {most} rounds, for every size (n = {sizes} before it) and every number of publications "
        "({numbers}).",
        evidence=newcomers_catch_up,
        reading="A round delivers all that is in flight and then has every node time out; members agree already.",
        quotes=(
            Quotation(
                "Section 1.2",
                "Furthermore, we are also able to deliver all publications of a domain to a new subscriber after"
                " only a constant number of rounds.",
            ),
        ),
    ),
    Claim(
        name="theorem_17_convergence",
        title="all subscribers store all publications in the end",
        source="Theorem 17",
        says='"Eventually all subscribers store a Patricia trie consisting of all publications in P."',
        ran="Ours.",
        result=Result.REPRODUCED,
        why="In {runs} random runs with n = {nodes}, from arbitrary tries, states and messages, all members held the "
        "same "
        "right publications after at most {most} rounds. The theorem leaves out one case: a living node that is no "
        "member, since it has left or is held to be crashed, compares with no other, and a publication that it alone "
        "holds is lost to the ring.",
        evidence=every_node_has_everything,
        reading="P is the set that the members hold; no member leaves.",
        quotes=(
            Quotation(
                "Theorem 17",
                "Then eventually all subscribers store a Patricia trie consisting of all publications in P.",
            ),
        ),
    ),
)
