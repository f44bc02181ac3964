"""Claims of Section 3.3: what becomes of a node that crashes, and of those who refer to it."""

from collections.abc import Iterator

from checker.errata.claim import Claim, Evidence, Result, settled
from checker.errata.scene import Stage, command, opening, round_of, take
from checker.evidence.skip_ring.exhibits.ring import right_states
from spec.protocol import Start
from spec.skip_ring import PROTOCOL
from spec.skip_ring.space import names, roles
from spec.skip_ring.state import SUPERVISOR, Crash, RemoveConnections, Subscriber, Suspect
from spec.skip_ring.subscriber import references

RINGS, ROUNDS = range(2, 9), 60


def after_crash(nodes: int, crashed: str) -> Stage:
    """SR(nodes), of which one has crashed; the supervisor knows it already."""
    stage = opening(Start(roles(nodes), tuple(sorted(right_states(nodes).items()))))
    for node, what in ((crashed, Crash()), (SUPERVISOR, Suspect(crashed))):
        stage = take(PROTOCOL, stage, command(node, what))
    return stage


def settled_after(stage: Stage, crashed: str, told: bool) -> tuple[int | None, Stage]:
    """After how many rounds it is legitimate, if it is; members are `told` to forget the crashed node, or not."""
    for rounds in range(ROUNDS):
        if stage.is_legitimate(PROTOCOL):
            return rounds, stage
        for turn in round_of(stage):
            stage = take(PROTOCOL, stage, turn)
        if not told:
            kept = tuple(each for each in stage.in_flight if each[1] != RemoveConnections(crashed))
            stage = Stage(stage.states, kept)
    return None, stage


def referring(stage: Stage, crashed: str) -> list[str]:
    """The living nodes that refer to the crashed one."""
    living = {node: u for node, u in stage.states.items() if isinstance(u, Subscriber) and not u.crashed}
    return [node for node, u in sorted(living.items()) if any(claim.node == crashed for claim in references(u))]


def cases() -> Iterator[tuple[int, str]]:
    """Every ring, and every node of it that may crash."""
    return ((nodes, crashed) for nodes in RINGS for crashed in names(nodes))


def one_detector_suffices() -> Evidence:
    """Rings in which a node has crashed and is removed from the database, with our repair and without."""
    alone = {case: settled_after(after_crash(*case), case[1], False) for case in cases()}
    repaired = {case: settled_after(after_crash(*case), case[1], True) for case in cases()}
    never = {case: stage for case, (rounds, stage) in alone.items() if rounds is None}
    (nodes, crashed), stage = min(never.items(), key=lambda found: found[0]) if never else ((0, ""), None)
    needed = [rounds for rounds, _ in repaired.values() if rounds is not None]
    return Evidence(
        settled(not never),
        {
            "cases": len(alone),
            "never": len(never),
            "rounds": ROUNDS,
            "nodes": nodes,
            "crashed": crashed,
            "referring": referring(stage, crashed) if stage else [],
            "slowest": max(needed),
        },
        {
            "with our repair every case becomes right": len(needed) == len(repaired),
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
        result=Result.REFUTED,
        why="The database becomes right, the ring need not. A reference to the crashed node that a configuration "
        "replaces is linearised again, and taken for a neighbour that is as close as the right one; action (iii) asks "
        "the supervisor about it, and the answer goes to a node that is not there. In {never} of {cases} cases (one "
        "node crashes in SR(2) to SR(8), and is removed at once; nobody asks at random) the ring is not right after "
        "{rounds} rounds: those in which it was the last one, whose label nobody else gets.",
        evidence=one_detector_suffices,
        counterexample="SR({nodes}), of which {crashed} crashes: {referring} keeps referring to it.",
        instead="The supervisor remembers whom its detector suspects. Whoever asks about a suspect has it tell all "
        "members to remove their connections to it.",
        effect="With it, all {cases} cases are right after at most {slowest} rounds.",
        reading="The paper has no rule for it; taken is what Algorithms 1 to 4 do by our other repairs.",
    ),
)
