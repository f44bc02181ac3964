"""Claims on recovery: the questions of a broker that is back, their answers, and the data it must keep."""

from functools import cache
from random import Random

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script
from gomboc.checker.evidence.delta_fault_tolerance.claims.forwarding import (
    ONE_DELTA,
    stuck,
    stuck_script,
)
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, failing, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import FEWER
from gomboc.checker.evidence.delta_fault_tolerance.experiments.tried import RUNS as WALKS
from gomboc.checker.evidence.delta_fault_tolerance.experiments.tried import (
    stuck as never_operational,
)
from gomboc.checker.evidence.delta_fault_tolerance.experiments.tried import (
    unconfirmed_though_open,
)
from gomboc.spec.protocols.delta_fault_tolerance.models import protocol

STEPS, CRASHES = 60, 0.06
AGAIN = 25
"""Runs by our rules on the same tree, of which none may go wrong."""

ROW = ("0", "0.0", "0.0.0")
FORK = ("0", "0.0", "0.0.0", "0.0.1")
TWO_LEAVES = ("0", "0.0", "0.1")
HOOK = ("0", "0.0", "0.1", "0.1.0")
BENT = (*HOOK, "0.1.0.0")


class Case:
    """A run that is drawn: which variant, delta, tree and seed."""

    def __init__(self, variant: str, delta: int, names: tuple[str, ...], seed: int) -> None:
        self.variant, self.delta, self.names, self.seed = variant, delta, names, seed

    def parameters(self) -> dict[str, int]:
        """Those of its trace's header."""
        return {"delta": self.delta}


CASES = {
    case.variant: case
    for case in (
        Case("answers_at_once", 2, ROW, 1346),
        Case("answers_when_done", 3, FORK, 117),
        Case("addressed_only", 2, TWO_LEAVES, 465),
        Case("all_stamps", 2, TWO_LEAVES, 289),
        Case("not_the_sender", 2, ROW, 34),
        Case("stamps_first", 2, BENT, 282),
        Case("not_guided", 2, BENT, 132),
        Case("one_sided", 2, HOOK, 420),
    )
}
"""The shortest of some thousand runs of each variant on trees of up to five brokers."""


@cache
def drawn(variant: str) -> Run:
    """The run of a case."""
    case = CASES[variant]
    made = walk(protocol(case.delta, variant), case.delta, case.names, Random(case.seed), STEPS, CRASHES)
    assert made.wrong(), f"{variant} goes wrong"
    return made


def found(variant: str) -> Evidence:
    """A run of a variant that goes wrong, and some by our rules on the same tree."""
    case, made = CASES[variant], drawn(variant)
    ours = failing(protocol(case.delta), case.delta, case.names, AGAIN, STEPS)
    return Evidence(
        settled(not made.wrong()),
        {"delta": case.delta, "n": len(case.names), "steps": len(made.turns), "wrong": list(made.wrong())},
        {"by our rules nothing goes wrong on the same tree": not ours},
    )


def scene(variant: str, name: str, shows: str) -> Scene:
    """The trace of a run that is drawn."""

    def script() -> Script:
        made = drawn(variant)
        return made.script(0 if made.broken else 3)

    return Scene(name, shows, script, variant, 1, CASES[variant].parameters())


def pinned(name: str) -> Evidence:
    """The shortest run of a pinned model that comes to rest and is not right."""
    acts = stuck(name) or ()
    return Evidence(settled(not acts), {"steps": len(acts)})


def pinned_scene(variant: str, name: str, shows: str) -> Scene:
    """The trace of the shortest run of a pinned model."""
    return Scene(name, shows, lambda: stuck_script(variant), variant, 1, ONE_DELTA)


def by_outcomes(evidence: Evidence) -> Evidence:
    """The result of a run of a variant, and of some by our rules, as two readings."""
    return by_readings((evidence.result, settled(all(evidence.facts.values()))), evidence.figures)


def answered_when_done() -> Evidence:
    """The run that is drawn, and random runs by each reading."""
    evidence = found("answers_when_done")
    timely = tuple(settled(not never_operational(by_direction, timely=True)) for by_direction in (False, True))
    figures = {**evidence.figures, "runs": WALKS, "late": never_operational(True, timely=False)}
    return by_readings((evidence.result, *timely), figures, evidence.facts)


def sent_again() -> Evidence:
    """The run that is drawn, and one in which no connection is closed."""
    evidence = found("addressed_only")
    open_too = {"a publication stays unconfirmed also if no connection is closed": unconfirmed_though_open()}
    return Evidence(evidence.result, evidence.figures, {**evidence.facts, **open_too})


def bypasses_stay() -> Evidence:
    """The shortest run after which connections are left, and whether a promise is broken in random runs."""
    evidence = pinned("never_closed")
    made = (walk(protocol(2, "never_closed"), 2, ROW, Random(seed), STEPS, CRASHES) for seed in range(WALKS))
    kept = {"no promise over histories is broken without closing": not any(run.broken for run in made)}
    return Evidence(evidence.result, {**evidence.figures, "runs": WALKS}, kept)


SEEN = "A random run with delta = {delta} and {n} brokers goes wrong after {steps} steps: {wrong}."

CLAIMS = (
    Claim(
        "status_told",
        "the status in an answer",
        "Algorithm 7, line 18",
        "By line 18 a broker that is asked tells the status that it has noted of the one that asks. The prose "
        "is right: "
        "it sends its own.",
        Result.REFUTED,
        "By the line that is always 'recovering', so that a broker that asks takes all others for recovering.",
        lambda: pinned("status_of_the_other"),
        "as printed",
        counterexample="Two brokers, of which one crashes and comes back: after {steps} steps all is "
        "over, and it takes the other one for recovering.",
        instead="A broker tells its own status.",
        scenes=(
            pinned_scene(
                "status_of_the_other", "no_node_seems_operational", "a broker that was asked is taken for recovering"
            ),
        ),
        quotes=(Quotation("Algorithm 7, line 18", "st.status <- Op_N^R"),),
        prose=(
            Quotation(
                "Section 6",
                "In Lines 15-20, N establishes a connection to R, and sends its operational state along with the"
                " routing information to R.",
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "window_of_rejoin",
        "operational before REJOIN is confirmed",
        "Algorithm 5, lines 15 to 23, and Section 6.1",
        "A recovering broker says that it is operational, then sends REJOIN; until it is operational it discards "
        "messages without a guide.",
        Result.REFUTED,
        "Its neighbours send without a guide in between, and wait for ever for a confirmation.",
        lambda: pinned("discarding"),
        "as printed",
        counterexample="Two brokers, of which one crashes and comes back while the other one publishes: stuck after "
        "{steps} steps.",
        reading='Sent "as the last step", as the prose has it, after line 23, the status would open no such window. '
        "Appendix A calls the broker OPERATIONAL* while it waits for REJOIN, and says that this has no algorithmic "
        "implications.",
        instead="REJOIN first; and arriving messages are processed, not discarded.",
        scenes=(pinned_scene("discarding", "discarded_before_rejoin", "a message without a guide is discarded"),),
        quotes=(
            Quotation(
                "Section 6.1",
                "A RECOVERING node R, discards all multicast messages and processes Guided messages only.",
            ),
            Quotation(
                "Section 6",
                "As the last step, R notifies all its connected peers about its transition to the OPERATIONAL state.",
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "tables_of_one_side",
        "the rows in an answer",
        "Algorithm 7, line 14",
        "A broker sends the rows of the brokers that are nearer to it than to the recovering one.",
        Result.REFUTED,
        "A row of a broker that is away as well is sent by neither neighbour: it lies on the other side for both.",
        lambda: found("one_sided"),
        "as printed",
        counterexample=SEEN,
        instead="Rows of the other side are sent too where they are exact, that is, where they name the source; they "
        "count if no broker on the way to the source has answered.",
        reading="REJOIN is as printed here: ours tells of such a row as well, once its broker is back. Consistency is "
        "asked for non-faulty final destinations only, so that nothing is missing as long as that broker is away.",
        scenes=(scene("one_sided", "row_that_no_node_tells", "the row of a broker that was away as well is lost"),),
        quotes=(Quotation("Algorithm 7, line 14", "d(Z, N) < d(Z, R) and"),),
        prose=(
            Quotation(
                "Section 6",
                "is a set of predicate-nodeId pairs containing the subscription routing information that meets "
                "delta-Level-2 consistency requirements from R's point of view.",
            ),
        ),
    ),
    Claim(
        "recovering_answers",
        "a recovering broker asks a recovering one",
        "Section 6.2",
        "A recovering broker may take its table over from another recovering one, along a chain.",
        Result.SILENT,
        "If that one answers at once, the table is not complete.",
        lambda: found("answers_at_once"),
        "as read",
        counterexample=SEEN,
        instead="A broker that is still asking says so, and is bypassed: only one that has its table sends it.",
        reading="Section 6.2 does not say when it answers. That it computes its answer from received tables "
        "speaks against at once, "
        "which is tried here; the next claim is about later.",
        examined=Result.REFUTED,
        scenes=(scene("answers_at_once", "answered_at_once", "a table is taken over that is not complete"),),
        quotes=(
            Quotation(
                "Section 6.2", "Thus, R can correctly receive this information through the chain of RECOVERING nodes."
            ),
        ),
    ),
    Claim(
        "recovering_answers_when_done",
        "a recovering broker answers when it is done",
        "Section 6.2",
        "The same, if a broker answers only when its own table is complete.",
        Result.DEPENDS,
        "If the detector tells of a failure only when the broker is back, three of them may wait for each "
        "other: the one that came back first has gone past the second one, which was not there yet "
        "when it was asked, to the third one, which waits for the second, which waits for the first.",
        answered_when_done,
        "as read",
        counterexample=SEEN,
        instead="A broker does not wait for one that is still asking.",
        domain="Readings: {runs} random runs each of four brokers (0, 0.0, 0.0.0, 0.0.1), delta = 3, seeds 0 to "
        "149, 60 "
        "steps; looked at is whether every broker becomes operational.",
        readings=(
            Reading(
                "A broker answers when it is operational, and may be back before its failure was reported.",
                Result.REFUTED,
            ),
            Reading("The same, and its failure is reported to its peers before it is back.", Result.REPRODUCED),
            Reading(
                "A broker answers when it has the tables of all directions but that of the one that asks, and its "
                "failure is reported to its peers before it is back.",
                Result.REPRODUCED,
            ),
        ),
        reading="By direction, a broker that was back before its failure was reported waits for an answer to a "
        "question that was lost with the other one: {late} of {runs} runs. The paper does not say which broker asks "
        "again.",
        scenes=(scene("answers_when_done", "three_wait_for_each_other", "brokers that recover wait in a circle"),),
        quotes=(
            Quotation(
                "Section 6.2", "Each node, S^i on this chain is RECOVERING and receives PAR_TOP_S^i+1^S^i from S^i+1."
            ),
        ),
    ),
    Claim(
        "sent_again",
        "the messages sent again to a broker that is back",
        "Algorithm 7, line 9",
        "Messages that wait for a broker itself are sent to it again when it is back.",
        Result.REFUTED,
        "A message that went past it waits for a broker beyond. If that one has failed and comes back as well, it asks "
        "its nearest "
        "neighbours only, and is sent nothing by a broker farther away. That happens also if no connection is ever "
        "closed; with our rule, which closes connections past a broker that is back, it happens more often.",
        sent_again,
        "as printed",
        counterexample=SEEN,
        reading="The proof of Lemma 4 has all unconfirmed messages sent again by Algorithm 7; lines 4 and 9 send those "
        "only that wait for a broker with an undetected failure.",
        instead="Everything that waits for it, or for brokers past it, is sent to it and waits for it.",
        scenes=(scene("addressed_only", "not_sent_again", "a message that went past a broker is never confirmed"),),
        quotes=(
            Quotation(
                "Section 6",
                "Furthermore, there might be messages, m, that were sent to R and are not yet confirmed (i.e., R"
                " in Out_N^m and m in ProcessingList_N).",
            ),
        ),
        prose=(
            Quotation(
                "Section 6.1",
                "As a result, any non-confirmed messages that were previously forwarded to M (M is now failed), "
                "are re-sent to such that to bypass M (Lines 19-27).",
            ),
            Quotation(
                "Lemma 4, proof",
                "All these messages m are still in ProcessingList_O, and as part of the synchronization procedure "
                "(Algorithm 7), they are sent as Guided messages towards R_1",
            ),
        ),
    ),
    Claim(
        "bypasses_stay",
        "connections past a broker that is back",
        "Section 6",
        "Without failures each node is connected to its neighbours; nothing is said of closing further connections.",
        Result.SILENT,
        "If they stay, the connections are more than those of the tree. Section 4.4 does not forbid that, and "
        "no promise of "
        "delivery is broken by it: not in any of {runs} random runs. It is our conjunct that is false.",
        bypasses_stay,
        "as printed",
        counterexample="Three in a row, the middle one crashes and comes back: after {steps} steps its neighbours are "
        "connected for ever.",
        instead="They are closed once it is operational, and the other end is informed, so that a run ends where it "
        "began.",
        domain="The random runs: three brokers, delta = 2, seeds 0 to 149, 60 steps.",
        scenes=(pinned_scene("never_closed", "bypass_for_ever", "a connection past a broker that is back stays"),),
        quotes=(
            Quotation(
                "Section 4.4",
                "When there are no failed nodes in the system, each node N is connected to all its neighbors in "
                "the topology",
            ),
        ),
        examined=Result.REFUTED,
        searched=FEWER,
    ),
)
