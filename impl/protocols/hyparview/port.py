"""The port of HyParView: every publication reaches every node, and is delivered where its topic is subscribed to."""

from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.hyparview.commands import Join, Leave
from gomboc.impl.protocols.hyparview.parameters import read
from gomboc.impl.publishing.port import Port

PORT = Port(
    member="node",
    leave=lambda _forget: Leave(),
    agreed=lambda parameters: read(parameters).agreed(),
    join_via=Join,
    crash=(Crash(),),
)
