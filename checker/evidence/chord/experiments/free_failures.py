"""Runs in which members fail as freely as every list keeps a live entry, however few principals are left.

Domain: ids of three bits, r = 3, an ideal ring of four of the nodes 0 to 4; at most two crashes, one joiner.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from gomboc.checker.errata.scene import Script, Stage, Turn, command, delivery, opening, take, timeout
from gomboc.checker.evidence.chord.experiments.scenes import broken, ring, scene
from gomboc.spec.core.model import Commanded
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.chord.promises import projection_of_stored_lists
from gomboc.spec.protocols.chord.state import Join
from gomboc.spec.types.kinds import Crash

NODES, TURNS = 5, 120
ALLOWED: dict[type, int] = {Crash: 2, Join: 1}
"""How often each command is given at most."""
RUNS = 300

DISORDERED = scene("stale_list_goes_past_its_owner")
FREELY = DISORDERED.protocol
"""The variant with an operating assumption that does not count principals."""


def consequences_broken(by: Protocol, stage: Stage) -> set[str]:
    """The promises implied by the invariant that are false."""
    return broken(by, stage) - {"invariant"}


def shorter(by: Protocol, run: Script) -> Iterator[Script]:
    """The run without any one or two of its turns, as far as that can be played and keeps the assumption."""
    for length in (1, 2):
        for left_out in combinations(range(len(run.turns)), length):
            less = Script(run.start, tuple(turn for at, turn in enumerate(run.turns) if at not in left_out))
            if _end(by, less) is not None:
                yield less


def breaks(by: Protocol, run: Script) -> set[str]:
    """The promises implied by the invariant that are false at the end of a run; none if it breaks the assumption."""
    end = _end(by, run)
    return set() if end is None else consequences_broken(by, end)


def _end(by: Protocol, run: Script) -> Stage | None:
    """Where a run ends; None if a message is not there, or a command breaks the assumption."""
    stage = opening(run.start)
    for turn in run.turns:
        try:
            stage = take(by, stage, turn)
        except ValueError:
            return None
        if _breaks_assumption(by, turn, stage):
            return None
    return stage


def _breaks_assumption(by: Protocol, turn: Turn, after: Stage) -> bool:
    return isinstance(turn.taken, Commanded) and bool(by.promises.assumption(after.states, after.in_flight))


def random_run(by: Protocol, seed: int, kept: frozenset[str] = frozenset()) -> set[str]:
    """The promises implied by the invariant, but for `kept`, that a random run breaks first; none if it keeps all."""
    random, left = Random(seed), dict(ALLOWED)
    outside = random.randrange(NODES)
    stage = opening(ring(DISORDERED.options, NODES, (outside,)))
    for _ in range(TURNS):
        turn = _turn(random, stage, sorted(stage.states)[outside])
        kind = type(turn.taken.command) if isinstance(turn.taken, Commanded) else None
        if kind and not left[kind]:
            continue
        following = take(by, stage, turn)
        if _breaks_assumption(by, turn, following):
            continue
        if kind:
            left[kind] -= 1
        before, stage = stage, following
        # The consequences are of the stored lists alone, and most steps change none.
        if _lists(before, turn.node) != _lists(stage, turn.node) and (broke := consequences_broken(by, stage) - kept):
            return broke
    return set()


def _lists(stage: Stage, node: str) -> object:
    return projection_of_stored_lists(stage.states[node])


def _turn(random: Random, stage: Stage, joiner: str) -> Turn:
    """A crash, a join, a delivery or a timeout: drawn with 12, 8, 50 and 30 of 100."""
    members = [name for name, local in stage.states.items() if local.status == "inside"]
    drawn = random.random()
    if drawn < 0.12:
        return command(random.choice(members), Crash())
    if drawn < 0.2:
        return command(joiner, Join(random.choice(members)))
    if drawn < 0.7 and stage.in_flight:
        return delivery(*random.choice(stage.in_flight))
    return timeout(random.choice(sorted(stage.states)))
