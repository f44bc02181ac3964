"""The port of the directory, a layer over an overlay that delivers neighbours."""

from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.topic_directory.commands import Announce, Enter, Retract
from gomboc.impl.publishing.port import Announcing, Port

PORT = Port(
    over="skip_plus",
    member="node",
    join=Enter(),
    leave=lambda _forget: Crash(),
    announcing=Announcing(announce=Announce, retract=Retract),
    crash=(Crash(),),
    absent_answers=True,
)
