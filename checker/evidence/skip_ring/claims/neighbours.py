"""Claims of Section 2.2: corrupted labels, and the edge that closes the ring (Lemma 4, Algorithm 2)."""

from collections.abc import Callable
from itertools import pairwise

from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim as Said
from gomboc.checker.errata.claim import Evidence, Figure, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script, delivery, timeout, until_legitimate
from gomboc.checker.evidence.skip_ring.experiments import closing_edge
from gomboc.checker.evidence.skip_ring.experiments.counting import false_claims, invents, makes_more, receipts
from gomboc.checker.evidence.skip_ring.experiments.printed_ring import STRICT, WHOLLY
from gomboc.checker.evidence.skip_ring.experiments.ring import PRINTED, right_states, stages
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import roles
from gomboc.spec.protocols.skip_ring.state import CYCLE, Claim, Introduce, Linearize, Subscriber

TIMEOUTS = 3


def one_false_label() -> Script:
    """SR(4), but v4 believes that v2 has the label 01; then three timeouts of v4, and rounds until all is well."""
    states = right_states(4)
    states["v4"] = replace(states["v4"], left=Claim("01", "v2"))
    start = Start(roles(4), tuple(sorted(states.items())))
    return until_legitimate(PROTOCOL, Script(start, (timeout("v4"),) * TIMEOUTS))


def two_candidates() -> Script:
    """SR(3), but v1 has v3 as its closing edge, and hears of v2, which is the right one."""
    states = right_states(3)
    states["v1"] = Subscriber("0", ring=Claim("01", "v3"))
    message = Introduce(Claim("1", "v2"), CYCLE)
    start = Start(roles(3), tuple(sorted(states.items())), (("v1", message),))
    return until_legitimate(PROTOCOL, Script(start, (delivery("v1", message),)))


def one_false_candidate() -> Script:
    """The same, but v1 has a false label for v3, which is not the right candidate."""
    states = right_states(3)
    states["v1"] = Subscriber("0", ring=Claim("001", "v3"))
    message = Introduce(Claim("1", "v2"), CYCLE)
    start = Start(roles(3), tuple(sorted(states.items())), (("v1", message),))
    return until_legitimate(PROTOCOL, Script(start, (delivery("v1", message),)))


def labels_do_not_multiply() -> Evidence:
    """Every single receipt of BuildRing as printed in SR(3); and, by our rules, two scenes turn by turn."""
    cases = list(receipts())
    printed = sum(makes_more(WHOLLY, *case) for case in cases)
    strict = sum(makes_more(STRICT, *case) for case in cases)
    stored = [false_claims(stage) for stage in stages(one_false_label())]
    candidate = [false_claims(stage) for stage in stages(one_false_candidate())]
    grows = all(any(later > earlier for earlier, later in pairwise(run)) for run in (stored, candidate))
    tied = makes_more(WHOLLY, "v1", Subscriber("0"), Linearize(Claim("0", "v2")))
    renamed = Subscriber("0", ring=Claim("01", "v3")), Introduce(Claim("1", "v3"), CYCLE)
    figures: dict[str, Figure] = {
        "cases": len(cases),
        "printed": printed,
        "strict": strict,
        "stored": stored[: TIMEOUTS + 1],
        "candidate": candidate[:2],
        "end": stored[-1] + candidate[-1],
    }
    new = any(invents(WHOLLY, *case) for case in cases)
    return by_readings(
        (settled(not new), settled(printed == 0)),
        figures,
        {
            "a Linearize with the receiver's own label makes two of one": tied,
            "line 34 makes two of one, with < in line 26 too": makes_more(STRICT, "v1", *renamed),
            "by our rules the number grows too, for a while": grows,
        },
    )


def candidate_is_lost() -> Evidence:
    """For every two candidates of the labels of SR(16): whether u still knows both."""
    cases = list(closing_edge.cases())
    both = frozenset(("old", "new"))
    printed = sum(closing_edge.printed(*case).kept != both for case in cases)
    old = sum(closing_edge.with_the_old_ring(*case).kept != both for case in cases)
    ours = sum(closing_edge.specified(*case).kept != both for case in cases)
    figures: dict[str, Figure] = {"cases": len(cases), "printed": printed, "old": old, "ours": ours}
    return by_readings((settled(old == 0), settled(printed == 0)), figures)


def introduced_to_itself() -> Evidence:
    """For the same candidates: whether a node is introduced to itself."""
    cases = list(closing_edge.cases())

    def itself(decide: Callable[..., closing_edge.Decided]) -> int:
        return sum(any(one == other for one, other in decide(*case).told) for case in cases)

    printed, old = itself(closing_edge.printed), itself(closing_edge.with_the_old_ring)
    ours = itself(closing_edge.specified)
    return Evidence(settled(printed == 0), {"cases": len(cases), "printed": printed, "old": old, "ours": ours})


def stored_on_both_sides() -> Script:
    """SR(1), beside it v2, which has no label and wants none: v1 hears that v2 has the label 0; then until all is well.

    Of one node because BuildRing as printed leaves no larger ring as it is, so that no run there would end.
    """
    message = Linearize(Claim("0", "v2"))
    states = {**right_states(1), "v2": Subscriber(None, wants=False)}
    start = Start(roles(2), tuple(sorted(states.items())), (("v1", message),))
    return until_legitimate(PRINTED["printed_build_ring"], Script(start, (delivery("v1", message),)))


BOTH_SIDES = Scene(
    "false_label_on_both_sides",
    "SR(1): v1 (label 0) hears that v2, which has no label, has the label 0, and stores it on both sides. v2 asks to "
    "be forgotten, and is",
    stored_on_both_sides,
    "printed_build_ring",
)
FALSE_LABEL = Scene(
    "one_false_label_becomes_four",
    "SR(4) with one false label, which is copied at every timeout, and then corrected everywhere",
    one_false_label,
)
FALSE_CANDIDATE = Scene(
    "one_false_candidate_becomes_two",
    "a false candidate for the closing edge is introduced to two nodes, and then corrected",
    one_false_candidate,
)
BOTH_KEPT = Scene(
    "both_candidates_are_kept",
    "v1 hears of a farther candidate: by our rule it keeps both, and tells v2 of v3; as printed, v3 would be forgotten",
    two_candidates,
)

CLAIMS = (
    Said(
        name="lemma_4_labels_do_not_multiply",
        title="corrupted labels do not multiply",
        source="Lemma 4, proof",
        says='"But since the number of corrupted node labels is finite and is not duplicating, eventually, the overall '
        'number of corrupted node labels will reduce to 0."',
        ran="BuildRing as printed, that is Algorithms 1 and 2 (variant printed_build_ring), one receipt at a time; the "
        "first trace adds our Algorithms 3 and 4. The other two, of the whole protocol, are of ours.",
        result=Result.DEPENDS,
        why="BuildRing as printed: of {cases} receipts (a node of SR(3) with any neighbours of the labels 0, 1, 01, "
        "and "
        "any Introduce or Linearize about another node), {printed} leave more false labels than there were. A claim "
        "with the receiver's own label is stored on both sides (line 26 and its analogue); the closing edge is both "
        "stored and introduced (Algorithm 2, lines 31-34); a message of line 22 to oneself is also taken by the lines "
        "that follow. In the whole protocol, by our rules, a false label that is stored is introduced anew in every "
        "timeout (Algorithm 4, lines 12-14): {stored} after 0 to 3 timeouts of one node; and a false candidate for "
        "the closing edge, which we introduce to two nodes, becomes two: {candidate}. Only this step of the proof is "
        "refuted. That the false labels die out all the same is not: in both runs their number ends at {end}, and "
        "theorem_8_linearize samples more of them.",
        evidence=labels_do_not_multiply,
        counterexample="BuildRing: v1 has the label 0 and no neighbours, and receives Linearize((0, v2)), which is "
        "false: left = right = (0, v2). The whole protocol: n = 4, all as it should be, but v4 believes that v2 "
        "has the label 01 (it has 1).",
        readings=(
            Reading("Different false labels are counted: no receipt makes one that was not there.", Result.REPRODUCED),
            Reading("Each false label is counted that is stored or in flight.", Result.REFUTED),
        ),
        reading="With < instead of <= in line 26, {strict} of the receipts still make more.",
        instead="Claims by third parties are verified (see theorem_8_linearize), so that a copy cannot displace a true "
        "claim.",
        scenes=(BOTH_SIDES, FALSE_LABEL, FALSE_CANDIDATE),
        quotes=(
            Quotation(
                "Lemma 4, proof",
                "But since the number of corrupted node labels is finite and is not duplicating, eventually, the"
                " overall number of corrupted node labels will reduce to 0.",
            ),
        ),
    ),
    Said(
        name="algorithm_2_candidate_is_kept",
        title="the old candidate for the closing edge is kept",
        source="Algorithm 2, lines 31-33; Section 2.2",
        says="Of two candidates on one side, u keeps the farther as u.ring, and introduces the other one to itself, "
        "so that no reference is lost.",
        ran="Lines 31 to 34 of Algorithm 2 as printed, by themselves, in both orders of evaluation; then ours for "
        "comparison.",
        result=Result.DEPENDS,
        why="It hangs on the order of evaluation of lines 31 and 32. Of {cases} cases (every node of SR(16) and two "
        "candidates on one side of it), the specification forgets the old candidate in {ours}.",
        evidence=candidate_is_lost,
        counterexample="u has the label 0 and u.ring = (01, v3), and hears of (1, v2).",
        instead="The two are compared before anything is assigned; the nearer one is linearised.",
        readings=(
            Reading(
                "{{c, u.ring}} of line 32 are the two candidates of line 31, before u.ring is assigned: the old one is "
                "forgotten in {old} cases.",
                Result.REPRODUCED,
            ),
            Reading(
                "Statements one after the other: where the new candidate is the farther, u.ring is it by line 32, the "
                "set has one element, nothing is left of it, and the old candidate is forgotten, in {printed} cases.",
                Result.REFUTED,
            ),
        ),
        reading='The first is the nearer one: line 31 has "=" where all other lines assign with an arrow, and w, which '
        "line 32 needs, is named by its argmax only.",
        lemmas=("printed_merge_loses_no_node",),
        scenes=(BOTH_KEPT,),
        quotes=(Quotation("Algorithm 2, lines 31 and 32", "w' <- {c, u.ring} - w"),),
        prose=(
            Quotation(
                "Section 2.2",
                "Additionally the node with minimum label stores an edge to the node with maximum label and vice"
                " versa, such that the sorted ring is closed.",
            ),
        ),
    ),
    Said(
        name="algorithm_2_no_node_is_introduced_to_itself",
        title="the nearer candidate is introduced to the farther one",
        source="Algorithm 2, line 34",
        says='"w <- Introduce(u.ring, LIN)", where w is the farther candidate, and u.ring was set to it in line 31.',
        ran="Lines 31 to 34 of Algorithm 2 as printed, by themselves; then ours for comparison.",
        result=Result.REFUTED,
        why="Line 34 tells w of u.ring, which is w: in {printed} of {cases} cases. w does not learn of w', and since "
        "nothing keeps a node from storing itself, the message breaks right rings (theorem_13_as_printed). By the "
        "specification it is introduced to itself in {ours} cases.",
        evidence=introduced_to_itself,
        counterexample="u has the label 0 and u.ring = (01, v3), and hears of (1, v2): v2 is sent Introduce((1, v2), "
        "LIN).",
        instead="w' is introduced to w. We take this to be the intention.",
        reading="If line 34 reads the u.ring from before line 31, w is introduced to itself in {old} of the "
        "cases, those in which the old candidate is the farther; in the others the old one is introduced to it, as "
        "intended. The prose asks for nothing of the kind; an author would answer that the line is a slip of the pen, "
        "for w'.",
        scenes=(BOTH_KEPT,),
        quotes=(Quotation("Algorithm 2, line 34", "w <- INTRODUCE(u.ring, LIN)"),),
        prose=(
            Quotation(
                "Section 2.2",
                "Nodes v periodically introduce themselves to their neighbors v.left and v.right in the sorted ring",
            ),
        ),
    ),
)
