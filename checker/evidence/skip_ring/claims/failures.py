"""Claims of Section 3.3: recovery from a crashed node, and from references to it."""

from collections.abc import Iterator
from typing import Any

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Stage, command, opening, round_of, take
from gomboc.checker.evidence.skip_ring.experiments.ring import right_states
from gomboc.spec.core.model import Choice, Input, Outcome, Received
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.build_list import with_possible_neighbours
from gomboc.spec.protocols.skip_ring.space import names, roles
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Crash,
    GetConfiguration,
    RemoveConnections,
    SetData,
    Subscriber,
    Suspect,
)
from gomboc.spec.protocols.skip_ring.state import Claim as Pair
from gomboc.spec.protocols.skip_ring.subscriber import references, set_data

RINGS, ROUNDS = range(2, 9), 60


def after_crash(nodes: int, crashed: str) -> Stage:
    """SR(nodes), of which one has crashed; the supervisor knows it already."""
    stage = opening(Start(roles(nodes), tuple(sorted(right_states(nodes).items()))))
    for node, what in ((crashed, Crash()), (SUPERVISOR, Suspect(crashed))):
        stage = take(PROTOCOL, stage, command(node, what))
    return stage


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
    for turn in round_of(stage):
        stage = take(protocol, stage, turn)
    if informed:
        return stage
    return Stage(
        stage.states, tuple(message for message in stage.in_flight if message[1] != RemoveConnections(crashed))
    )


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
                return set_data(with_possible_neighbours(local, me), me, said, dropped)
    return PROTOCOL.actor.react(me, local, taken, choice)


def dropped(u: Subscriber, me: str, claim: Pair, first_hand: bool = False) -> Outcome:
    """Instead of Linearize: nothing."""
    del me, claim, first_hand
    return Outcome(u)


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


CLAIMS = (
    Claim(
        name="section_3_3_one_failure_detector",
        title="one failure detector at the supervisor suffices",
        source="Section 3.3",
        says='"It suffices to establish only one single failure detector at the supervisor": if it notices that a '
        'subscriber has crashed, "it just has to remove v from its database".',
        ran="Algorithm 4, lines 16 to 20, in two readings: our SetData, which linearises the neighbours it replaces; "
        "and one that "
        "overwrites. All other rules are ours, without our repair for crashes.",
        result=Result.DEPENDS,
        why="The database becomes right; whether the ring does depends on how SetData treats the neighbours that "
        "it "
        "replaces (line 20: update u.left, u.right, u.ring). A case is that one node crashes in SR(2) to SR(8), and is "
        "removed at once; no node asks at random. If SetData overwrites and drops them, {overwritten} of {cases} cases "
        "are not right after {rounds} rounds. By our rule, which linearises them so that no reference is lost, {never} "
        "are not: those in which it was the last one, with a label that no other node gets. A reference to the "
        "crashed node is then taken back for a neighbour that is as close as the right one; action (iii) asks the "
        "supervisor about it, and the answer goes to a node that is not there.",
        evidence=one_detector_suffices,
        counterexample="By our SetData: SR({nodes}), of which {crashed} crashes: {referring} keeps referring to it.",
        instead="The supervisor remembers the nodes that its detector suspects. A request about a suspect has it tell "
        "all members to remove their connections to it.",
        effect="With it, all {cases} cases are right after at most {slowest} rounds.",
        readings=(
            Reading("A configuration overwrites the neighbours (Algorithm 4, line 20).", Result.REPRODUCED),
            Reading(
                'It is "just merged with the existing explicit edges" (Lemma 15, proof), as by our rule, which '
                "linearises the neighbours it replaces.",
                Result.REFUTED,
            ),
        ),
        reading="The paper has both forms of SetData.",
        quotes=(
            Quotation(
                "Section 3.3",
                "However, in our setting it suffices to establish only one single failure detector at the "
                "supervisor, because we only need to make sure that the database will eventually contain the "
                "correct data.",
            ),
        ),
        prose=(
            Quotation(
                "Lemma 15, proof",
                "Implicit edges generated by configurations sent out by the supervisor s are just merged with "
                "the existing explicit edges at the receiving subscriber v, since v already stores the correct "
                "configuration.",
            ),
        ),
    ),
)
