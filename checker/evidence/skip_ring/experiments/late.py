"""Messages that were true when they were sent, and arrive when they are so no more."""

from collections.abc import Iterable

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import (
    MOST_ROUNDS,
    Script,
    Stage,
    Turn,
    command,
    delivery,
    last,
    opening,
    take,
    timeout,
    until_legitimate,
)
from gomboc.checker.evidence.skip_ring.experiments.closure import edges_are_preserved_with_channels
from gomboc.checker.evidence.skip_ring.experiments.ring import ring
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import InFlight
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, SetData, Subscribe, Unsubscribe, WantIn, WantOut

Addressed = tuple[str, object]


def without_one(in_flight: InFlight, held: Addressed) -> InFlight:
    """The messages in flight, but for one copy of a message, which is held back."""
    rest = list(in_flight)
    if held in rest:
        rest.remove(held)
    return tuple(rest)


def holding_back(start: Start, first: Iterable[Turn], held: Addressed) -> Script:
    """Those turns, and then rounds in which one copy of `held` is not delivered, until all explicit edges are right."""
    turns, stage = list(first), opening(start)
    for turn in turns:
        stage = take(PROTOCOL, stage, turn)
    for _ in range(MOST_ROUNDS):
        if _is_right_but_for(stage, held):
            return Script(start, tuple(turns))
        waiting = [delivery(*message) for message in without_one(stage.in_flight, held)]
        for turn in (*waiting, *(timeout(node) for node in sorted(stage.states))):
            stage = take(PROTOCOL, stage, turn)
            turns.append(turn)
    raise ValueError("the explicit edges do not become right")


def _is_right_but_for(stage: Stage, held: Addressed) -> bool:
    return held in stage.in_flight and not legitimacy_faults(PROTOCOL, stage.states, without_one(stage.in_flight, held))


def _then(script: Script, turn: Turn) -> Script:
    return Script(script.start, (*script.turns, turn))


def _two(*members: str) -> Start:
    """A right ring of the first so many of v1 and v2, the others outside."""
    return ring(len(members), **{node: OUTSIDE for node in names(2) if node not in members})


def late_unsubscribe() -> Script:
    """v2 asks twice to leave, and has left by the first; it comes back; only then the second arrives."""
    asked = SUPERVISOR, Unsubscribe("v2")
    left = SetData(None, None, None)
    turns = (command("v2", WantOut()), timeout("v2"), timeout("v2"), delivery(*asked), delivery("v2", left))
    return _then(holding_back(_two("v1", "v2"), (*turns, command("v2", WantIn())), asked), delivery(*asked))


def late_subscribe() -> Script:
    """v2 asks twice to be recorded, and is; it leaves; only then the second arrives."""
    asked = SUPERVISOR, Subscribe("v2")
    turns = (command("v2", WantIn()), timeout("v2"), timeout("v2"), delivery(*asked))
    joined = holding_back(_two("v1"), turns, asked)
    return _then(holding_back(joined.start, (*joined.turns, command("v2", WantOut())), asked), delivery(*asked))


def late_configuration() -> Script:
    """v1 is alone, and is sent its configuration; v2 joins; only then the configuration arrives."""
    said = "v1", SetData(None, "0", None)
    turns = (timeout(SUPERVISOR), command("v2", WantIn()), timeout("v2"), delivery(SUPERVISOR, Subscribe("v2")))
    return _then(holding_back(_two("v1"), turns, said), delivery(*said))


LATE = {"Unsubscribe": late_unsubscribe, "Subscribe": late_subscribe, "SetData": late_configuration}


def script(kind: str) -> Script:
    """The run in which a message of that kind is late, until all is well."""
    return until_legitimate(PROTOCOL, LATE[kind]())


def nothing_late_disturbs() -> Evidence:
    """Each of the three: are the explicit edges and the database still right after its delivery?"""
    scripts = {kind: script() for kind, script in LATE.items()}
    disturbing = [
        kind for kind, script in scripts.items() if legitimacy_faults(PROTOCOL, last(PROTOCOL, script).states, ())
    ]
    before = [last(PROTOCOL, Script(script.start, script.turns[:-1])) for script in scripts.values()]
    return by_readings(
        (edges_are_preserved_with_channels().result, settled(not disturbing)),
        {"disturbing": disturbing},
        {
            "before its delivery all explicit edges and the database are right": not any(
                legitimacy_faults(PROTOCOL, stage.states, ()) for stage in before
            ),
            "each run becomes legitimate again": all(
                last(PROTOCOL, until_legitimate(PROTOCOL, script)).is_legitimate(PROTOCOL)
                for script in scripts.values()
            ),
            "each run begins legitimate, with nothing in flight": all(
                opening(script.start).is_legitimate(PROTOCOL) and not script.start.in_flight
                for script in scripts.values()
            ),
        },
    )
