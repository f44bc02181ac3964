"""Claims of Section 3.2.2, Lemma 12 and Algorithm 4: how shortcuts come about, and their cost."""

from collections import Counter

from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script, Stage, opening, round_of, take, until_legitimate, with_rounds
from gomboc.checker.evidence.skip_ring.experiments.ring import PRINTED, levels, members, right_states, sent_in_round
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.space import roles
from gomboc.spec.protocols.skip_ring.state import Claim as Pair
from gomboc.spec.protocols.skip_ring.state import Entry, Linearize, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import Side, partner, references

SIZES, ALL_EDGES = range(1, 33), range(2, 130)
PARTNERS, AGAIN = "printed_partners", "printed_introduce_shortcut"
ROUNDS, STEADY = 8, 20
"""The rounds that shortcuts are waited for, and those after which a legitimate ring sends the same in every round."""


def without_shortcuts(nodes: int) -> Start:
    """SR(nodes), in which no shortcut's node is known."""
    known = right_states(nodes)
    states = {node: _forgetful(local) if isinstance(local, Subscriber) else local for node, local in known.items()}
    return Start(roles(nodes), tuple(sorted(states.items())))


def _forgetful(local: Subscriber) -> Subscriber:
    return replace(local, shortcuts=tuple(Entry(entry.label, None) for entry in local.shortcuts))


def missing_shortcuts(protocol: Protocol, nodes: int, rounds: int = ROUNDS) -> tuple[int, int]:
    """Shortcuts that are missing after so many rounds from none, and the rounds after which none was missing first."""
    stage, first = opening(without_shortcuts(nodes)), rounds
    for number in range(rounds + 1):
        missing = sum(_missing(stage.states[node], local) for node, local in members(nodes).items())
        if not missing:
            return 0, min(first, number)
        for turn in round_of(stage):
            stage = take(protocol, stage, turn)
    return missing, first


def _missing(local: Subscriber, right: Subscriber) -> int:
    return len(set(right.shortcuts) - set(local.shortcuts))


def introducers_that_know_the_last_level(nodes: int) -> Protocol:
    """Both shortcuts on level |label|, or the ring neighbours if and only if |label| is ceil(log n); n is given."""

    def partners(u: Subscriber, before: Side, after: Side) -> tuple[Pair | None, Pair | None]:
        if len(u.label or "") == levels(nodes):
            return before.neighbour, after.neighbour
        if before.chain and after.chain:
            return partner(u, before), partner(u, after)
        return None, None

    return PROTOCOL.changed(react=Rules(partners=partners).react, errata=())


def introductions_suffice() -> Evidence:
    """Which SR(n) are completed by the printed introductions, in both readings, and by ours."""
    incomplete = [n for n in SIZES if missing_shortcuts(introducers_that_know_the_last_level(n), n)[0]]
    local = [n for n in SIZES if missing_shortcuts(PRINTED[PARTNERS], n)[0]]
    ours = {n: missing_shortcuts(PROTOCOL, n) for n in SIZES}
    powers = {2**power for power in range(6)}
    all_edges = not any(map(missed_if_ring_edges_count, ALL_EDGES))
    return by_readings(
        (settled(not incomplete), settled(not local), settled(all_edges)),
        {
            "told": incomplete,
            "all_edges": ALL_EDGES[-1],
            "local": local,
            "most": SIZES[-1],
            "five": missing_shortcuts(introducers_that_know_the_last_level(5), 5)[0],
            "nine": missing_shortcuts(PRINTED[PARTNERS], 9)[0],
            "ours": max(rounds for _, rounds in ours.values()),
        },
        {
            "both readings complete every power of two": not powers & {*incomplete, *local},
            "ours completes every ring": not any(missing for missing, _ in ours.values()),
            "n = 9 repeats for ever without the edge": repeats_without(PRINTED[PARTNERS], without_one_edge()),
            "n = 5 repeats for ever": repeats_without(introducers_that_know_the_last_level(5), without_shortcuts(5)),
            "ours takes a round for each level": all(
                took <= max(levels(nodes), 1) for nodes, (_, took) in ours.items()
            ),
        },
    )


def missed_if_ring_edges_count(nodes: int) -> int:
    """Shortcuts of SR(nodes) that no node ever introduces, if v.shortcuts has the ring edges of Definition 2 too.

    v then introduces its two neighbours on level |v.label|, whether they are shortcuts or ring neighbours.
    """
    introduced = set()
    for u in members(nodes).values():
        known = {claim for claim in references(u) if u.label and len(claim.label) <= len(u.label)}
        if len(known) == 2:
            introduced |= {frozenset(claim.node for claim in known)}
    wanted = {frozenset((node, e.node or "")) for node, u in members(nodes).items() for e in u.shortcuts}
    return len(wanted - introduced)


def without_one_edge() -> Start:
    """SR(9), in which v1 and v3, labels 0 and 01, do not know each other."""
    states = right_states(9)
    for node, other in (("v1", "v3"), ("v3", "v1")):
        kept = tuple(Entry(e.label, None) if e.node == other else e for e in states[node].shortcuts)
        states[node] = replace(states[node], shortcuts=kept)
    return Start(roles(9), tuple(sorted(states.items())))


def edge_stays_away() -> Script:
    """The printed rule from there, for two rounds, within which our rule restores the edge."""
    return with_rounds(PRINTED[PARTNERS], Script(without_one_edge(), (), 2), 2)


def edge_comes_back() -> Script:
    """Our rule from there."""
    return until_legitimate(PROTOCOL, Script(without_one_edge(), ()))


def repeats_without(protocol: Protocol, start: Start) -> bool:
    """Whether rounds in which every coin is silent come back to where they were, and never are legitimate."""
    stage, seen = opening(start), set()
    while (key := _key(stage)) not in seen:
        if stage.is_legitimate(PROTOCOL):
            return False
        seen.add(key)
        for turn in round_of(stage):
            stage = take(protocol, stage, turn)
    return True


def _key(stage: Stage) -> tuple[object, ...]:
    return tuple(sorted(stage.states.items())), frozenset(Counter(stage.in_flight).items())


def nothing_is_linearised_again() -> Evidence:
    """Messages in a round of SR(n) in which every coin is silent: as printed, and by our reading."""
    sizes = (2, 4, 8, 16)
    printed = {nodes: sent_in_round(PRINTED[AGAIN], nodes, STEADY) for nodes in sizes}
    ours = {nodes: sent_in_round(PROTOCOL, nodes) for nodes in sizes}
    again = {nodes: sum(isinstance(message, Linearize) for _, message in sent) for nodes, sent in printed.items()}
    inside = not any(isinstance(message, Linearize) for sent in ours.values() for _, message in sent)
    return by_readings(
        (settled(inside), settled(not any(again.values()))),
        {
            "again": [f"{count} for n = {nodes}" for nodes, count in again.items()],
            "printed": [f"{len(sent)} for n = {nodes}" for nodes, sent in printed.items()],
            "ours": [f"{len(sent)} for n = {nodes}" for nodes, sent in ours.items()],
        },
        {
            "the number stays the same from round to round": all(
                len(sent_in_round(PRINTED[AGAIN], nodes, STEADY + more)) == len(printed[nodes])
                for nodes in sizes
                for more in (1, 2)
            ),
        },
    )


def two_rounds_of_four() -> Script:
    """SR(4), legitimate, for three rounds."""
    states = right_states(4)
    return with_rounds(PRINTED[AGAIN], Script(Start(roles(4), tuple(sorted(states.items()))), ()), 3)


NINE = Scene(
    "edge_stays_away",
    "SR(9) without the edge from 0 to 01, under the printed rule: no node introduces the two to each other",
    edge_stays_away,
    PARTNERS,
    1,
)
NINE_OURS = Scene("edge_comes_back", "the same start by our rule", edge_comes_back)
FOUR = Scene(
    "shortcuts_linearised_again",
    "SR(4), legitimate, under the printed rule: Linearize is sent for shortcuts that did not change",
    two_rounds_of_four,
    AGAIN,
)

CLAIMS = (
    Claim(
        name="lemma_12_introductions",
        title="the introductions establish every shortcut",
        source="Section 3.2.2; Lemma 12; Algorithm 4, lines 12-14",
        says='In each timeout v introduces its two shortcuts "on level k" = |v.label| to each other; "for |v.label| '
        '= ceil(log n), v has to consider its two ring neighbors instead". So "all correct shortcut links will '
        'eventually be established".',
        ran="Algorithm 4, lines 12 to 14, as printed, in three readings (variant printed_partners is the second); "
        "all other rules are ours.",
        result=Result.DEPENDS,
        why="True for powers of two. For other n the last level has gaps, and a node can have a shortcut of its own "
        "level on one side and only its ring neighbour on the other; then it introduces no node, and an edge is "
        "missing for ever. The induction of Lemma 12 speaks of two neighbours in the ring over K_i, of which one may "
        "be such a ring neighbour.",
        evidence=introductions_suffice,
        counterexample="n = 5 if ceil(log n) is known ({five} shortcuts are missing), n = 9 if not ({nine} are "
        "missing: the edge from 0 to 01, at both ends).",
        instead="Each side for itself: the partner is the last of that side's chain of shortcuts, or the ring "
        "neighbour where the chain is empty. The induction of Lemma 12 needs this.",
        effect="From no shortcuts at all, every ring up to n = {most} is complete after at most ceil(log n) rounds "
        "({ours} at most).",
        readings=(
            Reading(
                "v.shortcuts are the shortcuts alone, and nodes know ceil(log n): for n up to {most}, rings that stay "
                "incomplete are n = {told}.",
                Result.REFUTED,
            ),
            Reading(
                "The same, but a node is one of the last level when it has no longer neighbour, since no node knows n: "
                "n = {local}.",
                Result.REFUTED,
            ),
            Reading(
                "v.shortcuts holds all edges of Definition 2, ring edges among them, and v introduces its two "
                "neighbours of level |v.label|, of whichever kind: every shortcut is introduced, for n = 2 to "
                "{all_edges}.",
                Result.REPRODUCED,
            ),
        ),
        reading="We implement the third.",
        lemmas=("printed_partners_reach_every_shortcut", "chain_gives_neighbours_in_levels"),
        scenes=(NINE, NINE_OURS),
        quotes=(
            Quotation(
                "Lemma 12",
                "Then all correct shortcut links will eventually be established at some point in time for all "
                "subscribers v in V.",
            ),
            Quotation(
                "Section 3.2.2",
                "On TIMEOUT, v checks if v.shortcuts contains subscribers (label_u, u), (label_w, w) on level k.",
            ),
        ),
        prose=(
            Quotation(
                "Section 3.2.2",
                "Note that for |v.label| = ceil( log n), v has to consider its two ring neighbors instead of "
                "v.shortcuts.",
            ),
        ),
    ),
    Claim(
        name="algorithm_4_unchanged_shortcut",
        title="a shortcut that did not change is not linearised",
        source="Algorithm 4, lines 24-28; Section 3.2.2",
        says="By the text, u replaces the reference w' by w \"and, if w' != w, forwards the reference of w'\". "
        "By the pseudocode: 24: if v' is not v then; 25: remove (l', v'); 26: if v' is not bottom then; 27: "
        "Linearize((l', v')).",
        ran="Algorithm 4, lines 22 to 30, as printed (variant printed_introduce_shortcut); all other rules are ours.",
        result=Result.DEPENDS,
        why="In the text of the pseudocode that we have, line 26 stands beside line 24 and not inside it. Then v' is "
        "linearised even if it is v. In a legitimate ring, that is a Linearize for nothing per introduction, and "
        "the messages that follow from it, in every round: {again}. If lines 26 and 27 stand inside line 24, the "
        "claim is true, and the pseudocode agrees with the text.",
        evidence=nothing_is_linearised_again,
        counterexample="n = 4, in any legitimate state.",
        instead="The text: only a replaced claim is linearised.",
        effect="Messages in a round of a legitimate ring without requests: {ours}; with line 26 beside line 24: "
        "{printed}.",
        readings=(
            Reading("Lines 26 and 27 stand inside line 24: no Linearize is sent.", Result.REPRODUCED),
            Reading("They stand beside it.", Result.REFUTED),
        ),
        reading="The result hangs on the indentation of line 26, which we know from extracted text only.",
        scenes=(FOUR,),
        quotes=(Quotation("Algorithm 4, line 26", "if v' != bottom then"),),
        prose=(
            Quotation(
                "Section 3.2.2",
                "If that is the case, then u replaces the existing node reference w' by w and, if w' != w, "
                "forwards the reference of w' on the sorted ring via the BUILDING protocol.",
            ),
        ),
    ),
)
