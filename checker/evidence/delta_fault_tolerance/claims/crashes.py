"""Claims on the model: the data lost in a crash, and the reports of the failure detector."""

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene
from gomboc.checker.evidence.delta_fault_tolerance.claims.forwarding import ONE_DELTA, broken, broken_script, model
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import FEWER
from gomboc.checker.evidence.delta_fault_tolerance.experiments.tried import (
    client_of_its_own,
    holds_in,
    is_delivered,
    told_when_it_failed,
)
from gomboc.spec.protocols.delta_fault_tolerance.models import protocol
from gomboc.spec.protocols.delta_fault_tolerance.state import Confirmed, Delivered


def loses(name: str) -> Evidence:
    """The shortest run of two brokers in which a confirmed publication was not delivered."""
    acts = broken(name, "no_loss") or ()
    return Evidence(settled(not acts), {"steps": len(acts)})


def with_ours(name: str) -> Evidence:
    """The same, and whether any promise is broken by our rules in the same system."""
    evidence = loses(name)
    return by_readings((evidence.result, holds_in(model(name), protocol(1))), evidence.figures)


def clients_are_forgotten() -> Evidence:
    """A client that is part of its broker, and one that is a node."""
    evidence = loses("forgets_its_client")
    apart = settled(is_delivered(client_of_its_own("forgets_its_client"), "0.0.0"))
    return by_readings((evidence.result, apart), evidence.figures)


def detector_may_err() -> Evidence:
    """Two brokers, where the detector tells one that the other has failed, which it has not, or has."""
    wrongly, rightly = told_when_it_failed(failed=False), told_when_it_failed(failed=True)
    kinds = [type(report) for _, report in wrongly.told]
    lost = Confirmed in kinds and Delivered not in kinds
    return by_readings((settled(not lost), settled(not rightly.wrong())), {"steps": len(wrongly.turns)})


CLAIMS = (
    Claim(
        "counters_are_lost",
        "counters after a crash",
        "Section 4.1",
        "All the data of a process is lost in a crash; identifiers are from a totally ordered set.",
        Result.DEPENDS,
        "If counts begin anew, a broker's messages after its return are taken for duplicates.",
        lambda: with_ours("counts_from_zero"),
        "as read, and ours",
        counterexample="Two brokers, and a publication of one that has been away: after {steps} steps it is confirmed, "
        "and was not delivered.",
        instead="A stamp is the number of the incarnation, which survives, and a count.",
        readings=(
            Reading("The count is data of the process, and begins anew.", Result.REFUTED),
            Reading(
                "An identifier of a totally ordered set that is locally unique is never given again by this node, and "
                "later ones are greater.",
                Result.REPRODUCED,
            ),
        ),
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
        "All the data of a process is lost in a crash, and a recovering broker asks others for its tables.",
        Result.DEPENDS,
        "No broker tells another the subscriptions of its own client.",
        clients_are_forgotten,
        "as read",
        counterexample="Two brokers, one crash: a client's subscription has been confirmed, and after {steps} steps "
        "a publication is confirmed, and was not delivered to it.",
        instead="They survive, REJOIN carries all of them, and those that were not confirmed are sent again.",
        readings=(
            Reading("A client is part of its broker, and fails with it.", Result.REFUTED),
            Reading(
                "A client is a node of its own, which keeps its subscription and tells it like any other node: its "
                "broker crashes, comes back, and sends it the publications from then on.",
                Result.REPRODUCED,
            ),
        ),
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
                "To simplify presentation, we initially ignore the distinction between clients and brokers, and "
                "refer to "
                "them as nodes.",
            ),
            Quotation(
                "Section 4.1",
                "Furthermore, all the data internal to the node's process and all messages in the communication "
                "layer are lost.",
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "detector_may_err",
        "the failure detector",
        "Section 4.1, and the Key Lemma",
        "No assumption is made on the failure detector but that it tells of failures.",
        Result.DEPENDS,
        "A false report makes a broker confirm a message that never arrived.",
        detector_may_err,
        "ours",
        readings=(
            Reading("The detector may tell of a failure that there was not.", Result.REFUTED),
            Reading("It detects failures: it tells of nothing else.", Result.REPRODUCED),
        ),
        counterexample="Two brokers, where the detector tells one that the other has failed: its next publication is "
        "confirmed after {steps} steps, and a subscriber that is there has not got it.",
        instead="The detector is perfect: its reports are assumed, and are not judged.",
        quotes=(
            Quotation(
                "Section 4.1",
                "If the failure detector detects failure of M, it will notify the process at N, by executing "
                "alpha_N^M <- FAILED.",
            ),
            Quotation(
                "Section 4.1",
                "Other than what has been stated so far, and the requirements of the particular failure detector"
                " implementation used, e.g., link delays, we do not make any further assumptions about the "
                "network communication links.",
            ),
        ),
    ),
)
