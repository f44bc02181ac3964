"""The layer beside one that publishes: an overlay that brings to every node what the upper layer has it broadcast.

It is the membership of the layer below as well: what it knows of the system's nodes is passed there.
"""

from collections.abc import Callable

from gomboc.impl.api.layers.everywhere import EVERYWHERE
from gomboc.impl.api.layers.multiplexer import Multiplexer
from gomboc.impl.api.lower_layers import lower_host
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.core.errors import needed
from gomboc.impl.publishing.port import Beside, Command
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.host import Host


class BesideLayer:
    """The host of one node; `upper` publishes.

    `pass_peers(names)` takes the nodes known at the end of a period, and `offer(topic, command)` what was broadcast.
    """

    def __init__(
        self,
        upper: Host,
        beside: Beside,
        overlay: Overlay,
        around: NodeContext,
        shared: Multiplexer,
        pass_peers: Callable[[tuple[str, ...]], None],
        offer: Callable[[str, Command], None],
    ) -> None:
        self._beside, self._pass_peers, self._offer = beside, pass_peers, offer
        says = f"{overlay.implementation.name} does not bring a publication to every node."
        self._spreading = needed(overlay.port.spreading, says)
        self.host = lower_host(upper, overlay, around, shared, self._hear)
        self.host.want(EVERYWHERE)

    def join_via(self, contact: str) -> None:
        """Join through a contact, or begin through oneself."""
        self.host.command(EVERYWHERE, self._spreading.join_via(contact))

    def spread(self, topic: str, content: object) -> None:
        """Broadcast what a delivery of the upper layer says is to be broadcast, if it says so."""
        publication = self._beside.to_spread(content)
        if publication is not None:
            self.host.command(EVERYWHERE, self._spreading.spread(topic, publication))

    def _hear(self, _everywhere: str, content: object) -> None:
        """Pass what was broadcast to the topic's instance; a node without one takes no notice, as a trace shows."""
        peers, heard = self._spreading.peers(content), self._spreading.heard(content)
        if peers is not None:
            self._pass_peers(peers)
        elif heard is not None:
            self._offer(heard[0], self._beside.heard(heard[1]))
