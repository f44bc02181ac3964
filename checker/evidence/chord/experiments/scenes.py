"""Scenes of Chord: a small ring, and turns, each in a few words; and runs round by round."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from gomboc.checker.errata.scene import (
    Script,
    Stage,
    Turn,
    a_round,
    command,
    delivery,
    opening,
    play,
    take,
    timeout,
    with_rounds,
)
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.protocol import Protocol, Start, configured, variant
from gomboc.spec.protocols.chord import PROTOCOL
from gomboc.spec.protocols.chord.legitimacy import anchor, right_state
from gomboc.spec.protocols.chord.models import ONE, TWO, WIDE, ideal, small
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import ROLE, names_of
from gomboc.spec.protocols.chord.state import FIELDS, Command, Node
from gomboc.spec.types.parameters import told


@cache
def protocol(options: Parameters, printed: str | None = None) -> Protocol:
    """The protocol with those parameters, or that variant of it."""
    return variant(configured(PROTOCOL, told(options)), printed)


def ring(options: Parameters, members: int, outside: int = 0) -> Start:
    """An ideal ring with nothing in flight, and nodes outside."""
    return of_states(
        {name: next(iter(enumerate_values(domain))) for name, domain in ideal(options, members, outside).items()}
    )


def among(options: Parameters, nodes: int, outside: int) -> Start:
    """An ideal ring of all but one of so many nodes: the one with that number, counted from 0, is outside."""
    names = names_of(options.circle, nodes)
    members = anchor(options, {name: number != outside for number, name in enumerate(names)})
    return of_states({name: right_state(options, members, name) if name in members else Node() for name in names})


def of_states(states: Mapping[str, Node]) -> Start:
    """Those states with nothing in flight."""
    return Start(tuple((name, ROLE) for name in sorted(states)), tuple(sorted(states.items())))


class Scene(msgspec.Struct, frozen=True):
    """A start, turns separated by semicolons, and so many rounds after them; by our rules or a variant.

    A turn is `n0` (a timeout), `n0 StabilizeRequest n1` (the message that n0 takes, and the first node that it
    names; a number behind that selects one of several, the oldest being 1), or `n0: Join n1` (a command).
    """

    options: Parameters
    printed: str | None
    start: Start
    turns: str
    rounds: int = 0
    bound: int | None = None

    @property
    def protocol(self) -> Protocol:
        """The protocol that is played."""
        return protocol(self.options, self.printed)

    def script(self) -> Script:
        """The turns as they are taken."""
        stage, taken = opening(self.start), []
        for words in filter(None, (part.strip() for part in self.turns.split(";"))):
            taken.append(_turn(stage, words))
            stage = take(self.protocol, stage, taken[-1])
        return with_rounds(self.protocol, Script(self.start, tuple(taken), self.bound), self.rounds)

    def stages(self) -> list[Stage]:
        """The stages of the script, the opening first."""
        return list(play(self.protocol, self.script()))

    def broken(self, at: int = -1) -> set[str]:
        """The promises over states that are false at the end, or at that stage."""
        return broken(self.protocol, self.stages()[at])


def _turn(stage: Stage, words: str) -> Turn:
    node, _, command_words = words.partition(": ")
    if command_words:
        kind, *values = command_words.split()
        (made,) = (item for item in Command.__args__ if item.__name__ == kind)
        return command(node, made(*values))
    node, *about = words.split()
    if not about:
        return timeout(node)
    *about, number = about if about[-1].isdigit() else [*about, "1"]
    fits = [item for to, item in stage.in_flight if to == node and _words(item) == about]
    return delivery(node, fits[int(number) - 1])


def _words(message: Any) -> list[str]:
    return [type(message).__name__, *FIELDS.named(message)[:1]]


def broken(by: Protocol, stage: Stage) -> set[str]:
    """The promises over states that are false."""
    return {promise.name for promise in by.promises.always if promise.faults(stage.states, stage.in_flight)}


def becomes_right(by: Protocol, states: Mapping[str, Node], most: int) -> bool:
    """Whether a system is right within so many rounds; the run ends early if no node changes for six rounds."""
    stage, unchanged = opening(of_states(states)), 0
    for _ in range(most):
        if stage.is_legitimate(by):
            return True
        before, stage = stage, a_round(by, stage)
        unchanged = unchanged + 1 if stage.states == before.states else 0
        if unchanged == 6:
            return False
    return stage.is_legitimate(by)


LET_IN = (
    "n002: Join n001; n002; n001 JoinRequest n002; n002 JoinReply n001; n002; "
    "n000 StabilizeRequest n002; n002 StabilizeReply n000"
)
"""Two members let in a third one, which asks its head and is about to notify it."""

STAYS = f"{LET_IN}; n002: Crash; n000 Notify n002"
WAITING = "n002: Join n000; n000; n001; n001 StabilizeRequest n000; n000 StabilizeRequest n001"
FREE = small(3, 3)
"""Parameters of the runs in which principals fail freely."""

SCENES: dict[str, Scene] = {
    "dead_predecessor_stays": Scene(ONE, "never_pings", ring(ONE, 2, 1), STAYS, 9, 9),
    "dead_candidate_is_adopted": Scene(
        ONE, "adopts_unasked", ring(ONE, 2, 1), f"{STAYS}; n001; n000 StabilizeRequest n001; n001 StabilizeReply n000"
    ),
    "joiner_knows_the_dead_only": Scene(
        WIDE,
        "copies_head_only",
        ring(WIDE, 4, 1),
        "n004: Join n003; n000: Crash; n004; n003 JoinRequest n004; n004 JoinReply n003",
    ),
    "question_goes_in_circles": Scene(ONE, "fingers_only", ring(ONE, 2, 1), "n002: Join n000", 6, 6),
    "list_on_its_way": Scene(
        ONE,
        "stored_lists_only",
        ring(ONE, 2, 1),
        f"{LET_IN}; n000 Notify n002; n001; n000 StabilizeRequest n001; n001 StabilizeReply n000; "
        "n002 StabilizeRequest n001; n002: Crash; n001 StabilizeReply n002",
    ),
    "answer_that_came_too_late": Scene(
        WIDE,
        "lists_used_now",
        among(WIDE, 6, 1),
        # 0 asks 2; the answer, "3 and 4", is late; 1 gets in between.
        "n000; n002 StabilizeRequest n000; n001: Join n000; n001; n000 JoinRequest n001; "
        "n001 JoinReply n000; n001; n002 StabilizeRequest n001;"
        "n001 StabilizeReply n002; n002 Notify n001; n000; n002 StabilizeRequest n000; "
        "n000 StabilizeReply n002 2; n001 StabilizeRequest n000; n000 StabilizeReply n001;"
        # 3 crashes, all forget it, then 2, and then 1.
        "n003: Crash; n002: Suspect n003; n001: Suspect n003; n001; n002 StabilizeRequest n001; "
        "n001 StabilizeReply n002; n002: Crash; n001: Suspect n002; n001; n004 StabilizeRequest n001; "
        "n001 StabilizeReply n004; n000; n001 StabilizeRequest n000; n000 StabilizeReply n001;"
        "n001: Crash; n000; n001 StabilizeRequest n000; n000 Dead n001; n000 StabilizeReply n002",
    ),
    "all_wait": Scene(ONE, "waits_for_answers", ring(ONE, 2, 1), WAITING, 12, 12),
    "two_of_three_are_left": Scene(TWO, "principals_fail_freely", ring(TWO, 3), "n000: Crash"),
    # Shrunk from a random run: two of four members crash, and the member that joins takes a stale list.
    "stale_list_goes_past_its_owner": Scene(
        FREE,
        "principals_fail_freely",
        among(FREE, 5, 3),
        "n002; n000: Crash; n003: Join n002; n004: Crash; n004 StabilizeRequest n002; n002 Dead n004; n002; "
        "n003; n000 StabilizeRequest n002; n002 Dead n000; n002 JoinRequest n003; n003 JoinReply n002; n003; "
        "n001 StabilizeRequest n003; n003 StabilizeReply n001",
    ),
}
"""The scenes of the claims, by name."""


def scene(name: str) -> Script:
    """The script of the scene of that name."""
    return SCENES[name].script()
