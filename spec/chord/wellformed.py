"""Well-formedness of states and messages, beyond their types."""

from typing import Any

from gomboc.spec.chord.names import Key
from gomboc.spec.chord.parameters import Parameters
from gomboc.spec.chord.state import (
    CRASHED,
    FixFingerReply,
    FixFingerRequest,
    JoinReply,
    Lookup,
    Node,
    RouteReply,
    RouteRequest,
    StabilizeReply,
)
from gomboc.spec.model import Fault

STATE = "the protocol's state.py"


def malformed(parameters: Parameters, value: Any) -> tuple[Fault, ...]:
    """Faults of a local state, message or command that its type cannot exclude."""
    match value:
        case Node():
            wrong = _in_state(parameters, value)
        case StabilizeReply(sender, predecessor, successors):
            wrong = _in_list(parameters, successors) or _in_answer(sender, predecessor, successors)
        case JoinReply(_, successors):
            wrong = _in_list(parameters, successors)
        case FixFingerRequest(finger) | FixFingerReply(finger):
            wrong = _in_finger(parameters, finger)
        case RouteRequest(key) | RouteReply(key) | Lookup(key):
            wrong = _in_key(parameters, key)
        case _:
            return ()
    return (Fault("canonical", "", wrong, value, STATE),) if wrong else ()


def _in_state(parameters: Parameters, local: Node) -> str | None:
    """The requirement that a state does not meet, in words; None if it is well formed."""
    if local.status == "crashed" and local != CRASHED:
        return "nothing known by a crashed node"
    if local.status == "inside" and local.contact is not None:
        return "no contact of a member"
    if local.status != "inside" and (local.predecessor, local.successors, local.fingers, local.next) != (
        None,
        (),
        (),
        0,
    ):
        return "no neighbours of a node outside"
    if not 0 <= local.next < parameters.bits:
        return f"next from 0 to {parameters.bits - 1}"
    if list(local.peers) != sorted(set(local.peers)):
        return "peers ascending, each once"
    return _in_list(parameters, local.successors) or _in_fingers(parameters, local)


def _in_fingers(parameters: Parameters, local: Node) -> str | None:
    numbers = [number for number, _ in local.fingers]
    if numbers and not parameters.fingers:
        return "no fingers"
    if numbers != sorted(set(numbers)):
        return "fingers ascending, each once"
    return next(filter(None, (_in_finger(parameters, number) for number in numbers)), None)


def _in_list(parameters: Parameters, successors: tuple[str, ...]) -> str | None:
    if len(set(successors)) < len(successors):
        return "each successor once"
    return (
        f"at most {parameters.r} successor{'' if parameters.r == 1 else 's'}"
        if len(successors) > parameters.r
        else None
    )


def _in_answer(sender: str, predecessor: str | None, successors: tuple[str, ...]) -> str | None:
    return "another predecessor and successors than the sender" if sender in (predecessor, *successors) else None


def _in_finger(parameters: Parameters, finger: int) -> str | None:
    return None if 0 <= finger < parameters.bits else f"a finger from 0 to {parameters.bits - 1}"


def _in_key(parameters: Parameters, key: Key) -> str | None:
    try:
        parameters.circle.number(key)
    except ValueError as error:
        return str(error)
    return None
