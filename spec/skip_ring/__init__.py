"""The supervised skip ring BuildSR, after Feldmann, Kolb, Scheideler and Strothmann."""

from msgspec.structs import replace

from spec.protocol import Discipline, Protocol
from spec.skip_ring.errata import SOUND, errata
from spec.skip_ring.legitimacy import anchor, anchor_faults, malformed, message_faults, node_faults
from spec.skip_ring.rules import choices, rule
from spec.skip_ring.space import bound, space, start
from spec.skip_ring.state import SUPERVISOR, Command, Message, Subscriber, Supervisor

_SOUND = Protocol(
    name="skip_ring",
    discipline=Discipline.UNORDERED,
    roles={"supervisor": Supervisor, "subscriber": Subscriber},
    member="subscriber",
    fixed={SUPERVISOR: "supervisor"},
    message=Message,
    command=Command,
    react=SOUND.react,
    choices=choices,
    rule=rule,
    malformed=malformed,
    anchor=anchor,
    anchor_faults=anchor_faults,
    node_faults=node_faults,
    message_faults=message_faults,
    space=space,
    start=start,
    bound=bound,
)

PROTOCOL = replace(_SOUND, errata=errata(_SOUND))
