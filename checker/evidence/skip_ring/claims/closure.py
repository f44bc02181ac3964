"""Claims of Theorem 13 and its lemmas: which messages can disturb a ring that is right."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim as Said
from gomboc.checker.errata.claim import Evidence, Figure, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script, Turn, delivery, last, opening, take, timeout, until_legitimate
from gomboc.checker.evidence.skip_ring.experiments.ring import PRINTED, database_of, right_states
from gomboc.spec.domain import enumerate_values
from gomboc.spec.model import InFlight
from gomboc.spec.protocol import Protocol, Start
from gomboc.spec.skip_ring import PROTOCOL
from gomboc.spec.skip_ring.legitimacy import message_faults
from gomboc.spec.skip_ring.space import any_configuration, labels, names, roles, to_subscribers, to_supervisor
from gomboc.spec.skip_ring.state import SUPERVISOR, Claim, IntroduceShortcut, RemoveConnections, Unsubscribe

SIZES = (2, 3)
LINEARIZE = PRINTED["printed_linearize"]


@cache
def messages_in(nodes: int) -> InFlight:
    """Every pair of target and message about the members, with the labels of the specification's space of starts."""
    members, known = names(nodes), labels(nodes)
    to_members = to_subscribers(known, members, any_configuration(known, members))
    messages = [pair for kind in (to_supervisor(members), to_members) for pair in enumerate_values(kind)]
    return tuple((target, message) for target in (SUPERVISOR, *members) for message in messages)


def changes(nodes: int, target: str, message: Any) -> bool:
    """Whether the delivery of a message changes the explicit edges or the database of SR(nodes)."""
    stage = opening(Start(roles(nodes), tuple(sorted(right_states(nodes).items())), ((target, message),)))
    after = take(PROTOCOL, stage, delivery(target, message)).states[target]
    before = stage.states[target]
    if target == SUPERVISOR:
        return bool(replace(after, next=before.next) != before)
    return bool(after != before)


def edges_are_preserved() -> Evidence:
    """Every single message in flight in SR(2) and SR(3): whether it changes an edge, and whether it is false."""
    offered = {nodes: list(messages_in(nodes)) for nodes in SIZES}
    disturbing = {nodes: [case for case in offered[nodes] if changes(nodes, *case)] for nodes in SIZES}
    kinds = sorted({type(message).__name__ for case in disturbing.values() for _, message in case})
    return by_readings(
        (edges_are_preserved_with_channels().result, settled(not any(disturbing.values()))),
        {
            "messages": [f"{len(disturbing[nodes]):,} of {len(offered[nodes]):,} for n = {nodes}" for nodes in SIZES],
            "kinds": kinds,
        },
        {
            "every message that changes something is false": all(
                message_faults(database_of(nodes), *case) for nodes in SIZES for case in disturbing[nodes]
            ),
            "the database is changed by Unsubscribe only": all(
                isinstance(message, Unsubscribe)
                for case in disturbing.values()
                for target, message in case
                if target == SUPERVISOR
            ),
        },
    )


def edges_are_preserved_with_channels() -> Evidence:
    """Every single true message in flight, as before; and every message that a legitimate ring sends itself."""
    harmless = {
        nodes: [case for case in messages_in(nodes) if not message_faults(database_of(nodes), *case)] for nodes in SIZES
    }
    quiet = not any(changes(nodes, *case) for nodes in SIZES for case in harmless[nodes])
    stays = all(_stays(nodes, (case,), delivery(*case)) for nodes in SIZES for case in harmless[nodes])
    ticks = all(_stays(nodes, (), turn) for nodes in SIZES for turn in _timeouts(nodes))
    figures: dict[str, Figure] = {"messages": [f"{len(harmless[nodes])} for n = {nodes}" for nodes in SIZES]}
    return Evidence(settled(quiet and stays and ticks), figures)


def _timeouts(nodes: int) -> Iterator[Turn]:
    for node in (SUPERVISOR, *names(nodes)):
        yield timeout(node, "silent")
        yield timeout(node, "ask")


def _stays(nodes: int, in_flight: InFlight, turn: Turn) -> bool:
    """Whether SR(nodes) is legitimate after that turn, whichever subscriber is next."""
    known = right_states(nodes)
    after = []
    for following in range(nodes):
        states = {**known, SUPERVISOR: replace(known[SUPERVISOR], next=following)}
        start = Start(roles(nodes), tuple(sorted(states.items())), in_flight)
        after.append(last(PROTOCOL, Script(start, (turn,))).is_legitimate(PROTOCOL))
    return all(after)


def shortcuts_leave_neighbours_alone() -> Evidence:
    """IntroduceShortcut in SR(2) and SR(3), and to a node that has no neighbours yet."""
    offered = [
        (nodes, target, message)
        for nodes in SIZES
        for target, message in messages_in(nodes)
        if isinstance(message, IntroduceShortcut) and target != SUPERVISOR
    ]
    ours = [case for case in offered if _moves_a_neighbour(PROTOCOL, right_states(case[0]), *case)]
    printed = [case for case in offered if _moves_a_neighbour(LINEARIZE, right_states(case[0]), *case)]
    nodes, target, message = min(printed, key=lambda case: (case[0], case[1], case[2].claim))
    false = all(message_faults(database_of(size), node, offer) for size, node, offer in (*printed, *ours))
    return by_readings(
        (settled(false), settled(not printed)),
        {
            "printed": len(printed),
            "ours": len(ours),
            "offered": len(offered),
            "smallest": f"SR({nodes}), {target}: IntroduceShortcut(({message.claim.label}, {message.claim.node}))",
        },
    )


def _moves_a_neighbour(protocol: Protocol, states: dict[str, Any], nodes: int, target: str, message: Any) -> bool:
    start = Start(roles(nodes), tuple(sorted(states.items())), ((target, message),))
    after = last(protocol, Script(start, (delivery(target, message),))).states[target]
    return bool(replace(after, shortcuts=()) != replace(states[target], shortcuts=()))


def disturbed(nodes: int, target: str, message: Any) -> Script:
    """SR(nodes) with one message in flight, which is delivered, and rounds until all is well again."""
    start = Start(roles(nodes), tuple(sorted(right_states(nodes).items())), ((target, message),))
    turns: tuple[Turn, ...] = (delivery(target, message),)
    return until_legitimate(PROTOCOL, Script(start, turns))


def false_removal() -> Script:
    """SR(2), and v2 is asked to forget v1."""
    return disturbed(2, "v2", RemoveConnections("v1"))


def false_shortcut() -> Script:
    """SR(3); v1 receives a shortcut introduction that gives v3 the label 1."""
    return disturbed(3, "v1", IntroduceShortcut(Claim("1", "v3")))


def neighbour_relabelled() -> Script:
    """SR(2); v1 receives a shortcut introduction that gives v2 the label 0; then rounds until all is well."""
    message = IntroduceShortcut(Claim("0", "v2"))
    start = Start(roles(2), tuple(sorted(right_states(2).items())), (("v1", message),))
    return until_legitimate(LINEARIZE, Script(start, (delivery("v1", message),)))


RELABELLED = Scene(
    "shortcut_moves_a_neighbour",
    "SR(2), whose explicit edges are right: a false IntroduceShortcut changes the right neighbour of v1. It is "
    "corrected afterwards",
    neighbour_relabelled,
    "printed_linearize",
)
REMOVAL = Scene(
    "right_edges_and_a_false_message",
    "SR(2), whose explicit edges are right, with RemoveConnections(v1) on its way to v2, which loses its ring edge",
    false_removal,
)
SHORTCUT = Scene(
    "right_shortcuts_and_a_false_message",
    "SR(3), whose explicit edges are right, with IntroduceShortcut((1, v3)) on its way to v1, whose shortcut it "
    "replaces",
    false_shortcut,
)

CLAIMS = (
    Said(
        name="theorem_13_explicit_edges",
        title="closure for the explicit edges alone",
        source="Theorem 13; Lemmas 14, 15 and 16",
        says='"If the explicit edges in G [...] already form a supervised skip ring SR(n), then they are preserved at '
        'any point in time if no subscribers join or leave the system."',
        ran="Ours. The printed rules fail with these messages too, and without any (theorem_13_as_printed).",
        result=Result.DEPENDS,
        why="One false message in a channel is enough. Of all single messages that may be in flight, to each node, "
        "these change an edge or the database even by our rules: {messages}; they are of the kinds {kinds}. Lemma 14 "
        "fails by a false Unsubscribe, Lemma 15 by RemoveConnections, Lemma 16 by IntroduceShortcut with a false "
        "node. Every one of these messages is false.",
        evidence=edges_are_preserved,
        counterexample="n = 2, all edges right; RemoveConnections(v1) is on its way to v2.",
        instead="Messages in flight are part of legitimacy: every claim is true, every configuration current, and "
        "no message asks to forget or remove a member.",
        readings=(
            Reading(
                "No corrupted message is left, as the proof of Theorem 8 assumes: by our rules they are preserved "
                "(theorem_13_with_channels).",
                Result.REPRODUCED,
            ),
            Reading(
                "Explicit edges are those that a node stores, as Section 1.1 defines them; channels are then "
                "arbitrary.",
                Result.REFUTED,
            ),
        ),
        reading="As printed, right rings break by either reading (theorem_13_as_printed).",
        scenes=(REMOVAL, SHORTCUT),
        quotes=(
            Quotation(
                "Theorem 13",
                "If the explicit edges in G = (V, E_R + E_S) already form a supervised skip ring SR(n), then "
                "they are preserved at any point in time if no subscribers join or leave the system.",
            ),
        ),
    ),
    Said(
        name="theorem_13_with_channels",
        title="closure, if the messages in flight are true as well",
        source="Theorem 13, with channels",
        says="If the explicit edges form SR(n), and no message in flight is false, then the edges are preserved.",
        ran="Ours. For the printed rules it is not true (theorem_13_as_printed).",
        result=Result.OURS,
        why="No single true message changes an edge or the database, and the system is legitimate after its "
        "delivery, with the messages that it sends ({messages}); the same is true of every timeout, whichever way its "
        "coin falls. Since legitimacy is a conjunction over nodes and messages, this is an induction: for these n it "
        "settles every number of true messages and every schedule.",
        evidence=edges_are_preserved_with_channels,
        quotes=(
            Quotation(
                "Theorem 13",
                "If the explicit edges in G = (V, E_R + E_S) already form a supervised skip ring SR(n), then "
                "they are preserved at any point in time if no subscribers join or leave the system.",
            ),
        ),
        examined=Result.REPRODUCED,
    ),
    Said(
        name="lemma_15_shortcut_introductions",
        title="introductions of shortcuts do not modify the direct ring neighbours",
        source="Lemma 15, proof",
        says='"Observe that introduction messages for shortcuts do not modify the variables v.left, v.right and '
        'v.ring."',
        ran="Linearize as printed, but for claims about oneself (variant printed_linearize); then ours.",
        result=Result.DEPENDS,
        why="A claim that is no shortcut is linearised (Algorithm 4, line 30), and that may set a neighbour. In a "
        "right ring, with the printed Linearize, an introduction of a shortcut that says something false does so in "
        "{printed} of {offered} cases (every such message in SR(2) and SR(3); by our rules in {ours}).",
        evidence=shortcuts_leave_neighbours_alone,
        counterexample="{smallest}, and nothing else in flight.",
        instead="The same rule. Our Linearize does not believe such a message, but asks the node that it is about.",
        readings=(
            Reading("No message in flight is false: none of the others moves a neighbour.", Result.REPRODUCED),
            Reading("Channels may hold anything.", Result.REFUTED),
        ),
        reading="The lemma supposes right explicit edges, and says nothing of channels.",
        scenes=(RELABELLED,),
        quotes=(
            Quotation(
                "Lemma 15, proof",
                "Observe that introduction messages for shortcuts do not modify the variables v.left, v.right "
                "and v.ring for a subscriber v in V.",
            ),
        ),
    ),
)
