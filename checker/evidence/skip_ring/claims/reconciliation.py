"""Claims of Section 4.2 and Lemma 20, settled on a model of tries."""

from collections.abc import Mapping

from gomboc.checker.errata.claim import Claim, Evidence, Figure, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_ring.claims.tries import MODEL
from gomboc.checker.evidence.skip_ring.experiments.lemma_20 import (
    Choice,
    brings_something,
    choices,
    example,
    is_asked,
    is_asked_later,
    moves,
    published,
)
from gomboc.checker.evidence.skip_ring.experiments.tries import (
    BITS,
    Formula,
    ends,
    exchange,
    exchanges,
    keys_of,
)


def t_can_be_chosen() -> Evidence:
    """Whether t exists; and whether the lemma's conclusion is true all the same."""
    without = [choice for choice in choices() if choice.t is None]
    ended = ends(BITS, Formula.OF_HASHES).values()
    smallest = min(without, key=Choice.size)
    return Evidence(
        settled(not without),
        {
            "cases": len(choices()),
            "without": len(without),
            "mine": list(keys_of(smallest.mine, BITS)),
            "theirs": list(keys_of(smallest.theirs, BITS)),
            "p": smallest.p.label or "the empty word",
            "pairs": len(ended),
            "turns": max(end.turns for end in ended),
        },
        {"every pair becomes equal": all(end.one == end.other for end in ended)},
    )


def t_is_asked_for() -> Evidence:
    """Whether u sends CheckTrie(u, t) to v, in the exchange that u begins or in the one that v begins."""
    eligible = [choice for choice in choices() if choice.t is not None]
    silent = [choice for choice in eligible if not is_asked(choice)]
    pairs_with = {(choice.mine, choice.theirs) for choice in choices()}
    dry = [pair for pair in pairs_with if not brings_something(*pair)]
    smallest = min(silent, key=Choice.size)
    return Evidence(
        settled(not silent),
        {
            "cases": len(eligible),
            "silent": len(silent),
            "never": sum(not is_asked_later(choice) for choice in silent),
            "pairs": len(pairs_with),
            "dry": len(dry),
            **example("one", smallest),
        },
        {
            "of every two exchanges, one brings a node a publication": all(moves(*pair) for pair in pairs_with),
            "after more exchanges every pair is equal": all(
                e.one == e.other for e in ends(BITS, Formula.OF_HASHES).values()
            ),
        },
    )


def prefix_is_the_label_of_p() -> Evidence:
    """Whether p' is the label of p, wherever t exists."""
    eligible = [choice for choice in choices() if choice.t is not None]
    other = [choice for choice in eligible if choice.prefix != choice.p.label]
    shorter = [choice for choice in other if choice.p.label.startswith(choice.prefix)]
    longer = [choice for choice in other if choice.prefix.startswith(choice.p.label)]
    figures: dict[str, Figure] = {"cases": len(eligible), "other": len(other)}
    figures |= {"shorter": len(shorter), "longer": len(longer), "beside": len(other) - len(shorter) - len(longer)}
    return Evidence(
        settled(not other),
        figures | example("one", min(shorter, key=Choice.size)) | example("two", min(longer, key=Choice.size)),
        {
            "a shorter p' selects the publications below p": all(
                published(candidate) == candidate.p.below for candidate in shorter
            ),
            "a longer one, or one beside p, does not": not any(
                published(candidate) == candidate.p.below for candidate in other if candidate not in shorter
            ),
            "u always publishes something for p'": all(published(choice) for choice in eligible),
            "all of it is missing in v": not any(published(choice) & choice.theirs for choice in eligible),
        },
    )


def example_of_figure_2() -> Evidence:
    """The messages and publications of the example of Section 4.2, started at u and at v."""
    u, v = (sum(1 << int(key, 2) for key in keys) for keys in (("000", "010", "100", "101"), ("000", "010", "100")))
    at_u, at_v = exchange(u, v, BITS, Formula.OF_HASHES), exchange(v, u, BITS, Formula.OF_HASHES)
    sent = len(at_v.checks) + len(at_v.published)
    return Evidence(
        settled(len(at_u.checks) == 2 and not at_u.published and at_v.sets == (u, u) and sent == 4),
        {
            "at_u": len(at_u.checks),
            "at_v": sent,
            "delivered": [key for _, keys in at_v.published for key in keys_of(keys, BITS)],
        },
        {"v misses 101 before": keys_of(u & ~v, BITS) == ("101",)},
    )


def one_sided() -> Evidence:
    """Where every pair ends if only the first of the two ever initiates."""
    after = {pair: exchanged.sets for pair, exchanged in exchanges(BITS, Formula.OF_HASHES).items()}
    stuck = [pair for pair in after if _alone(pair, after)]
    ended = ends(BITS, Formula.OF_HASHES).values()
    first = min(stuck, key=lambda pair: (pair[0].bit_count() + pair[1].bit_count(), pair))
    return Evidence(
        settled(bool(stuck) and all(end.one == end.other for end in ended)),
        {
            "stuck": len(stuck),
            "pairs": len(after),
            "one": list(keys_of(first[0], BITS)),
            "other": list(keys_of(first[1], BITS)),
        },
    )


def _alone(pair: tuple[int, int], after: Mapping[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether a pair stays different if only the first initiates."""
    while pair[0] != pair[1] and after[pair] != pair:
        pair = after[pair]
    return pair[0] != pair[1]


CLAIMS = (
    Claim(
        name="figure_2_example",
        title="it matters which node initiates",
        source="Section 4.2, Figure 2",
        says="Started at u, two messages are sent, and nothing is delivered. Started at v, which lacks P4 (key 101), "
        "P4 is delivered.",
        ran="Algorithm 5 as printed, with the hashes of the sentence.",
        result=Result.REPRODUCED,
        why="With the keys 000, 010, 100, 101 at u: {at_u} messages from u, and nothing delivered; {at_v} from v, "
        "the publication among them, and {delivered} is delivered.",
        evidence=example_of_figure_2,
        about=MODEL,
        quotes=(
            Quotation(
                "Section 4.2",
                "Both comparisons result in the hashes being equal, which ends the chain of messages at subscriber u.",
            ),
            Quotation(
                "Section 4.2",
                "After v has inserted P_4 in its Patricia trie, both tries are equal, resulting in two equal "
                "root hashes.",
            ),
        ),
    ),
    Claim(
        name="one_sided_initiation",
        title="both neighbours have to initiate",
        source="Section 4.2",
        says='"The example shows that it is important at which subscriber the initial CheckTrie request is started." '
        "Each subscriber starts one periodically, at a neighbour chosen at random, so that both initiate.",
        ran="Algorithm 5 as printed, with the hashes of the sentence.",
        result=Result.REPRODUCED,
        why="If only one of two subscribers ever initiates, {stuck} of the {pairs} ordered pairs of different tries "
        "stay "
        "different for ever; if both do, none.",
        evidence=one_sided,
        counterexample="One that has {one} and never hears from its neighbour, which has {other}, initiates in vain.",
        about=MODEL,
        quotes=(
            Quotation(
                "Section 4.2",
                "The example shows that it is important at which subscriber the initial CHECKTRIE request is started.",
            ),
        ),
    ),
    Claim(
        name="lemma_20_choice_of_t",
        title="the node t of Lemma 20 exists",
        source="Lemma 20, proof",
        says='t is the node of u.T with the shortest label that is a prefix of p.label and no label in v.T. "Such a '
        'node exists, because in case there is no inner node in u.T with these properties, we can choose t = p."',
        ran="Algorithm 5 as printed, with the hashes of the sentence.",
        result=Result.REFUTED,
        why="p need not qualify: v.T may have a node with the label of p, above other publications than u has there. "
        "In {without} of {cases} choices of p (over all pairs of tries in which v misses something) there is no t. "
        "The lemma's conclusion is true all the same: with the hashes of the sentence, all {pairs} ordered pairs "
        "become equal, after at most {turns} times that both have initiated.",
        evidence=t_can_be_chosen,
        counterexample="u has {mine}, v has {theirs}: p is {p}, and v.T has a node with that label.",
        instead="Where both have a node with that label, the hashes differ, and the chain goes on to the children, "
        "until one of the two finds a label that it does not have.",
        about=MODEL,
        lemmas=("reconciliation_makes_progress",),
        quotes=(
            Quotation(
                "Lemma 20, proof",
                "Such a node exists, because in case there is no inner node in u.T with these properties, we can"
                " choose t = p.",
            ),
        ),
    ),
    Claim(
        name="claim_21",
        title="the node t is sent to v",
        source="Claim 21; Lemma 20, proof",
        says='"Eventually, subscriber u sends a CheckTrie(u, t) request to v", in the exchange that u begins or in '
        "the one that v begins, since u and v take turns on the path from the root to t.",
        ran="Algorithm 5 as printed, with the hashes of the sentence.",
        result=Result.REFUTED,
        why="The two tries may have other nodes between the labels of that path, so that the answers skip some and "
        "the turns are out of step. In {silent} of {cases} cases u sends t in neither of the two exchanges; and for "
        "{dry} of {pairs} ordered pairs in which v misses something, neither brings v anything. It is v then that "
        "brings u something, and the exchanges that follow bring the rest (lemma_20_choice_of_t).",
        evidence=t_is_asked_for,
        counterexample="u has {one_mine}, v has {one_theirs}: p is {one_p}, t is {one_t}.",
        instead="As long as the tries differ, one of the two exchanges brings a publication to a node that misses it.",
        reading="One exchange begun by each is looked at. Either may bring publications with which a later one gets "
        "to t; in {never} of the {silent} cases none does, whichever node begins, until the tries are equal.",
        about=MODEL,
        lemmas=("printed_claim_21", "reconciliation_makes_progress"),
        quotes=(Quotation("Claim 21", "Eventually, subscriber u sends a CHECKTRIE(u, t) request to v."),),
    ),
    Claim(
        name="claim_22",
        title="the prefix asked for is the label of p",
        source="Claim 22",
        says="\"p' = p.label\", where p' is the prefix of which v asks u to send everything.",
        ran="Algorithm 5 as printed, with the hashes of the sentence.",
        result=Result.REFUTED,
        why="Where t exists, p' is another word in {other} of {cases} cases. In {shorter} it is a prefix of p.label, "
        "since t o (1 - b1) need not be the label of a node in a compressed trie. In {longer} it is longer than "
        "p.label, since t = p, and v asks for one half of its subtree. In {beside} it lies beside p, in the "
        "other half below t. The lemma needs less, which is true in all cases: u has something with the prefix p', "
        "and v has none of it, so that phi(u, v) decreases.",
        evidence=prefix_is_the_label_of_p,
        counterexample="u has {one_mine}, v has {one_theirs}: p is {one_p}, t is {one_t}, and p' is {one_prefix}. "
        "Longer: u has {two_mine}, v has {two_theirs}: p is {two_p}, t is {two_t}, and p' is {two_prefix}.",
        instead="The proof needs only that u has something with the prefix p', and that v misses all of it.",
        reading="If p' need only select the publications of u below p, the {shorter} shorter ones are right as "
        "well, and the others are not.",
        about=MODEL,
        lemmas=("printed_claim_22",),
        quotes=(Quotation("Claim 22", "p' = p.label"),),
    ),
)
