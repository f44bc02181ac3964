"""Claims on masked failures: duplicates and order, and the purpose of our additions."""

from functools import cache
from random import Random

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene
from gomboc.checker.evidence.delta_fault_tolerance.claims.recovery import SEEN, by_outcomes, found, scene
from gomboc.checker.evidence.delta_fault_tolerance.experiments.guided import (
    before_it_is_heard,
    behind_the_back,
    end_of_a_guide,
)
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, failing
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.delta_fault_tolerance.models import ONE, TWO, protocol
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.space import right_start
from gomboc.spec.delta_fault_tolerance.state import Confirmed, Crash, Delivered, Down, Publish, Restart, Unreachable

LARGEST, MOST, RUNS, STEPS = 5, 3, 6, 100
DRAWN = 40
LINE = ("0", "0.0", "0.0.0", "0.0.0.0")
PUBLISHED = Publish((("x", 1),))


@cache
def drawn_on_trees(variant: str | None, deltas: tuple[int, ...], largest: int, runs: int) -> tuple[int, int]:
    """Random runs, so many on each tree of up to so many brokers with each delta, and those that go wrong."""
    made = [
        failing(protocol(delta, variant), delta, names, runs, STEPS)
        for delta in deltas
        for nodes in range(2, largest + 1)
        for names in trees(nodes)
    ]
    return runs * len(made), sum(map(len, made))


def failures_are_masked() -> Evidence:
    """Every tree of up to so many brokers, each delta, some schedules."""
    runs, wrong = drawn_on_trees(None, tuple(range(MOST + 1)), LARGEST, RUNS)
    return Evidence(settled(not wrong), {"runs": runs, "largest": LARGEST, "most": MOST})


def rejoin_must_say() -> Evidence:
    """A subscription goes past a broker that has its table: the run in which REJOIN says nothing of it, and ours."""
    made, ours = behind_the_back("silent_rejoin", published=True), behind_the_back(None, published=True)
    return Evidence(
        settled(not made.wrong()),
        {"steps": made.broken.get("no_loss", 0)},
        {"by our rules nothing is lost": not ours.wrong()},
    )


def rejoin_must_be_heard() -> Evidence:
    """A publication is sent to a broker that is back before its REJOIN is heard: without waiting, and ours."""
    made, ours = before_it_is_heard("no_rejoin"), before_it_is_heard(None)
    needed = Result.REPRODUCED if made.wrong() else Result.UNDECIDED
    steps = made.broken.get("no_loss", 0)
    return Evidence(needed, {"steps": steps}, {"by our rules nothing is lost": not ours.wrong()})


def too_many_are_reported() -> Evidence:
    """Four in a row, where the two in the middle have failed and delta is 1."""
    run = Run(protocol(1), right_start(Parameters(1), LINE, {LINE[3]: (ONE,)}))
    for name in LINE[1:3]:
        run.command(name, Crash())
    run.command(LINE[0], PUBLISHED)
    for name in LINE[1:3]:
        run.command(LINE[0], Down(name))
    kinds = [type(report) for _, report in run.told]
    return Evidence(settled(Unreachable in kinds and Confirmed not in kinds), {})


def exactly_once_for_whom() -> Evidence:
    """Two brokers: the subscriber crashes when it has been delivered a publication, and comes back."""
    run = Run(protocol(1), right_start(Parameters(1), TWO, {"0.1": (ONE,)}))
    run.command("0", PUBLISHED)
    run.deliver("0", "0.1")
    run.command("0.1", Crash())
    run.links["0.1", "0"].clear()
    run.command("0.1", Restart())
    run.settle(Random(0))
    had = sum(isinstance(report, Delivered) for _, report in run.told)
    return by_readings((settled(had == 1), settled(not run.broken)), {"times": had})


def guides_end() -> Evidence:
    """The run in which a guide ends, with recipients that are never widened, and by our rules."""
    made, ours = end_of_a_guide("not_widened"), end_of_a_guide(None)
    return Evidence(
        settled(not made.wrong()),
        {"steps": made.broken.get("no_loss", 0)},
        {"by our rules nothing is lost": not ours.wrong()},
    )


def never_seen(variant: str) -> Evidence:
    """Random runs of a variant, of which none may go wrong."""
    runs, wrong = drawn_on_trees(variant, tuple(range(1, MOST + 1)), LARGEST - 1, DRAWN // 4)
    return Evidence(Result.REFUTED if wrong else Result.UNDECIDED, {"runs": runs, "wrong": wrong})


CLAIMS = (
    Claim(
        "failures_are_masked",
        "up to delta failures in a row are masked",
        "Section 4.2; Theorem 1, Lemmas 2, 3, 4 and 8",
        "With at most delta failures, every publication is delivered once and in order to every subscriber, and "
        "tables are right after recovery.",
        Result.REPRODUCED,
        "By our rules: none of {runs} random runs on every tree of 2 to {largest} brokers, with every delta up to "
        "{most}, with crashes, several at once for delta above 1, is wrong.",
        failures_are_masked,
        "ours",
        reading="At most delta brokers in a row on any path, each counted until it is operational again.",
        quotes=(
            Quotation(
                "Section 4.2",
                "For each publication message, p, issued at time t, the reliable P/S system guarantees "
                "duplicate-free delivery of p to all non-faulty subscribers with a matching subscription "
                "confirmed before t.",
            ),
            Quotation(
                "Lemma 8",
                "Unless there are more than delta simultaneous non-OPERATIONAL nodes in the system, using the "
                "delta-Level-2 consistent routing information established by forwarding of subscriptions, all "
                "publications are delivered to matching subscribers as required by the reliability "
                "specification.",
            ),
        ),
    ),
    Claim(
        "rejoin_says_nothing",
        "REJOIN need carry no routing information",
        "Section 6; Lemma 4",
        "REJOIN updates no routing information where it is received; its purpose is to wait. Tables and guided "
        "messages are enough for the consistency of a recovering broker.",
        Result.REFUTED,
        "Its subscriptions from before the crash may be unknown to a broker that has come back at the same time.",
        rejoin_must_say,
        "as printed",
        counterexample="Three in a row, delta = 2. The middle one is back, and has a table from the first one, "
        "when the third one, which has not heard of that, subscribes past it, is confirmed, and crashes. The middle "
        "one never has the row; after {steps} steps a publication is confirmed, and was not delivered.",
        reading="The sentence on the purpose of REJOIN is not refuted; that nothing more is needed is, and "
        "with it the first sentence of Lemma 4. Two of three are not operational at most, which delta allows.",
        instead="REJOIN carries all subscriptions of its source to all brokers, in the place of those they knew; and "
        "a broker that asks while it is on its way gets it as well.",
        scenes=(
            Scene(
                "behind_the_back",
                "a subscription goes past a broker that has its table already, and is lost for it",
                lambda: behind_the_back("silent_rejoin", published=False).script(3),
                "silent_rejoin",
                1,
                {"delta": 2},
            ),
        ),
        quotes=(
            Quotation(
                "Section 6",
                "However, REJOIN messages do not update the topology routing information, at receiving nodes, "
                "and its sole purpose is to make sure that all the messages that have been resent are received "
                "within distance delta+1 of R",
            ),
            Quotation(
                "Lemma 4",
                "The routing information, TOP_R and SUBS_SET_R at a recovered node R is respectively delta-Level-1 and "
                "delta-Level-2 consistent.",
            ),
        ),
    ),
    Claim(
        "no_stamp_succeeds",
        "a duplicate if no stamp succeeds",
        "Section 5, and Lemma 2",
        "A message is no duplicate if and only if it has stamps that succeed the record.",
        Result.DEPENDS,
        "A copy that comes through a broker that is back has a new stamp of it beside the old one of another broker.",
        lambda: by_outcomes(found("all_stamps")),
        "as read, and ours",
        counterexample=SEEN,
        instead="One stamp that is not newer is enough for a duplicate.",
        readings=(
            Reading("It is enough that one pair succeeds.", Result.REFUTED),
            Reading("The pairs of a message that is no duplicate succeed, all of them.", Result.REPRODUCED),
        ),
        scenes=(scene("all_stamps", "delivered_twice", "a copy with one new stamp is delivered again"),),
        quotes=(
            Quotation(
                "Section 5",
                "Finally, m received at node N, is not a duplicate if and only if, m.visited contains pairs that"
                " succeed the pair with identical nodeId in ts_obj_N.",
            ),
        ),
    ),
    Claim(
        "all_but_the_sender",
        "recipients but the sender",
        "Section 4.1",
        "Of traditional systems it says that recipients are all neighbours but the sender; of its own, that "
        "messages go "
        "away from their source.",
        Result.OURS,
        "If the rule of traditional systems were taken over, a message that has come past a broker would go back to "
        "it.",
        lambda: found("not_the_sender"),
        "as read",
        counterexample=SEEN,
        instead="Away from the hop, as the paper has it: also not to a broker that was bypassed.",
        examined=Result.REFUTED,
        scenes=(
            scene(
                "not_the_sender",
                "back_to_a_node_that_was_bypassed",
                "a message that came past a broker goes back to it",
            ),
        ),
        quotes=(
            Quotation(
                "Section 4.1",
                "To make an analogy, in a traditional P/S systems, if m is a subscription message, then the "
                "computed recipient set at broker B would contain all the neighboring brokers excluding the "
                "sender of m.",
            ),
        ),
        prose=(
            Quotation(
                "Lemma 2, proof", "Multicast messages are always sent in a direction that is away from their source."
            ),
        ),
    ),
    Claim(
        "guides_are_needed",
        "guides",
        "Section 6",
        "A recovering broker must be told where a message goes.",
        Result.REPRODUCED,
        "Without a guide, with delta = {delta} and {n} brokers, a random run loses a publication after {steps} steps.",
        lambda: _needed("not_guided"),
        "ours without it",
        scenes=(scene("not_guided", "without_a_guide", "a recovering broker forwards to no broker and confirms"),),
        quotes=(
            Quotation(
                "Section 6",
                "The routing information at a RECOVERING node is inconsistent, and may lead to message loss.",
            ),
        ),
    ),
    Claim(
        "stamps_come_last",
        "stamps that are handed over",
        "Section 6; not in the paper",
        "A recovering broker gets the stamps after the messages on the way.",
        Result.OURS,
        "If they come first, the next message is taken for a duplicate: with delta = {delta} and {n} brokers after "
        "{steps} steps.",
        lambda: _needed("stamps_first"),
        "ours without it",
        scenes=(
            scene("stamps_first", "stamps_before_the_rest", "a message that was on the way is taken for a duplicate"),
        ),
        examined=Result.REPRODUCED,
    ),
    Claim(
        "rejoin_is_needed",
        "whether REJOIN is needed",
        "Section 6, and footnote 8",
        "REJOIN makes sure that messages sent again have arrived nearby before a broker is operational.",
        Result.REPRODUCED,
        "Without waiting for it, a broker is operational while others do not know its subscriptions. Three in a row, "
        "delta = 2: the third one subscribes past the second one, which has its table already, is confirmed, crashes, "
        "and is back. A publication of the second one before it hears REJOIN is confirmed after {steps} steps, and "
        "lost.",
        rejoin_must_be_heard,
        "ours without it",
        scenes=(
            Scene(
                "published_before_rejoin",
                "a publication is lost for a broker that is operational before its REJOIN is heard",
                lambda: before_it_is_heard("no_rejoin").script(),
                "no_rejoin",
                1,
                {"delta": 2},
            ),
        ),
        quotes=(
            Quotation(
                "Section 6, footnote 8", "REJOIN is used to deliberately delay the transition of R to OPERATIONAL."
            ),
        ),
    ),
    Claim(
        "stamps_are_needed",
        "whether stamps must be handed over",
        "Section 6; not in the paper",
        "A recovering broker needs the records of others.",
        Result.OURS,
        "None of {runs} random runs on trees of up to four brokers is wrong without.",
        lambda: never_seen("no_stamps"),
        "ours without it",
        examined=Result.UNDECIDED,
    ),
    Claim(
        "guides_end",
        "how far a guide reaches",
        "Section 6.1",
        "A guide names all brokers to which a recovering broker must send a message.",
        Result.REFUTED,
        "It reaches delta + 1 from the broker that gave it. The broker may be operational again, and the next one "
        "away, before the message is sent on.",
        guides_end,
        "as printed",
        counterexample="Four in a row, delta = 1. The second one rejoins while the first one publishes for the last "
        "one: the guide ends at the third one, which fails before it has the publication. After {steps} steps it "
        "is confirmed, and was not delivered.",
        instead="A recipient that is not known to be operational gives its place to its neighbours beyond as well.",
        scenes=(
            Scene(
                "where_a_guide_ends",
                "a publication ends where a guide ends, and is confirmed",
                lambda: end_of_a_guide("not_widened").script(),
                "not_widened",
                1,
                {"delta": 1},
            ),
        ),
        quotes=(
            Quotation("Section 6", "This ensures that R will have enough information on how to further forward m."),
        ),
    ),
    Claim(
        "too_many_failures",
        "more than delta failures",
        "Section 4.2",
        "Nothing is said of them.",
        Result.SILENT,
        "By our rules a recipient behind more than delta failures is reported, and the message is not confirmed.",
        too_many_are_reported,
        "ours",
        quotes=(
            Quotation(
                "Section 5",
                "We now consider the possibility of node failures. We define the delta-fault-tolerance property "
                "of a P/S system, as its ability to provide the P/S reliability guarantees (Section 4.2), and "
                "perform all operations in presence of up to delta non-OPERATIONAL",
            ),
        ),
        examined=Result.REPRODUCED,
        instead="The publisher is told `Unreachable`, since a confirmation would be false and silence says nothing.",
    ),
    Claim(
        "exactly_once",
        "exactly once, and for which subscribers",
        "Section 4.2",
        "Delivery to all non-faulty subscribers is free of duplicates.",
        Result.DEPENDS,
        "A subscriber that has crashed since has forgotten its deliveries.",
        exactly_once_for_whom,
        "ours",
        counterexample="Two brokers: the subscriber crashes before its confirmation has left, comes back, and is "
        "delivered the publication {times} times in all.",
        instead="No publication twice to a subscriber that does not crash in between.",
        reading="A client is part of its broker.",
        readings=(
            Reading("A subscriber is non-faulty if it is there when it is delivered a publication.", Result.REFUTED),
            Reading(
                "A subscriber is non-faulty if it has not crashed since the publication was sent.", Result.REPRODUCED
            ),
        ),
        quotes=(
            Quotation(
                "Section 4.2",
                "For each publication message, p, issued at time t, the reliable P/S system guarantees "
                "duplicate-free delivery of p to all non-faulty subscribers with a matching subscription "
                "confirmed before t.",
            ),
        ),
    ),
)


def _needed(variant: str) -> Evidence:
    """Evidence that a rule is needed: the variant without it goes wrong."""
    evidence = found(variant)
    needed = Result.REPRODUCED if evidence.result is Result.REFUTED else Result.UNDECIDED
    return Evidence(needed, evidence.figures, evidence.facts)
