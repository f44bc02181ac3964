"""Runs in which members fail as freely as every list keeps a live entry, however few principals are left.

Domain: ids of three bits, r = 3, an ideal ring of four of the nodes 0 to 4; at most two crashes, one joiner.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from gomboc.checker.errata.scene import Script, Stage, Turn, command, delivery, opening, take, timeout
from gomboc.checker.evidence.chord.experiments.scenes import among, broken, protocol, script
from gomboc.spec.core.model import Commanded
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.chord.models import small
from gomboc.spec.protocols.chord.state import Crash, Join

GIVEN = small(3, 3)
VARIANT = "principals_fail_freely"
NODES, MOST_CRASHES, TURNS = 5, 2, 120
RUNS = 300

DISORDERED = (
    "n002; n000: Crash; n003: Join n002; n004: Crash; n004 StabilizeRequest n002; n002 Dead n004; n002; "
    "n003; n000 StabilizeRequest n002;"
    "n002 Dead n000; n002 JoinRequest n003; n003 JoinReply n002; n003; n001 StabilizeRequest n003; "
    "n003 StabilizeReply n001"
)
"""Shrunk from a random run: two of four members crash, and the member that joins takes a stale list."""


def freely() -> Protocol:
    """The variant with an operating assumption that does not count principals."""
    return protocol(GIVEN, VARIANT)


def disordered() -> Script:
    """An ideal ring of 0, 1, 2 and 4, two of which crash, and 3, which joins."""
    return script(freely(), among(GIVEN, NODES, 3), DISORDERED)


def consequences_broken(by: Protocol, stage: Stage) -> set[str]:
    """The promises implied by the invariant that are false."""
    return set(broken(by, stage)) - {"invariant"}


def shorter(by: Protocol, run: Script) -> Iterator[Script]:
    """The run without any one or two of its turns, as far as that can be played and keeps the assumption."""
    for length in (1, 2):
        for left_out in combinations(range(len(run.turns)), length):
            turns = tuple(turn for at, turn in enumerate(run.turns) if at not in left_out)
            if _end(by, run.start, turns) is not None:
                yield Script(run.start, turns)


def breaks(by: Protocol, run: Script) -> set[str]:
    """The promises implied by the invariant that are false at the end of a run; none if it breaks the assumption."""
    end = _end(by, run.start, run.turns)
    return set() if end is None else consequences_broken(by, end)


def _end(by: Protocol, start: Start, turns: tuple[Turn, ...]) -> Stage | None:
    """Where a run ends; None if a message is not there, or a command breaks the assumption."""
    stage = opening(start)
    for turn in turns:
        try:
            stage = take(by, stage, turn)
        except ValueError:
            return None
        if isinstance(turn.taken, Commanded) and by.promises.assumption(stage.states, stage.in_flight):
            return None
    return stage


def random_run(by: Protocol, seed: int, kept: frozenset[str] = frozenset()) -> set[str]:
    """The promises implied by the invariant, but for `kept`, that a random run breaks first; none if it keeps all."""
    random = Random(seed)
    outside = random.randrange(NODES)
    stage = opening(among(GIVEN, NODES, outside))
    crashes, joins = MOST_CRASHES, 1
    for _ in range(TURNS):
        turn = _turn(random, stage, sorted(stage.states)[outside])
        left: dict[type[object], int] = {Crash: crashes, Join: joins}
        allowed = left.get(_kind(turn), 1)
        following = take(by, stage, turn) if allowed else stage
        if isinstance(turn.taken, Commanded):
            if not allowed or by.promises.assumption(following.states, following.in_flight):
                continue
            crashes, joins = crashes - (_kind(turn) is Crash), joins - (_kind(turn) is Join)
        stage = following
        if broke := consequences_broken(by, stage) - kept:
            return broke
    return set()


def _kind(turn: Turn) -> type[object]:
    return type(turn.taken.command) if isinstance(turn.taken, Commanded) else type(turn.taken)


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
