"""Well-formedness of states and messages where fields depend on one another; the rest is declared with each field."""

from gomboc.spec.chord.parameters import Parameters
from gomboc.spec.chord.state import CRASHED, Command, Message, Neighbours, Node, Route, StabilizeReply
from gomboc.spec.derived import Derived
from gomboc.spec.fields import Holds


def _in_state(parameters: Parameters, local: Node) -> str | None:
    if local.next and not parameters.fingers:
        return "next 0 without fingers"
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
    return None


def _in_reply(parameters: Parameters, reply: StabilizeReply) -> str | None:
    del parameters
    listed = (reply.predecessor, *reply.successors)
    return "another predecessor and successors than the sender" if reply.sender in listed else None


FIELDS = Derived(
    Node, Message, Command, Neighbours, Route, relations={Node: Holds(_in_state), StabilizeReply: Holds(_in_reply)}
)
"""The nodes that values name, their faults, and their renaming."""
