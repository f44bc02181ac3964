"""What answers for a node that is not there, as a transport would that finds nobody."""

from functools import partial

from msgspec.structs import replace

from gomboc.impl.host import Conduct, Host, Surroundings
from gomboc.impl.overlay import Overlay
from gomboc.impl.reasons import Reason
from gomboc.impl.sharing import Shared


class Absent:
    """Answers in the name of a node that has crashed: as one that takes part in nothing, in whatever topic.

    Some overlays need it, since there only who is not there itself says so. It goes when a node of this name begins to
    listen to the transport.
    """

    def __init__(self, name: str, overlay: Overlay, around: Surroundings) -> None:
        shared = Shared(around.transport)
        witnesses = (around.witness, *(around.beneath.get(each.implementation.name) for each in overlay.layers[1:]))
        for layer, witness in zip(overlay.layers, witnesses, strict=True):
            surrounded = replace(around, transport=shared.line(layer.agreement), witness=witness)
            Host(name, _conduct(name, layer, around), layer.implementation, layer.agreement, surrounded)


def _conduct(name: str, layer: Overlay, around: Surroundings) -> Conduct:
    member = layer.port.member
    return Conduct(
        role=member,
        make=partial(layer.blank, member, name, around.random),
        drops=True,
        reasons=Reason,
        hand_over=_nothing_is_delivered,
        began=lambda _: None,
        refuses=lambda _: Reason.UNKNOWN_TOPIC,
    )


def _nothing_is_delivered(topic: str, content: object) -> None:
    raise AssertionError(f"Who is absent has no application, and topic {topic} hands it {content!r}.")
