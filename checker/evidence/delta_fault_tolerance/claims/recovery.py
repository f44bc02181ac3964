"""Claims on recovery: whom a broker that is back asks, what it is told, and what it must not forget."""

from functools import cache
from random import Random

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script
from gomboc.checker.evidence.delta_fault_tolerance.claims.forwarding import (
    ONE_DELTA,
    broken,
    broken_script,
    stuck,
    stuck_script,
)
from gomboc.checker.evidence.delta_fault_tolerance.exhibits.running import Run, failing, walk
from gomboc.checker.evidence.delta_fault_tolerance.exhibits.shortest import FEWER
from gomboc.spec.delta_fault_tolerance.models import protocol

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


def loses(name: str) -> Evidence:
    """The shortest run of two brokers in which what was confirmed was not delivered."""
    acts = broken(name, "no_loss") or ()
    return Evidence(settled(not acts), {"steps": len(acts)})


def pinned_scene(variant: str, name: str, shows: str) -> Scene:
    """The trace of the shortest run of a pinned model."""
    return Scene(name, shows, lambda: stuck_script(variant), variant, 1, ONE_DELTA)


SEEN = "A random run with delta = {delta} and {n} brokers goes wrong after {steps} steps: {wrong}."

CLAIMS = (
    Claim(
        "status_told",
        "whose status is told",
        "Algorithm 7, line 18",
        "Who is asked tells the status that it has noted of who asks.",
        Result.REFUTED,
        "That is always 'recovering', so that who asks takes everybody for recovering.",
        lambda: pinned("status_of_the_other"),
        "as printed",
        counterexample="Two brokers, of which one crashes and comes back: after {steps} steps all is "
        "over, and it takes the other one for recovering.",
        instead="A broker tells its own status.",
        scenes=(
            pinned_scene("status_of_the_other", "nobody_seems_operational", "who was asked is taken for recovering"),
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
        "Who recovers says that it is operational, then sends REJOIN; until it is operational it discards what has no "
        "guide.",
        Result.REFUTED,
        "Its neighbours send without a guide in between, and wait for ever for a confirmation.",
        lambda: pinned("discarding"),
        "as printed",
        counterexample="Two brokers, of which one crashes and comes back while the other one publishes: stuck after "
        "{steps} steps.",
        instead="REJOIN first; and what comes is processed, not discarded.",
        scenes=(pinned_scene("discarding", "discarded_before_rejoin", "what has no guide is discarded"),),
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
        "whose rows are told",
        "Algorithm 7, line 14",
        "A broker tells the rows of whoever is nearer to it than to who recovers.",
        Result.REFUTED,
        "Of a broker that is away as well nobody is nearer: it lies on the other side for both neighbours.",
        lambda: found("one_sided"),
        "as printed",
        counterexample=SEEN,
        instead="Rows of the other side are told too where they are exact, that is, where they name the source; they "
        "count if nobody on the way to the source has answered.",
        reading="REJOIN is as printed here: ours tells of such a row as well, once its broker is back.",
        scenes=(scene("one_sided", "row_that_nobody_tells", "the row of a broker that was away as well is lost"),),
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
        "who recovers asks who recovers",
        "Section 6.2",
        "Who recovers may take its table over from who recovers itself, along a chain.",
        Result.REFUTED,
        "If that one answers at once, the table is not complete.",
        lambda: found("answers_at_once"),
        "as printed",
        counterexample=SEEN,
        instead="Who is still asking says so, and is gone past: only who has its table tells it.",
        reading="Section 6.2 does not say when it answers: this is at once, the next claim is when it is done.",
        scenes=(scene("answers_at_once", "answered_at_once", "a table is taken over that is not complete"),),
        quotes=(
            Quotation(
                "Section 6.2", "Thus, R can correctly receive this information through the chain of RECOVERING nodes."
            ),
        ),
    ),
    Claim(
        "recovering_answers_when_done",
        "who recovers answers when it is done",
        "Section 6.2",
        "The same, if a broker answers only when its own table is complete.",
        Result.REFUTED,
        "Three of them wait for each other: who came back first has gone past the second one, which was not there yet "
        "when it was asked, to the third one, which waits for the second, which waits for the first.",
        lambda: found("answers_when_done"),
        "as read",
        counterexample=SEEN,
        instead="Nobody waits for who is still asking.",
        scenes=(scene("answers_when_done", "three_wait_for_each_other", "brokers that recover wait in a circle"),),
        quotes=(
            Quotation(
                "Section 6.2", "Each node, S^i on this chain is RECOVERING and receives PAR_TOP_S^i+1^S^i from S^i+1."
            ),
        ),
    ),
    Claim(
        "sent_again",
        "what is sent again to who is back",
        "Algorithm 7, line 9",
        "What waits for a broker itself is sent to it again when it is back.",
        Result.REFUTED,
        "What went past it waits for a broker whose connection is closed then.",
        lambda: found("addressed_only"),
        "as printed",
        counterexample=SEEN,
        instead="Everything that waits for it, or for brokers past it, is sent to it and waits for it.",
        scenes=(scene("addressed_only", "not_sent_again", "what went past a broker is never confirmed"),),
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
        ),
    ),
    Claim(
        "counters_are_lost",
        "counters after a crash",
        "Section 4.1",
        "All the data of a process is lost in a crash; identifiers are from a totally ordered set.",
        Result.REFUTED,
        "If counts begin anew, what a broker sends after its return is taken for a duplicate.",
        lambda: loses("counts_from_zero"),
        "as printed",
        counterexample="Two brokers, and a publication of one that has been away: after {steps} steps it is confirmed, "
        "and was not delivered.",
        instead="A stamp is the number of the incarnation, which survives, and a count.",
        scenes=(
            Scene(
                "counts_begin_at_0",
                "a publication after a crash is taken for a duplicate",
                lambda: broken_script("counts_from_zero", "no_loss"),
                "counts_from_zero",
                1,
                ONE_DELTA,
            ),
        ),
        quotes=(
            Quotation(
                "Section 4.1",
                "Furthermore, all the data internal to the node's process and all messages in the communication "
                "layer are lost.",
            ),
        ),
        prose=(Quotation("Section 4.4", "which returns a locally unique identifier from a totally ordered set."),),
        searched=FEWER,
    ),
    Claim(
        "clients_are_forgotten",
        "a client's subscriptions after a crash",
        "Section 4.1",
        "All the data of a process is lost in a crash, and who recovers asks others for its tables.",
        Result.REFUTED,
        "Nobody tells a broker what its own client has subscribed to.",
        lambda: loses("forgets_its_client"),
        "as printed",
        counterexample="Two brokers, one crash: a client has been told that it is subscribed, and after {steps} steps "
        "a publication is confirmed, and was not delivered to it.",
        instead="They survive, REJOIN says all of them, and what was not confirmed of them is said again.",
        scenes=(
            Scene(
                "client_forgotten",
                "a client that has subscribed is forgotten in a crash",
                lambda: broken_script("forgets_its_client", "no_loss"),
                "forgets_its_client",
                1,
                ONE_DELTA,
            ),
        ),
        quotes=(
            Quotation(
                "Section 4.1",
                "Furthermore, all the data internal to the node's process and all messages in the communication "
                "layer are lost.",
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "bypasses_stay",
        "connections past a broker that is back",
        "Section 6",
        "Nothing is said of closing them.",
        Result.SILENT,
        "Connections are not those of the tree in the end, as Section 4.4 has it.",
        lambda: pinned("never_closed"),
        "as printed",
        counterexample="Three in a row, the middle one crashes and comes back: after {steps} steps its neighbours are "
        "connected for ever.",
        instead="They are closed once it is operational, and the other end is told.",
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
