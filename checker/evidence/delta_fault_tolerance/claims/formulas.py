"""Claims on formulas and lines that say something else than the prose around them."""

from functools import cache
from random import Random

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.delta_fault_tolerance.experiments.formulas import (
    LARGEST,
    MOST,
    covered_recipients,
    out,
    places,
    subscription_recipients,
)
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, walk
from gomboc.spec.protocols.delta_fault_tolerance.models import ONE, TWO, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Crash, Publish

RUNS, STEPS, CRASHES = 60, 40, 0.06


def out_of_oneself() -> Evidence:
    """Line 15 at each broker, with all brokers nearby as recipients, itself among them."""
    here = places()
    as_printed = connected = apart = True
    cases = 0
    for broker in here:
        cases += 1
        me, wanted = broker.me, broker.near
        as_printed &= me in out(me, broker.neighbours, wanted)
        connected &= broker.neighbours <= out(me, broker.neighbours | {me}, wanted)
        apart &= out(me, broker.neighbours, wanted - {me}) == broker.neighbours
    return by_readings(
        (settled(as_printed), settled(connected), settled(apart)),
        {"cases": cases, "largest": LARGEST, "most": MOST},
    )


def link_test() -> Evidence:
    """RCPT^SUB at each broker, for each s.from within delta + 1 of it: the formula, and the sentence below it."""
    cases = wrong = linked = 0
    for broker in places():
        for source in sorted(broker.near - {broker.me}):
            cases += 1
            said = covered_recipients(broker, source)
            wrong += subscription_recipients(broker, source, of_source=True) != said
            linked += subscription_recipients(broker, source, of_source=False) != said
    return by_readings(
        (settled(not wrong), settled(not linked)),
        {"cases": cases, "wrong": wrong, "largest": LARGEST, "most": MOST},
    )


@cache
def leaf_fails(*, informed: bool) -> Run:
    """Two brokers: one has subscribed and fails, and the other one publishes; the detector tells it, or does not."""
    run = Run(protocol(1), right_start(Parameters(1), TWO, {TWO[1]: (ONE,)}))
    run.command(TWO[1], Crash())
    run.command(TWO[0], Publish((("x", 1),)))
    run.drain()
    for node, word in run.owed() if informed else []:
        if node == TWO[0]:
            run.command(node, word)
    run.drain()
    return run


def whose_detector() -> Evidence:
    """Whether the publication is over while the subscriber is away."""
    outcomes = tuple(settled(not leaf_fails(informed=informed).states[TWO[0]].entries) for informed in (False, True))
    return by_readings(outcomes, {})


def without_rejoin() -> Evidence:
    """Random runs in which brokers join, subscribe, publish and crash, without REJOIN."""
    runs = wrong = 0
    for delta in (1, 2):
        for seed in range(RUNS):
            made = walk(protocol(delta, "no_rejoin"), delta, TWO, Random(seed), STEPS, CRASHES, outside=("0.1.2",))
            runs += 1
            wrong += bool(made.wrong())
    result = Result.UNDECIDED if not wrong else Result.REPRODUCED
    return Evidence(result, {"runs": runs, "wrong": wrong, "steps": STEPS})


CLAIMS = (
    Claim(
        "out_of_oneself",
        "whether a broker is in its own Out",
        "Algorithm 1, lines 15 and 25",
        "N is a final destination if it is in Out_N^m, which line 15 computes from the connections of N.",
        Result.DEPENDS,
        "Looked at: {cases} brokers of all trees of up to {largest} brokers, each with delta from 0 to {most}, where "
        "all brokers nearby are recipients, N among them.",
        out_of_oneself,
        "as printed, and as read",
        instead="A broker that is a recipient itself takes the message when it arrives, and sends it to the nearest "
        "connections on the paths to the others.",
        readings=(
            Reading("N has no connection to itself: it is never in Out, and line 26 never runs.", Result.REFUTED),
            Reading(
                "N counts as one of its connections: it is the nearest one on every path, and nothing is sent on.",
                Result.REFUTED,
            ),
            Reading(
                "Line 15 is about the others, and N is in Out if it is a recipient: every neighbour on a path to a "
                "recipient is sent the message.",
                Result.REPRODUCED,
            ),
        ),
        quotes=(
            Quotation("Algorithm 1, line 25", "if N in Out_N^m then"),
            Quotation(
                "Section 4.4",
                "Line 15 corresponds to initialization of Out_N^m by the set of closest non-faulty nodes M, that N "
                "maintains a connection with",
            ),
        ),
        prose=(
            Quotation(
                "Section 4.4",
                "If N is a final destination of m, it delivers the message, and updates its local routing information",
            ),
        ),
    ),
    Claim(
        "link_test_of_subscriptions",
        "the link test of RCPT^SUB",
        "Section 4.7, RCPT^SUB",
        "X is a recipient of s at N if N is on the path from X to s.from, and s.from has a link in TOP_N.",
        Result.DEPENDS,
        "Looked at: {cases} pairs of a broker and an s.from within delta + 1 of it, in all trees of up to {largest} "
        "brokers, with delta from 0 to {most}. As printed the test says nothing of X: in {wrong} of them the formula "
        "names brokers that N does not know.",
        link_test,
        "as printed, and as read",
        instead="The recipients are the brokers that N knows with a path to s.from through N.",
        readings=(
            Reading("The link is one of s.from, as printed.", Result.REFUTED),
            Reading(
                "The link is one of X, as in RCPT^J: it agrees with the sentence below it.",
                Result.REPRODUCED,
            ),
        ),
        quotes=(
            Quotation(
                "Section 4.7, RCPT^SUB",
                "X | N in P(X, s.from) and (exists Z, (s.from)Z in TOP_N)",
            ),
        ),
        prose=(
            Quotation(
                "Section 4.7",
                "In other words, the recipient set of s at node N contains any node in the portion of the topology "
                "that is covered by TOP_N, and connects to s.from via a path through N.",
            ),
        ),
    ),
    Claim(
        "whose_detector",
        "the node that a join point monitors",
        "Algorithm 2, join point",
        'The join point M executes "Start fault detection with M".',
        Result.DEPENDS,
        "Two brokers, delta = 1: one of them has subscribed, and fails; the other one publishes.",
        whose_detector,
        "as printed, and as read",
        instead="The join point monitors the node that joins.",
        readings=(
            Reading(
                "M monitors itself: the detector does not report the node's failure to it, and waits for its "
                "confirmation as long as that is away.",
                Result.REFUTED,
            ),
            Reading("M monitors N, as the joining node monitors M in the column beside it.", Result.REPRODUCED),
        ),
        quotes=(Quotation("Algorithm 2", "Start fault detection with M"),),
        prose=(
            Quotation(
                "Section 5",
                "Furthermore, communication links are monitored by failure detectors, and failure of any node M "
                "detected by any connecting peer N invokes failureDetected_N(M).",
            ),
        ),
    ),
    Claim(
        "rejoin_for_joins_and_subscriptions",
        "joins, subscriptions and publications without REJOIN",
        "Section 6, and footnote 8",
        "REJOIN delays a broker until the messages sent again have arrived nearby.",
        Result.UNDECIDED,
        "Of {runs} random runs without it {wrong} go wrong. That it is needed for publications is shown by a "
        "run that was built (rejoin_is_needed).",
        without_rejoin,
        "ours without it",
        domain="Two brokers and a leaf that joins, delta = 1 and 2, seeds 0 to 59 each, {steps} steps, in which "
        "clients subscribe, unsubscribe and publish, and brokers crash as far as delta allows.",
        quotes=(
            Quotation(
                "Section 6",
                "its sole purpose is to make sure that all the messages that have been resent are received within "
                "distance delta+1 of R",
            ),
        ),
    ),
)
