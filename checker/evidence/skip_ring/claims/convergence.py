"""Claims of Theorem 8: whether false information disappears."""

from itertools import product

from gomboc.checker.errata.claim import Claim as Said
from gomboc.checker.errata.claim import Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.sample import sample_rounds
from gomboc.checker.errata.scene import Scene, Script, Stage, Turn, delivery, opening, take, timeout, until_legitimate
from gomboc.checker.evidence.skip_ring.experiments.ring import PRINTED, right_states, sent_in_round, stages
from gomboc.spec.core.model import InFlight, Received
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import roles
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Claim, Linearize

LINEARIZE = "printed_linearize"
FALSE = ("v2", Linearize(Claim("11", "v1")))
"""v2 hears that v1 has the label 11; it has 0."""

RECEIVED = Received(FALSE[1])
CYCLES = 3
NODES, RUNS, MOST = 8, 15, 600

Coins = tuple[str, str]
EVERY_COIN: tuple[Coins, ...] = tuple(product(("silent", "ask"), ("silent", "ask")))
SILENT = EVERY_COIN[0]
"""How the coins of v1 and of v2 fall in a cycle."""


def start() -> Start:
    """SR(2), legitimate but for one false message."""
    return Start(roles(2), tuple(sorted(right_states(2).items())), (FALSE,))


def turns_of_the_adversary(protocol: Protocol, stage: Stage, coins: Coins) -> tuple[Turn, ...]:
    """A cycle: every node times out, the supervisor twice, all that follows is delivered, and the false message last.

    `coins` are those of v1 and of v2; the supervisor tosses none.
    """
    turns: list[Turn] = []

    def go(turn: Turn) -> None:
        nonlocal stage
        stage = take(protocol, stage, turn)
        turns.append(turn)

    for node, coin in ((SUPERVISOR, ""), (SUPERVISOR, ""), *zip(("v1", "v2"), coins, strict=True)):
        go(timeout(node, coin))
    while rest := [message for message in stage.in_flight if message != FALSE]:
        go(delivery(*rest[0]))
    go(delivery(*FALSE))
    return tuple(turns)


def cycles(protocol: Protocol, coins: Coins, count: int) -> list[Stage]:
    """The stages between so many cycles in which the coins fall alike, the opening first."""
    stages = [opening(start())]
    for _ in range(count):
        stage = stages[-1]
        if FALSE not in stage.in_flight:
            break
        for turn in turns_of_the_adversary(protocol, stage, coins):
            stage = take(protocol, stage, turn)
        stages.append(stage)
    return stages


def lasso() -> Script:
    """The printed Linearize and the adversary, for three cycles; the second and the third are the same."""
    turns: list[Turn] = []
    for stage in cycles(PRINTED[LINEARIZE], SILENT, CYCLES)[:CYCLES]:
        turns += turns_of_the_adversary(PRINTED[LINEARIZE], stage, SILENT)
    return Script(start(), tuple(turns), CYCLES)


def one_cycle_of_ours() -> Script:
    """The same start and the same first cycle by our rules."""
    turns = turns_of_the_adversary(PROTOCOL, opening(start()), SILENT)
    return until_legitimate(PROTOCOL, Script(start(), turns))


def false_information_dies_out() -> Evidence:
    """Whether the adversary's cycle comes back to where it was, whichever way the coins fall; and random runs."""
    printed, repaired = PRINTED[LINEARIZE], {coins: cycles(PROTOCOL, coins, 2) for coins in EVERY_COIN}
    looped = {coins: cycles(printed, coins, 2) for coins in EVERY_COIN}
    came_back = [stage for reached in looped.values() for stage in reached[1:]]
    theirs = sample_rounds(printed, PROTOCOL, NODES, RUNS, MOST)
    ours = sample_rounds(PROTOCOL, PROTOCOL, NODES, RUNS, MOST)
    run = stages(lasso(), printed)
    return Evidence(
        settled(any(_here(stage) != _here(came_back[0]) for stage in came_back)),
        {
            "runs": RUNS,
            "nodes": NODES,
            "theirs": theirs.median,
            "theirs_most": theirs.rounds[-1],
            "ours": ours.median,
            "ours_most": ours.rounds[-1],
            "quiet_ours": len(sent_in_round(PROTOCOL, NODES)),
            "quiet_theirs": len(sent_in_round(printed, NODES)),
            "steps": len(turns_of_the_adversary(printed, looped[SILENT][1], SILENT)),
        },
        {
            "no state of the printed run is legitimate": not any(reached.is_legitimate(PROTOCOL) for reached in run),
            "in each cycle the explicit edges are right at some moment, and wrong at its end": all(
                any(reached.states["v2"] == right_states(2)["v2"] for reached in cycle)
                and cycle[-1].states["v2"].left is None
                for cycle in _parts(lasso(), run)
            ),
            "by our rules the false message is gone after one cycle": all(
                FALSE not in reached[1].in_flight and reached[1].is_legitimate(PROTOCOL)
                for reached in repaired.values()
            ),
            "every random run became legitimate, by either rule": max(theirs.rounds[-1], ours.rounds[-1]) < MOST,
        },
    )


def _here(stage: Stage) -> tuple[object, InFlight]:
    """The configuration at a stage: states and messages in flight, without the history."""
    return stage.states, tuple(sorted(stage.in_flight, key=repr))


def _parts(script: Script, run: list[Stage]) -> list[list[Stage]]:
    """The stages of each cycle of a run: a cycle ends when the false message is delivered."""
    marks = [number for number, turn in enumerate(script.turns, 1) if (turn.node, turn.taken) == (FALSE[0], RECEIVED)]
    return [run[first + 1 : after + 1] for first, after in zip((0, *marks), marks, strict=False)]


LASSO = Scene(
    "false_claim_for_ever",
    "three cycles of a fair schedule under the printed Linearize; the state after the first is that after the second",
    lasso,
    LINEARIZE,
    1,
)
ENDS = Scene("false_claim_ends", "the same start and schedule by our rules", one_cycle_of_ours)

CLAIMS = (
    Said(
        name="theorem_8_linearize",
        title="false information is eventually corrected or no longer spread",
        source="Theorem 8, proof; Algorithm 1, lines 14-30",
        says='"A corrupted message cannot trigger an infinite chain of corrupted messages, i.e., eventually the '
        "false information is either corrected or received but not spread anymore. We assume this fact for the rest "
        'of the proof."',
        ran="Linearize as printed (variant printed_linearize), with a guard that is not printed: claims about "
        "oneself are ignored. Without it a right ring breaks by itself (theorem_13_as_printed). All other "
        "rules are ours: claims that are meant for the closing edge are verified, and each step forgets "
        "references to oneself.",
        result=Result.REFUTED,
        why="Under the printed Linearize there is an infinite execution with fair message receipt and weakly fair "
        "actions that is never legitimate. v2 (label 1) hears that its left neighbour v1 has the label 11: it "
        "forgets v1, and sends itself the claim again (lines 20-22). Before the claim arrives, v1 introduces itself "
        "to v2, which stores it as its left neighbour again. After one cycle the system is where it was: in {steps} "
        "steps every node times out, every message is delivered, and the same false message is in flight anew. It "
        "does so whichever way the coins fall. In each cycle the explicit edges are right for a while, and wrong "
        "again afterwards: it is not that SR(2) is never reached, but that it is left for ever anew, so that "
        "Theorems 8 and 13 do not both hold. It takes an adversary: all of {runs} random runs became legitimate.",
        evidence=false_information_dies_out,
        counterexample="n = 2, legitimate but for one message: Linearize((11, v1)) on its way to v2.",
        instead="Verified introduction: a third party's claim that contradicts a stored one, or ties with it, is "
        "not believed; its subject is asked, and answers with its own label. Under the same schedule the false claim "
        "is gone after one cycle.",
        effect="Rounds to legitimacy from arbitrary states (n = {nodes}, {runs} runs, seeds from 0 on, each message "
        "waits for another round with probability 1/2): as printed, median {theirs} and at most {theirs_most}; "
        "ours, median {ours} and at most {ours_most}. In a legitimate ring, verification costs nothing: {quiet_ours} "
        "messages in a round without requests for n = {nodes}, as printed {quiet_theirs}.",
        reading='The sentence is asserted, and then "we assume this fact": taken as a premise it is not refuted, but '
        "Theorem 8 is shown only of executions in which it is true. If the call in line 21 were local, and line 22 "
        "came before it, v2 would keep the claim on its right side, and ask v1 about it.",
        lemmas=("hearsay_does_not_relabel",),
        scenes=(LASSO, ENDS),
        quotes=(
            Quotation(
                "Theorem 8, proof",
                "Furthermore, a corrupted message cannot trigger an infinite chain of corrupted messages, i.e., "
                "eventually the false information is either corrected or received but not spread anymore.",
            ),
        ),
    ),
)
