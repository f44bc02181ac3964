"""False information under the printed Linearize: a fair schedule that keeps it, and random runs."""

from itertools import product

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.errata.sample import sample_rounds
from gomboc.checker.errata.scene import Script, Stage, Turn, delivery, opening, take, timeout, until_legitimate
from gomboc.checker.evidence.skip_ring.experiments.ring import PRINTED, right_states, ring, sent_in_round, stages
from gomboc.spec.core.model import InFlight, Received
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring import PROTOCOL
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


def turns_of_the_adversary(protocol: Protocol, stage: Stage, coins: Coins) -> tuple[Turn, ...]:
    """A cycle: every node times out, the supervisor twice, all that follows is delivered, and the false message last.

    `coins` are those of v1 and of v2; the supervisor tosses none.
    """
    coin, other = coins
    turns = [timeout(SUPERVISOR, ""), timeout(SUPERVISOR, ""), timeout("v1", coin), timeout("v2", other)]
    for turn in turns:
        stage = take(protocol, stage, turn)
    while rest := [message for message in stage.in_flight if message != FALSE]:
        turns.append(delivery(*rest[0]))
        stage = take(protocol, stage, turns[-1])
    return (*turns, delivery(*FALSE))


def cycles(protocol: Protocol, coins: Coins, count: int) -> list[Stage]:
    """The stages between so many cycles in which the coins fall alike, the opening first."""
    stages = [opening(ring(2, FALSE))]
    while len(stages) <= count and FALSE in stages[-1].in_flight:
        stage = stages[-1]
        for turn in turns_of_the_adversary(protocol, stage, coins):
            stage = take(protocol, stage, turn)
        stages.append(stage)
    return stages


def lasso() -> Script:
    """The printed Linearize and the adversary, for three cycles; the second and the third are the same."""
    printed = PRINTED[LINEARIZE]
    between = cycles(printed, SILENT, CYCLES)[:CYCLES]
    turns = (turn for stage in between for turn in turns_of_the_adversary(printed, stage, SILENT))
    return Script(ring(2, FALSE), tuple(turns), CYCLES)


def one_cycle_of_ours() -> Script:
    """The same start and the same first cycle by our rules."""
    start = ring(2, FALSE)
    return until_legitimate(PROTOCOL, Script(start, turns_of_the_adversary(PROTOCOL, opening(start), SILENT)))


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
