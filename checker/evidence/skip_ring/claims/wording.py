"""Claims on the wording: where algorithms and text contradict each other, and the cases they leave out."""

from itertools import permutations

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_ring.experiments import printed_supervisor as printed_database
from gomboc.checker.evidence.skip_ring.experiments.ring import database_of, levels, members
from gomboc.spec.skip_ring import printed
from gomboc.spec.skip_ring.labels import CIRCLE, distance, index_of, label_of, position
from gomboc.spec.skip_ring.state import Claim as Pair
from gomboc.spec.skip_ring.state import Entry, Subscriber, Supervisor
from gomboc.spec.skip_ring.subscriber import sides
from gomboc.spec.skip_ring.supervisor import get_configuration, subscribe

SIZES = range(2, 65)


def one_side_only() -> Evidence:
    """Every label of SR(16), and a claim with each of them, by Linearize as printed, with and without neighbours."""
    labels = [label_of(index) for index in range(16)]
    near, far = Pair("0", "l"), Pair("1111", "r")
    cases = [(own, label) for own in labels for label in labels]
    both = [case for case in cases if _on_both_sides(Subscriber(case[0]), case[1])]
    between = [own for own in labels[2:15] if _on_both_sides(Subscriber(own, left=near, right=far), own)]
    return Evidence(
        settled(not both),
        {"cases": len(cases), "both": len(both)},
        {
            "these are the claims with the receiver's own label": both == [(own, own) for own in labels],
            "with neighbours on both sides it is the same": len(between) == 13,
            "so is the receiver itself": all(_on_both_sides(Subscriber(own), own, "u") for own in labels),
            "a claim between a left neighbour on the wrong side and a right one is delegated to both": (
                _delegated_to(Subscriber("1", left=Pair("111", "l"), right=Pair("101", "r")), "11") == ["l", "r"]
            ),
        },
    )


def _on_both_sides(u: Subscriber, label: str, who: str = "x") -> bool:
    after = printed.linearize(u, "u", Pair(label, who)).local
    return bool(after.left == after.right == Pair(label, who))


def _delegated_to(u: Subscriber, label: str) -> list[str]:
    return [send.target for send in printed.linearize(u, "u", Pair(label, "x")).sends]


def formula_stays_in_the_interval() -> Evidence:
    """2 r(label_w) - r(v.label) for every node of SR(n) with a longer neighbour, and every step of the recursion."""
    outside = {nodes: [case for case in _values(nodes) if not 0 <= case[1] < CIRCLE] for nodes in SIZES}
    first = min(nodes for nodes, cases in outside.items() if cases)
    label, value = outside[first][0]
    around = all(index_of(e.label) < nodes for nodes in SIZES for u in members(nodes).values() for e in u.shortcuts)
    return by_readings(
        (settled(around), settled(not any(outside.values()))),
        {"first": first, "label": label, "value": f"{value / CIRCLE:g}", "most": SIZES[-1]},
        {
            "the value is 1, or the label is 0": all(
                value == CIRCLE or label == "0" for cases in outside.values() for label, value in cases
            ),
        },
    )


def _values(nodes: int) -> list[tuple[str, int]]:
    """The labels of SR(nodes), each with the value of the formula for a longer neighbour, in the order of the ring."""
    longer = (
        (u.label, side.neighbour.label)
        for u in members(nodes).values()
        for side in sides(u)
        if side.neighbour and u.label and len(side.neighbour.label) > len(u.label)
    )
    return sorted((label, 2 * position(neighbour) - position(label)) for label, neighbour in longer)


def text_and_pseudocode_agree() -> Evidence:
    """An unknown subscriber's request, copies in every order, and equal distances: by the text and by the lines."""
    two = Supervisor(database_of(2))
    asked, integrated = get_configuration(two, "v3").local.database, subscribe(two, "v3").local.database
    copies = [table for table in printed_database.every_table(3, ("a", "b")) if len(set(table.values())) < len(table)]
    orders = {number: list(map(dict, permutations(table.items()))) for number, table in enumerate(copies)}
    other = {number: sum(map(_keeps_any_other, arrangements)) for number, arrangements in orders.items()}
    labels = [label_of(index) for index in range(8)]
    equal = {
        (held, requested)
        for own in labels
        for held in labels
        for requested in labels
        if held < own and requested < own and distance(held, own) == distance(requested, own)
    }
    return Evidence(
        settled(asked == integrated and not any(other.values())),
        {
            "recorded": {entry.label: entry.node for entry in integrated},
            "asked": {entry.label: entry.node for entry in asked},
            "other": sum(other.values()),
            "orders": sum(map(len, orders.values())),
            "broken": sum(map(bool, other.values())),
            "sorted": sum(_keeps_any_other(dict(sorted(table.items()))) for table in copies),
            "tables": len(copies),
        },
        {"distances are equal only for one label": all(held == requested for held, requested in equal)},
    )


def _keeps_any_other(table: printed_database.Table) -> bool:
    return any(_keeps_another(table, node) for node in set(table.values()))


def _keeps_another(table: printed_database.Table, node: str | None) -> bool:
    """Whether the first tuple that the loop meets is not that with the lowest label."""
    lowest = min((label for label, held in table.items() if held == node), key=index_of)
    return lowest not in printed_database.check_multiple_copies(table, node)


def empty_and_single() -> Evidence:
    """Line 3 with an empty database; the neighbours of the only subscriber in a sorted ring of one."""
    undefined = False
    try:
        divmod(1, len(printed_database.check_labels({})))
    except ZeroDivisionError:
        undefined = True
    (alone,) = [Entry("0", "v1")]
    ring = [alone]
    neighbours = {ring[(0 - 1) % len(ring)], ring[(0 + 1) % len(ring)]}
    u = members(1)["v1"]
    return Evidence(
        settled(not undefined),
        {},
        {
            "the only node of a ring is its own predecessor and successor": neighbours == {alone},
            "by our rules it has no neighbours": (u.left, u.right, u.ring) == (None, None, None),
            "for n = 1 there are no levels": levels(1) == 0,
        },
    )


CLAIMS = (
    Claim(
        name="linearize_one_side",
        title="Linearize places a node on one side",
        source="Section 2.2; Algorithm 1, lines 16-28",
        says='"Any other nodes u are delegated by v to either v.left or v.right (depending on which node is closer to '
        'u)." Algorithm 1 prints the left side, and "analogously" for the right.',
        ran="Linearize as printed, without any guard (variant printed_build_ring).",
        result=Result.REFUTED,
        why="Nothing makes the two sides exclude each other, and both have <=: a node that is said to have the "
        "receiver's own label is stored on both sides, in {both} of {cases} cases (the labels of SR(16)), and so is "
        "the receiver itself.",
        evidence=one_side_only,
        counterexample="u has the label 0 and no neighbours, and receives Linearize((0, x)): left = right = (0, x).",
        instead="Guards that are not printed: claims about oneself are ignored; a tie, with oneself or with a stored "
        "neighbour, is not placed, but its subject is asked, or the supervisor, which alone can give one of the two "
        "another label.",
        reading="<= as printed in lines 24 and 26. Labels are unique in a legitimate state; in a corrupted one they "
        'are not. An author could answer that "analogously" means < on the right side; a claim is delegated to both '
        "sides then still, if it lies between a left neighbour that is on the wrong side and a right one.",
        quotes=(
            Quotation(
                "Section 2.2",
                "Any other nodes u are delegated by v to either v.left or v.right (depending on which node is "
                "closer to u).",
            ),
            Quotation("Algorithm 1, line 24", "if label_v <= u.left then"),
        ),
    ),
    Claim(
        name="shortcut_formula_wraps",
        title="the formula for shortcuts stays within the ring",
        source="Section 3.2.2",
        says='v "has to have a shortcut with label s and r(s) = 2 x r(label_w) - r(v.label)".',
        ran="None: the formula, on the neighbours in a legitimate state.",
        result=Result.DEPENDS,
        why="On its left side the label 0 has neighbours near 1, and for a node in the upper half the value can be 1; "
        "neither is r of a label. For n up to {most} there are no other such cases. With 1 for 0 the formula gives "
        "labels of the ring for every node.",
        evidence=formula_stays_in_the_interval,
        counterexample="n = {first}, label {label}: the formula gives {value}.",
        instead="Values are taken modulo 1.",
        readings=(
            Reading(
                'On the circle: "the 1 is represented by the subscriber with label 0", and 1 stands for r(0) on the '
                "left side of 0. All values are labels of the ring.",
                Result.REPRODUCED,
            ),
            Reading("As a formula on numbers.", Result.REFUTED),
        ),
        reading="Section 3.2.2 says so in passing, of one semicircle.",
        quotes=(
            Quotation(
                "Section 3.2.2",
                "If v recognizes that |v.label| < |label_w|, then v knows that it has to have a shortcut with "
                "label s and r(s) = 2 x r(label_w) - r(v.label), because node w was previously inserted between "
                "subscribers with labels s and v.label.",
            ),
        ),
        prose=(
            Quotation(
                "Section 3.2.2",
                "the semicircle of subscribers within the interval [1/2, 1] (where the 1 is represented by the "
                "subscriber with label 0)",
            ),
        ),
    ),
    Claim(
        name="text_and_pseudocode",
        title="text and pseudocode say the same",
        source="Section 3.1 (ii), Section 3.2.1; Algorithm 3, lines 24-37; Algorithm 4, line 18",
        says='Upon a configuration request of v, "the supervisor integrates v into the database" (text); "u <- '
        'SetData(bottom, bottom, bottom)" (line 30). Of several tuples, it keeps that "with lowest label" (text); the '
        "first that the loop meets (lines 33 to 37). A neighbour is asked about if it is at most as far (text, <=); if "
        "it is closer (line 18, <). SetData has a label in the middle (line 10), and a tuple (line 28).",
        ran="Algorithm 3, lines 24 to 37, as printed, beside the text.",
        result=Result.REFUTED,
        why="A request about v3, which is not recorded, at the supervisor of SR(2): by the text {recorded}, by the "
        "pseudocode {asked}. Of the {tables} databases of three labels and two subscribers that have copies, {broken} "
        "keep another label than the lowest in some order in which the loop of CheckMultipleCopies may meet their "
        "tuples: in {other} of all {orders} orders. Equal distances on one side occur for one "
        "label only: then the text asks about the old neighbour, and line 18 does not. On overwriting or merging see "
        "section_3_3_one_failure_detector.",
        evidence=text_and_pseudocode_agree,
        counterexample="n = 2, GetConfiguration(v3) at the supervisor.",
        instead="The pseudocode for a request, since a neighbour may be the one that asks about a node that has left; "
        "the "
        "text for copies, and for <=.",
        reading="The request, and < against <=, hang on no reading. Section 4.1 has the tuples sorted by their "
        "labels: a loop in that order meets the least number first, which need not be the lowest label in the order "
        "in which labels are given out (in {sorted} of the {tables} databases it is another). That a tuple stands for "
        "its label, Appendix A allows for comparisons and calls.",
        quotes=(
            Quotation(
                "Section 3.2.1",
                "Upon receiving a configuration request from a subscriber v, the supervisor integrates v into "
                "the database (if it is not already contained in the database) and sends v its configuration and"
                " thus its correct label.",
            ),
            Quotation(
                "Section 3.1 (ii)",
                "It then removes all duplicates except the tuple with lowest label, guaranteeing that v is "
                "associated with no more than one label.",
            ),
            Quotation("Algorithm 3, line 30", "u <- SETDATA(bottom, bottom, bottom)"),
            Quotation("Algorithm 3, line 10", "v <- SETDATA(pred_v, l(n), succ_v)"),
            Quotation("Algorithm 3, line 28", "v <- SETDATA(pred_v, (label_v, v), succ_v)"),
        ),
    ),
    Claim(
        name="empty_and_single",
        title="the supervisor's timeout for no subscriber and for one",
        source="Algorithm 3, lines 3-5 and 27",
        says='"next <- next + 1 mod n"; "let (label, v) in database with label = l(next)"; "let pred_v, '
        'succ_v in database be the predecessor/successor of v in the ring". Of n = 0 and n = 1 nothing is said.',
        ran="Algorithm 3, line 3, as printed, on the empty database.",
        result=Result.SILENT,
        examined=Result.REFUTED,
        why="For n = 0 line 3 divides by 0, and there is no tuple for line 4. For n = 1, v is its own predecessor and "
        "successor, so that SetData tells it to be its own neighbour, as line 27 stands.",
        evidence=empty_and_single,
        counterexample="database = {{}}, as it may be at first, or when the last subscriber has left.",
        instead="For n = 0 the timeout does nothing; for n = 1 there are no neighbours.",
        quotes=(
            Quotation("Algorithm 3, line 3", "next <- next + 1 mod n"),
            Quotation(
                "Algorithm 3, line 27", "Let pred_v, succ_v in database be the predecessor/successor of v in the ring"
            ),
        ),
        prose=(
            Quotation(
                "Section 3.1",
                "In the supervisor's TIMEOUT method, the supervisor chooses a subscriber v in a round-robin "
                "fashion (using the variable next) from its database.",
            ),
        ),
    ),
)
