"""Recovery of SR(n) from a crashed node, and from references to it."""

from collections.abc import Iterator
from typing import Any

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script, Stage, a_round, command, last
from gomboc.checker.evidence.skip_ring.experiments.printed_ring import linearizing_nothing
from gomboc.checker.evidence.skip_ring.experiments.ring import ring
from gomboc.spec.core.model import Choice, Input, Outcome, Received
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.build_list import with_possible_neighbours
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, GetConfiguration, RemoveConnections, SetData, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import references, set_data
from gomboc.spec.types.kinds import Crash, Suspect

RINGS, ROUNDS = range(2, 9), 60


def after_crash(nodes: int, crashed: str) -> Stage:
    """SR(nodes), of which one has crashed; the supervisor knows it already."""
    told = command(crashed, Crash()), command(SUPERVISOR, Suspect(crashed))
    return last(PROTOCOL, Script(ring(nodes), told))


def settled_after(
    stage: Stage, crashed: str, informed: bool, protocol: Protocol = PROTOCOL
) -> tuple[int | None, Stage]:
    """After how many rounds it is legitimate, if it is; members are `informed` to forget the crashed node, or not."""
    for rounds in range(ROUNDS):
        if stage.is_legitimate(PROTOCOL):
            return rounds, stage
        stage = after_round(stage, crashed, informed, protocol)
    return None, stage


def after_round(stage: Stage, crashed: str, informed: bool, protocol: Protocol = PROTOCOL) -> Stage:
    """The stage a round later."""
    after = a_round(protocol, stage)
    kept = tuple(message for message in after.in_flight if informed or message[1] != RemoveConnections(crashed))
    return Stage(after.states, kept)


def is_asked_about(stage: Stage, crashed: str, rounds: int) -> bool:
    """Whether the supervisor is asked about the crashed node within so many further rounds of our rules."""
    for _ in range(rounds):
        stage = after_round(stage, crashed, False)
        if (SUPERVISOR, GetConfiguration(crashed)) in stage.in_flight:
            return True
    return False


def referring(stage: Stage, crashed: str) -> list[str]:
    """The living nodes that refer to the crashed one."""
    living = {node: u for node, u in stage.states.items() if isinstance(u, Subscriber) and not u.crashed}
    return [node for node, u in sorted(living.items()) if any(claim.node == crashed for claim in references(u))]


def overwriting(me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
    """Our rules, but a configuration drops the neighbours that it replaces; it asks about those that are as close.

    Source: Algorithm 4, lines 16-20, read as overwriting
    """
    if isinstance(local, Subscriber) and not local.crashed:
        match taken:
            case Received(SetData() as said):
                return set_data(with_possible_neighbours(local, me), me, said, linearizing_nothing)
    return PROTOCOL.actor.react(me, local, taken, choice)


OVERWRITING = PROTOCOL.changed(react=overwriting, errata=())


def cases() -> Iterator[tuple[int, str]]:
    """Every ring, and every node of it that may crash."""
    return ((nodes, crashed) for nodes in RINGS for crashed in names(nodes))


def one_detector_suffices() -> Evidence:
    """Rings in which a node has crashed and is removed from the database, with our repair and without."""
    alone = {case: settled_after(after_crash(*case), case[1], False) for case in cases()}
    repaired = {case: settled_after(after_crash(*case), case[1], True) for case in cases()}
    never = {case: stage for case, (rounds, stage) in alone.items() if rounds is None}
    (nodes, crashed), stage = min(never.items(), key=lambda item: item[0]) if never else ((0, ""), None)
    overwritten = {case: settled_after(after_crash(*case), case[1], False, OVERWRITING) for case in cases()}
    needed = [rounds for rounds, _ in repaired.values() if rounds is not None]
    return by_readings(
        (settled(all(rounds is not None for rounds, _ in overwritten.values())), settled(not never)),
        {
            "cases": len(alone),
            "never": len(never),
            "rounds": ROUNDS,
            "overwritten": sum(rounds is None for rounds, _ in overwritten.values()),
            "nodes": nodes,
            "crashed": crashed,
            "referring": referring(stage, crashed) if stage else [],
            "slowest": max(needed),
        },
        {
            "with our repair every case becomes right": len(needed) == len(repaired),
            "where it does not become right, the supervisor is asked about the crashed one in n further rounds": all(
                is_asked_about(stage, case[1], case[0]) for case, stage in never.items()
            ),
            "those that do not become right without it are those in which the last one crashed": set(never)
            == {(nodes, names(nodes)[-1]) for nodes in RINGS},
        },
    )
