"""Messages that may disturb a ring that is right: false ones, true ones, and late ones."""

from functools import cache
from typing import Any

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, Figure, by_readings, settled
from gomboc.checker.errata.scene import Script, Turn, delivery, last, opening, take, timeout
from gomboc.checker.evidence.skip_ring.experiments.ring import PRINTED, by_size, database_of, right_states, ring
from gomboc.checker.evidence.skip_ring.experiments.scenes import scene
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import InFlight
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.legitimacy import message_faults
from gomboc.spec.protocols.skip_ring.space import any_configuration, labels, names, to_subscribers, to_supervisor
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, IntroduceShortcut, Unsubscribe

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
    stage = opening(ring(nodes, (target, message)))
    after, before = take(PROTOCOL, stage, delivery(target, message)).states[target], stage.states[target]
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
            "messages": by_size({nodes: f"{len(disturbing[nodes]):,} of {len(offered[nodes]):,}" for nodes in SIZES}),
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
    turns = {n: [timeout(node, coin) for node in (SUPERVISOR, *names(n)) for coin in ("silent", "ask")] for n in SIZES}
    ticks = all(_stays(nodes, (), turn) for nodes in SIZES for turn in turns[nodes])
    figures: dict[str, Figure] = {"messages": by_size({nodes: len(cases) for nodes, cases in harmless.items()})}
    return Evidence(settled(quiet and stays and ticks), figures)


def _stays(nodes: int, in_flight: InFlight, turn: Turn) -> bool:
    """Whether SR(nodes) is legitimate after that turn, whichever subscriber is next."""
    supervisor = right_states(nodes)[SUPERVISOR]
    starts = (ring(nodes, *in_flight, supervisor=replace(supervisor, next=following)) for following in range(nodes))
    return all(last(PROTOCOL, Script(start, (turn,))).is_legitimate(PROTOCOL) for start in starts)


def shortcuts_leave_neighbours_alone() -> Evidence:
    """IntroduceShortcut in SR(2) and SR(3), and to a node that has no neighbours yet."""
    offered = [
        (nodes, target, message)
        for nodes in SIZES
        for target, message in messages_in(nodes)
        if isinstance(message, IntroduceShortcut) and target != SUPERVISOR
    ]
    ours = [case for case in offered if _moves_a_neighbour(PROTOCOL, *case)]
    printed = [case for case in offered if _moves_a_neighbour(LINEARIZE, *case)]
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


def _moves_a_neighbour(protocol: Protocol, nodes: int, target: str, message: Any) -> bool:
    start = ring(nodes, (target, message))
    after = last(protocol, Script(start, (delivery(target, message),))).states[target]
    return bool(replace(after, shortcuts=()) != replace(right_states(nodes)[target], shortcuts=()))


LATE = {"Unsubscribe": "late_unsubscribe", "Subscribe": "late_subscribe", "SetData": "late_configuration"}
"""The scenes, by the kind of the message that is late: rounds without its delivery, that, and rounds after it."""


def nothing_late_disturbs() -> Evidence:
    """Each of the three: are the explicit edges and the database still right after its delivery?"""
    scenes = {kind: scene(name) for kind, name in LATE.items()}
    runs = {kind: shown.by_our_rules(rounds=0).stages() for kind, shown in scenes.items()}
    wrong_at = {
        kind: [bool(legitimacy_faults(PROTOCOL, stage.states, ())) for stage in run[-2:]] for kind, run in runs.items()
    }
    disturbing = [kind for kind, (_, after) in wrong_at.items() if after]
    return by_readings(
        (edges_are_preserved_with_channels().result, settled(not disturbing)),
        {"disturbing": disturbing},
        {
            "before its delivery all explicit edges and the database are right": not any(
                before for before, _ in wrong_at.values()
            ),
            "each run becomes legitimate again": all(shown.right()[-1] for shown in scenes.values()),
            "each run begins legitimate, with nothing in flight": all(
                run[0].is_legitimate(PROTOCOL) and not run[0].in_flight for run in runs.values()
            ),
        },
    )
