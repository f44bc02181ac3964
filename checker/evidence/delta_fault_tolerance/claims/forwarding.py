"""Claims on forwarding: recipients, rows, duplicates and order; most break without any failure."""

from functools import cache
from itertools import pairwise
from random import Random

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script
from gomboc.checker.evidence.delta_fault_tolerance.experiments.readings import UNEQUAL, read
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import (
    FEWER,
    is_broken,
    is_stuck,
    script,
    shortest,
)
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.checker.evidence.delta_fault_tolerance.experiments.tried import holds_in
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Commanded
from gomboc.spec.core.network import Act
from gomboc.spec.protocols.delta_fault_tolerance.models import ANY, FIGURE_5, MODELS, ONE, Wanted, brokers, protocol
from gomboc.spec.protocols.delta_fault_tolerance.names import path
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Confirmed, Delivered, Publish

TABLE_1 = {
    "P1": ("N1", "N2 N3", "S1 S4", "S1 S4"),
    "N1": ("N2 N3", "S1 S4", "S1 S4", "S1 S4"),
    "N2": ("N1 S1", "N3 S1", "S1 S4", "S1 S4"),
    "N3": ("N1 S4", "N1 S4", "S1 S4", "S1 S4"),
    "S1": ("N2 S1", "N1 S1", "N3 S1", "S1 S4"),
    "S2": ("N1", "N1 S1", "N3 S1", "S1 S4"),
    "S3": ("N3", "N1 S4", "N2 S4", "S1 S4"),
    "S4": ("N3 S4", "N1 S4", "N2 S4", "S1 S4"),
}
"""As printed: the recipients of a publication at each node, for delta from 0 to 3; each cell in alphabetical order."""

WANTED = {"N1.N2.S1": (ONE,), "N1.N3.S4": (ONE,)}
PUBLISHED = Publish((("x", 1),))
LARGEST, MOST = 8, 3


def model(name: str) -> Instance:
    """The pinned instance of that name."""
    match = next(candidate.model for candidate in MODELS if candidate.name == name)
    assert isinstance(match, Instance)
    return match


@cache
def stuck(name: str) -> tuple[Act, ...] | None:
    """The shortest run of a pinned instance that comes to rest and is not right."""
    return shortest(model(name), is_stuck(model(name)))


@cache
def broken(name: str, promise: str) -> tuple[Act, ...] | None:
    """The shortest run of a pinned instance that breaks a promise over histories."""
    return shortest(model(name), is_broken(promise))


def stuck_script(name: str) -> Script:
    """The scene of a run that never becomes right."""
    acts = stuck(name)
    assert acts is not None, f"{name} breaks"
    return script(model(name), acts, 3)


def broken_script(name: str, promise: str) -> Script:
    """The scene of a run that breaks a promise."""
    acts = broken(name, promise)
    assert acts is not None, f"{name} breaks {promise}"
    return script(model(name), acts)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def computed(node: str, delta: int) -> str:
    """A cell of Table 1, from the rows of the specification and the node's own subscription."""
    states = dict(right_start(Parameters(delta), FIGURE_5, WANTED).locals)
    recipients = {row.via for row in states[node].rows} | ({node} if states[node].own else set())
    return " ".join(sorted(map(_short, recipients)))


def table_1() -> Evidence:
    """Every cell, computed anew."""
    by_name = {_short(name): name for name in FIGURE_5}
    wrong = [
        f"{node} for delta = {delta}: {{{printed}}} for {{{computed(by_name[node], delta)}}}"
        for node, cells in TABLE_1.items()
        for delta, printed in enumerate(cells)
        if computed(by_name[node], delta) != printed
    ]
    cells = sum(map(len, TABLE_1.values()))
    return Evidence(settled(not wrong), {"cells": cells, "wrong": wrong, "right": cells - len(wrong)})


def figure_5(variant: str | None, delta: int) -> Run:
    """A publication from P1 in Figure 5, without failures, for those that are to have it."""
    run = Run(protocol(delta, variant), right_start(Parameters(delta), FIGURE_5, WANTED))
    run.command("N1.P1", PUBLISHED)
    run.settle(Random(0))
    return run


def recipients_have_no_direction() -> Evidence:
    """Figure 5 as printed and by our rules, for each delta; and the smallest system that breaks."""
    acts = stuck("any_direction") or ()
    printed = {delta: figure_5("any_direction", delta) for delta in range(MOST + 1)}
    ours = {delta: figure_5(None, delta) for delta in range(MOST + 1)}
    return Evidence(
        settled(not any(run.wrong() for run in printed.values())),
        {"deltas": [delta for delta, run in printed.items() if run.wrong()], "steps": len(acts)},
        {"by our rules it is confirmed for each delta": not any(run.wrong() for run in ours.values())},
    )


def ends_without_failures() -> Evidence:
    """Every tree of up to so many brokers, each delta: every leaf subscribes, and each broker publishes."""
    done = right = costs = 0
    for nodes in range(1, LARGEST + 1):
        for names in trees(nodes):
            leaves = [name for name in names if not any(other.startswith(f"{name}.") for other in names)]
            for delta in range(MOST + 1):
                run = Run(protocol(delta), right_start(Parameters(delta), names, dict.fromkeys(leaves, (ONE,))))
                publisher = names[(done + delta) % len(names)]
                run.command(publisher, PUBLISHED)
                run.settle(Random(done))
                done += 1
                had = [node for node, report in run.told if isinstance(report, Delivered)]
                confirmed = sum(isinstance(report, Confirmed) for _, report in run.told)
                right += not run.wrong() and sorted(had) == sorted(leaves) and confirmed == 1
                towards = {step for leaf in leaves for step in _steps(path(publisher, leaf))}
                costs += run.sent == 2 * len(towards)
    return Evidence(
        settled(right == done),
        {"runs": done, "trees": done // (MOST + 1), "largest": LARGEST, "most": MOST},
        {"each link towards a subscriber costs one message and one confirmation": costs == done},
    )


def _steps(way: tuple[str, ...]) -> set[tuple[str, str]]:
    return set(pairwise(way))


def index_of_from() -> Evidence:
    """Four in a row, delta = 1: as printed, the index is never above 0 where it is needed."""
    indices = {d - (delta + 1) for delta in range(MOST + 1) for d in range(1, delta + 2)}
    acts = stuck("printed_index") or ()
    return Evidence(settled(not acts), {"steps": len(acts)}, {"no index is above 0": max(indices) == 0})


def duplicates_by_succession() -> Evidence:
    """Two brokers, by each reading of the sign."""
    acts, system = broken("inverted_duplicates", "no_loss") or (), model("inverted_duplicates")
    readings = read(UNEQUAL, 1), protocol(1, "inverted_duplicates"), protocol(1)
    return by_readings(tuple(holds_in(system, reading) for reading in readings), {"steps": len(acts)})


def delivered_on_confirmation() -> Evidence:
    """Three in a row: one publication goes on, and the next one ends here."""
    acts = broken("on_confirmation", "publisher_order") or ()
    calm = shortest(
        brokers(1, ("0", "0.1", "0.2"), {"0": (ANY,), "0.2": (ONE,)}, publication=1, other=1),
        is_broken("publisher_order"),
    )
    leaves: Wanted = {"0.1": (ANY,), "0.2": (ONE,)}
    own = shortest(
        brokers(1, ("0", "0.1", "0.2"), leaves, "on_confirmation", publication=1, other=1), is_broken("publisher_order")
    )
    return Evidence(
        settled(not acts),
        {"steps": len(acts), "own": len(own or ())},
        {
            "in order of arrival, no schedule breaks the order": calm is None,
            "of leaves, it happens to one that publishes": own is not None
            and isinstance(own[0].input, Commanded)
            and own[0].node == own[-1].node == "0.1",
        },
    )


def _deadlock() -> Script:
    return stuck_script("any_direction")


def _index() -> Script:
    return stuck_script("printed_index")


def _inverted() -> Script:
    return broken_script("inverted_duplicates", "no_loss")


def _late() -> Script:
    return broken_script("on_confirmation", "publisher_order")


ONE_DELTA = {"delta": 1}

CLAIMS = (
    Claim(
        "table_1",
        "the recipients of Table 1",
        "Table 1, and Figure 5",
        "Table 1 lists the recipients of a publication from P1 at each node of Figure 5, for delta from 0 to 3.",
        Result.REFUTED,
        "{right} of {cells} cells are right, and follow from delta-Level-2 consistency.",
        table_1,
        "none",
        counterexample="Printed for the right node: {wrong}. N3 names the one two hops away on "
        "the way to S1, which is N2; and the only neighbour of S2 is N2.",
        reading="Two misprints: no tree makes these two cells right beside the other cells of their rows.",
        instead="Recipients are computed from the rows that subscriptions left on their way.",
        quotes=(
            Quotation("Table 1", "Computed recipients sets of all nodes in Figure 5 for different values of delta."),
        ),
    ),
    Claim(
        "recipients_have_no_direction",
        "recipients are all that match",
        "Section 4.8, RCPT^PUB",
        "By the formula the recipients of a publication are all that rows name, in any direction. The prose is "
        "right: messages "
        "go away from their source.",
        Result.REFUTED,
        "Two brokers that both have a subscriber name each other, send the publication back, and wait for each other's "
        "confirmation. In Figure 5 that happens for delta = {deltas}.",
        recipients_have_no_direction,
        "as printed",
        counterexample="Two brokers, both with a client that has subscribed; one publishes. After {steps} steps each "
        "waits for the other one for ever.",
        instead="Recipients lead away from the hop that a message came from.",
        reading="An author would answer that delta-Level-2 consistency, and Table 1, want recipients in all "
        "directions, "
        'and that Theorem 1 speaks of final destinations "downstream": then it is line 15 of Algorithm 1 that lacks '
        "the "
        "direction. Together, the formula and the line send a message back.",
        scenes=(
            Scene(
                "two_wait_for_each_other",
                "two brokers wait for each other's confirmation, without any failure",
                _deadlock,
                "any_direction",
                1,
                ONE_DELTA,
            ),
        ),
        quotes=(
            Quotation("Section 4.8, RCPT^PUB", "(exists < pred, X > in SUBS_SET_N and matches(p.attrValSet, pred))"),
        ),
        prose=(
            Quotation(
                "Lemma 2, proof", "Multicast messages are always sent in a direction that is away from their source."
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "algorithm_1_ends",
        "without failures everything is confirmed",
        "Section 4.4, Algorithm 1",
        "Without failures every message is confirmed, and each matching subscriber has it once.",
        Result.REPRODUCED,
        "On each of the {trees} trees of up to {largest} brokers, with every delta up to {most}: {runs} runs, each "
        "with a schedule that is drawn.",
        ends_without_failures,
        "ours",
        effect="Each link towards a subscriber costs one message and one confirmation.",
        quotes=(
            Quotation(
                "Section 4.1",
                "For any multicast message m at node N, a Confirmation message, Conf^m, is generated at N "
                "indicating successful delivery of m to all non-faulty members of Gamma_N^m.",
            ),
        ),
    ),
    Claim(
        "index_of_from",
        "which broker a copied row names",
        "Section 4.7, make_copy_send^SUB",
        "By the formula a copy of a subscription that would reach too far names P(N, from)[d(N, M) - (delta + 1)]. The "
        "prose is right: a node at distance delta + 1 of M.",
        Result.REFUTED,
        "Every broker that N sends to is at most delta + 1 away, so the index is never above 0.",
        index_of_from,
        "as printed",
        counterexample="Four in a row, delta = 1, the client at one end subscribes. Read as the first of the path, the "
        "other end comes to name its neighbour, after {steps} steps: one failure there hides the subscriber.",
        instead="P(N, from)[delta + 1 - d(N, M)].",
        reading="An index below 0 is read as 0. That the formula is a slip of the pen, with the two terms "
        "exchanged, is plain "
        "from the prose.",
        scenes=(
            Scene(
                "row_names_a_neighbour",
                "a row names the neighbour, where it should name a broker two hops away",
                _index,
                "printed_index",
                1,
                ONE_DELTA,
            ),
        ),
        quotes=(Quotation("Section 4.7, make_copy_send^SUB", "s'.from <- P(N, s.from)[d(N, M) - (delta + 1)]"),),
        prose=(
            Quotation(
                "Section 4.7",
                "Intuitively, if M is more than delta + 1 hops away from s.from, it will receive a copy s', such"
                " that s'.from is a node on the connecting path between s.from and M, and at distance delta + 1 "
                "of M.",
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "duplicates_by_succession",
        "the test for duplicates",
        "Section 5, isDuplicate",
        "By the test, a message is a duplicate if a stamp of it stands in some relation to the record of "
        "that node. The "
        "sign of the relation is a not-equal sign in the text that we have.",
        Result.DEPENDS,
        "It hangs on one glyph. Looked at: all runs of two brokers and two publications.",
        duplicates_by_succession,
        "as read, and ours",
        counterexample="Two brokers, and a second message over one link. After {steps} steps it is confirmed, and was "
        "not delivered.",
        instead="A message is a duplicate if any stamp of it is not newer than the record.",
        readings=(
            Reading("Not equal: new messages are discarded, too.", Result.REFUTED),
            Reading("Succeeds: new messages are discarded.", Result.REFUTED),
            Reading("Does not succeed, which the sentence before it means: this is our test.", Result.REPRODUCED),
        ),
        scenes=(
            Scene(
                "second_message_discarded",
                "the second message over a link is taken for a duplicate",
                _inverted,
                "inverted_duplicates",
                1,
                ONE_DELTA,
            ),
        ),
        quotes=(Quotation("Section 5, isDuplicate", "if msgId != ts_obj_N.most_recent(nodeId) then Return True"),),
        prose=(
            Quotation(
                "Section 5",
                "Finally, m received at node N, is not a duplicate if and only if, m.visited contains pairs that"
                " succeed the pair with identical nodeId in ts_obj_N.",
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "in_order_delivery",
        "delivery when confirmations are in",
        "Algorithm 1, lines 25 and 26; Lemma 3",
        "A message is delivered once everything is confirmed; and messages of one source are delivered in order.",
        Result.REFUTED,
        "Lemma 3 is about arrival, Algorithm 1 delivers on confirmation: a publication that goes on waits, and the "
        "next one, which ends here, does not.",
        delivered_on_confirmation,
        "as printed",
        counterexample="Three in a row, the middle one wants two publications of one end, and the other end the first "
        "of them only. After {steps} steps the middle one is delivered the second one first.",
        instead="Publications are delivered, and subscriptions are stored, in the order of arrival.",
        reading="An author could answer that subscribers are clients, leaves that send nothing on; Section 4.1 does "
        "not tell clients and brokers apart. Of two leaves that subscribe, one that publishes for itself too is "
        "delivered its second publication first all the same, after {own} steps.",
        scenes=(
            Scene(
                "second_publication_first",
                "the second publication is delivered while the first one waits for its confirmation",
                _late,
                "on_confirmation",
                1,
                ONE_DELTA,
            ),
        ),
        quotes=(
            Quotation(
                "Section 4.2",
                "Furthermore, delivery of any publication p' published after p by the same source can only "
                "follow delivery of p.",
            ),
            Quotation("Algorithm 1, lines 25 and 26", "if N in Out_N^m then"),
        ),
        searched=FEWER,
    ),
)
