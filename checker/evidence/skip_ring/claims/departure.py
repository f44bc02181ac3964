"""Claims of Section 4.1 on leaving: the message to the last subscriber (Algorithm 3), and forgetting (Lemma 6)."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import (
    Scene,
    Script,
    Turn,
    command,
    delivery,
    last,
    until_legitimate,
    with_rounds,
)
from gomboc.checker.evidence.skip_ring.experiments.ring import database_of, members, right_states, ring_with, stages
from gomboc.spec.protocol import Start
from gomboc.spec.skip_ring import PROTOCOL
from gomboc.spec.skip_ring.labels import label_of
from gomboc.spec.skip_ring.legitimacy import OUTSIDE, ring_of
from gomboc.spec.skip_ring.space import names, roles
from gomboc.spec.skip_ring.state import (
    SUPERVISOR,
    Entry,
    SetData,
    Supervisor,
    Unsubscribe,
    WantOut,
)
from gomboc.spec.skip_ring.subscriber import references
from gomboc.spec.skip_ring.supervisor import unsubscribe

MOST, AWAY = 32, 8


def told_as_printed(nodes: int, leaver: str) -> SetData:
    """The message to the last subscriber of SR(nodes): predecessor and successor are those of the leaver, from before.

    Source: Algorithm 3, lines 16-20
    """
    said = ring_with(nodes).configurations[leaver]
    return SetData(said.pred, said.label, said.succ)


def told_after_the_move() -> Evidence:
    """Whether the message to the last subscriber is right: every leaver but the last of SR(2) to SR(MOST)."""
    leaving = [(nodes, leaver) for nodes in range(2, MOST + 1) for leaver in names(nodes)[:-1]]
    wrong = [case for case in leaving if told_as_printed(*case) != _right_configurations(*case)[f"v{case[0]}"]]
    own = [case for case in leaving if f"v{case[0]}" in _named(told_as_printed(*case))]
    ours = sum(_sends_something_else(*case) for case in leaving)
    return Evidence(
        settled(not wrong),
        {
            "cases": len(leaving),
            "wrong": len(wrong),
            "ours": ours,
            "most": MOST,
            "said": _shown(told_as_printed(2, "v1")),
        },
        {"wrong are those that name their receiver, and no others": wrong == own, "n = 2 is one": (2, "v1") in wrong},
    )


def _right_configurations(nodes: int, leaver: str) -> Mapping[str, SetData]:
    return ring_of(unsubscribe(Supervisor(database_of(nodes)), leaver).local.database).configurations


def _sends_something_else(nodes: int, leaver: str) -> bool:
    right = _right_configurations(nodes, leaver)
    sends = unsubscribe(Supervisor(database_of(nodes)), leaver).sends
    return any(send.message != right.get(send.target, SetData(None, None, None)) for send in sends)


def _named(said: SetData) -> set[str]:
    return {claim.node for claim in (said.pred, said.succ) if claim is not None}


def _shown(said: SetData) -> str:
    pred, succ = (f"({claim.label}, {claim.node})" if claim else "bottom" for claim in (said.pred, said.succ))
    return f"SetData({pred}, {said.label}, {succ})"


def told_its_own_neighbour() -> Script:
    """SR(2) after v1 has left, the printed message on its way to v2. By our rules, v2 ignores claims about itself."""
    states = right_states(2) | {SUPERVISOR: Supervisor((Entry(label_of(0), "v2"),)), "v1": OUTSIDE}
    message = told_as_printed(2, "v1")
    start = Start(roles(2), tuple(sorted(states.items())), (("v2", message),))
    return with_rounds(PROTOCOL, until_legitimate(PROTOCOL, Script(start, (delivery("v2", message),))), 1)


OWN_NEIGHBOUR = Scene(
    "told_its_own_neighbour",
    "the printed message reaches v2, which by our rules ignores claims about v2 itself",
    told_its_own_neighbour,
)


def two_leaves_four() -> Script:
    """SR(4) for three rounds; then v2, with which v1 has a shortcut, unsubscribes."""
    start = Start(roles(4), tuple(sorted(right_states(4).items())))
    calm = with_rounds(PROTOCOL, Script(start, ()), 3)
    return until_legitimate(PROTOCOL, replace(calm, turns=(*calm.turns, command("v2", WantOut()))))


def every_node_introduces_itself() -> Evidence:
    """Every edge of SR(n): does the one end tell the other of itself, in rounds in which every coin is silent?"""
    silent = {nodes: _silent_edges(nodes) for nodes in range(2, 10)}
    shortcuts = {
        nodes: {(v, w) for v, u in members(nodes).items() for w in _shortcuts_of(v, nodes)} for nodes in silent
    }
    first = min(nodes for nodes, edges in silent.items() if edges)
    gone = all(_leaves_for_good(nodes, leaver) for nodes in (2, 3, 4, 5) for leaver in names(nodes))
    return Evidence(
        settled(not any(silent.values())),
        {"first": first, "edge": [f"{one} to {other}" for one, other in sorted(silent[first])], "most": max(silent)},
        {
            "the edges over which no node introduces itself are the shortcuts": all(
                silent[nodes] == shortcuts[nodes] for nodes in silent
            ),
            "for n = 2 to 5, every leaver is disconnected, and the others form a ring": gone,
        },
    )


def _shortcuts_of(node: str, nodes: int) -> set[str]:
    u = members(nodes)[node]
    slots = {claim.node for claim in (u.left, u.right, u.ring) if claim}
    return {entry.node for entry in u.shortcuts if entry.node} - slots


def _silent_edges(nodes: int) -> set[tuple[str, str]]:
    """The edges over which no message with the sender's own claim is sent in some rounds."""
    script = with_rounds(PROTOCOL, Script(Start(roles(nodes), tuple(sorted(right_states(nodes).items()))), ()), 4)
    introduced = {(turn.node, target) for turn, sent in _sends(script) for target, about in sent if about == turn.node}
    known = {(node, claim.node) for node, u in members(nodes).items() for claim in references(u)}
    return known - introduced


def _sends(script: Script) -> Iterator[tuple[Turn, list[tuple[str, str | None]]]]:
    for turn, stage in zip(script.turns, stages(script)[1:], strict=True):
        claims = [(target, getattr(m, "sender", getattr(m, "claim", None))) for target, m in stage.sent]
        yield turn, [(target, getattr(claim, "node", None)) for target, claim in claims]


def _leaves_for_good(nodes: int, leaver: str) -> bool:
    start = Start(roles(nodes), tuple(sorted(right_states(nodes).items())))
    script = until_legitimate(PROTOCOL, Script(start, (command(leaver, WantOut()),)))
    end = last(PROTOCOL, script)
    known = {claim.node for name in names(nodes) if name != leaver for claim in references(end.states[name])}
    return end.states[leaver] == OUTSIDE and leaver not in known


TWO_LEAVES = Scene(
    "no_node_introduced_over_a_shortcut",
    "SR(4) for three rounds, in which v1 never tells v2, its shortcut, of itself; then v2 leaves, and is forgotten",
    two_leaves_four,
)


def asked_once(nodes: int, leaver: str) -> Start:
    """SR(nodes), and an Unsubscribe of one of its members on its way to the supervisor; no node has a flag `wants`."""
    return Start(roles(nodes), tuple(sorted(right_states(nodes).items())), ((SUPERVISOR, Unsubscribe(leaver)),))


def comes_back() -> Script:
    """SR(2): v2 has asked to leave; it is let go, and subscribes again in its next timeout."""
    return until_legitimate(PROTOCOL, Script(asked_once(2, "v2"), (delivery(SUPERVISOR, Unsubscribe("v2")),)))


def leavers_stay_away() -> Evidence:
    """SR(2) to SR(5), each leaver: when it has no label, and when it is recorded again."""
    cases = [(nodes, leaver) for nodes in range(2, 6) for leaver in names(nodes)]
    ways = {case: list(_labels_of(*case)) for case in cases}
    removed = all(_leaves_for_good(*case) for case in cases)
    return by_readings(
        (settled(removed), settled(all(labels[-1] is None for labels in ways.values()))),
        {"cases": len(cases), "back": sum(labels[-1] is not None for labels in ways.values()), "rounds": AWAY},
        {"each of them has no label in between": all(None in labels for labels in ways.values())},
    )


def _labels_of(nodes: int, leaver: str) -> Iterator[str | None]:
    script = with_rounds(PROTOCOL, Script(asked_once(nodes, leaver), ()), AWAY)
    return (stage.states[leaver].label for stage in stages(script))


COMES_BACK = Scene(
    "leaver_comes_back",
    "v2 asks once to leave SR(2), and subscribes again in its next timeout; in the end both are members",
    comes_back,
)


CLAIMS = (
    Claim(
        name="unsubscribe_neighbours",
        title="the last subscriber gets its new neighbours",
        source="Algorithm 3, lines 16-20; Section 4.1",
        says='Lines 17 to 20: "Let pred_v, succ_v" be the predecessor and successor of the leaver v; move w to v\'s '
        'label; "w <- SetData(pred_v, label_u, succ_v)".',
        ran="Algorithm 3, lines 13 to 23, as printed, in the order in which they stand; then ours. The trace is "
        "of ours.",
        result=Result.REFUTED,
        why="Where w, the last subscriber, is itself a neighbour of the leaver, the message says that it is its own "
        "neighbour. Of {cases} cases (every leaver but the last, n from 2 to {most}) this makes the message wrong in "
        "{wrong}; in all others it is right. The supervisor's round robin corrects it later.",
        evidence=told_after_the_move,
        counterexample="n = 2: v1 leaves, and v2 is sent {said}.",
        instead="Predecessor and successor are looked up after the move. The messages that differ from the "
        "configuration that the new database implies: {ours}.",
        reading="Lines 17 and 19 are read in the order in which they stand. The prose is right: it replaces w's label "
        "in the database first, and then sends w its new configuration. An author would call line 17 misplaced.",
        scenes=(OWN_NEIGHBOUR,),
        quotes=(Quotation("Algorithm 3, line 20", "w <- SETDATA(pred_v, label_u, succ_v)"),),
        prose=(Quotation("Section 4.1", "Send w its new configuration (pred_v, label_v, succ_v)."),),
    ),
    Claim(
        name="lemma_6_introductions",
        title="every node with an edge to v introduces itself to v",
        source="Lemma 6, proof",
        says='"Every subscriber u that has an edge (u, v) in E_R + E_S will eventually introduce itself to v, '
        'leading to v eventually getting disconnected."',
        ran="Ours; the introductions in a timeout are as printed.",
        result=Result.REFUTED,
        why="Over ring edges it does, over shortcuts never: a shortcut is introduced by third parties only. For n = "
        "2 to {most}, the edges over which no node introduces itself are exactly the shortcuts. The lemma itself is "
        "true by our rules: for n = 2 to 5, all nodes forget the leaver, and the others form a ring.",
        evidence=every_node_introduces_itself,
        counterexample="n = {first}: {edge}.",
        instead="The leaver tells every node it knows to forget it; edges are stored at both ends. A node that "
        "introduces another to it later gets the same message.",
        reading='An author could answer that line 3 of Algorithm 4, "check and update", sends something to shortcuts; '
        "the printed part of it computes labels. Or that (u, v) is gone before u would introduce itself, by the third "
        "party that introduces the next holder of the label: then the step is not needed, and the conclusion stands.",
        scenes=(TWO_LEAVES,),
        quotes=(
            Quotation(
                "Lemma 6, proof",
                "By definition of BUILD SR, every subscriber u that has an edge (u, v) in E_R + E_S will "
                "eventually introduce itself to v, leading to v eventually getting disconnected from the graph "
                "induced by E_R + E_S.",
            ),
        ),
    ),
    Claim(
        name="lemma_6_stays_away",
        title="a node that has unsubscribed stays away",
        source="Lemma 6; Algorithm 4, lines 4-5",
        says='"v sets v.label = bottom" and "eventually gets disconnected"; and Timeout: "if u.label = bottom then '
        '[...] supervisor <- Subscribe(u)".',
        ran="Algorithm 4, lines 4 and 5, as printed: a node without a label subscribes. Our flag `wants` is true "
        "throughout, so that it changes nothing; all other rules are ours. For the first reading, all are ours.",
        result=Result.DEPENDS,
        why="Lines 4 and 5 do not ask why there is no label: whether a leaver still executes them decides. Each member "
        "of SR(2) to SR(5) left once, in {cases} runs for either reading.",
        evidence=leavers_stay_away,
        counterexample="n = 2: v2 sends Unsubscribe(v2), is sent SetData(bottom, bottom, bottom), and sends "
        "Subscribe(v2) in its next timeout.",
        instead="A subscriber knows whether its application wants to belong; without a label it subscribes only then, "
        "and with one and not wanting it asks to leave.",
        readings=(
            Reading(
                "Permitted to leave, it removes the protocol, and with it lines 4 and 5; to introductions it answers "
                "as the proof says. Run by our rules, in which it does so: all are disconnected for good.",
                Result.REPRODUCED,
            ),
            Reading(
                "It goes on executing Timeout: {back} of {cases} have a label again within {rounds} rounds.",
                Result.REFUTED,
            ),
        ),
        reading='The first is the nearer one, by Section 4, where it "may" be removed; but a protocol that is removed '
        "answers no introductions either, as the proof of Lemma 6 has the leaver do.",
        scenes=(COMES_BACK,),
        quotes=(
            Quotation(
                "Lemma 6",
                "After a subscriber v has sent an unsubscribe(v) request to the supervisor, v eventually gets "
                "disconnected from the graph induced by E_R + E_S.",
            ),
            Quotation("Algorithm 4, lines 4 and 5", "As long as u has no label: Subscribe to supervisor"),
        ),
        prose=(
            Quotation(
                "Section 4",
                "Upon unsubscribing, the subscriber may remove the respective BUILDSR protocol, once it gets the"
                " permission from the supervisor, implying that the supervisor has removed the subscriber from "
                "its database.",
            ),
        ),
    ),
)
