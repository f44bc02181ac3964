"""Members that know different keys of a publisher: `python -m tests.impl.api.topics.disagreeing` gives the traffic."""

from collections.abc import Mapping
from random import Random

from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.api.signatures import Identity, public_key, signed_overlay, signer_for_traces
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork
from tests.impl.attacks.system import Counting

NAMES = ("1a:0110", "3c:1010", "5e:0011")
OVERLAYS = ("skip_ring", "skip_plus", "scribe", "hyparview")


class Disagreeing:
    """Three members, each of which has published; the second may know another key of the first, and it of the second.

    Which of both do so is what `wrong` says: names of those that know a wrong key.
    """

    def __init__(self, name: str, *wrong: str, number: int = 12, is_recorded: bool = False) -> None:
        self.overlay, self.clock, random = overlay(name, {"key_bits": 64}), ManualClock(), Random(3)
        self.network = MemoryNetwork(self.clock, random)
        self.lines: dict[str, Counting] = {}
        self.nodes: dict[str, Node] = {}
        private = {node: bytes([index]) * 32 for index, node in enumerate((*NAMES, "other"))}
        public = {node: public_key(key) for node, key in private.items()}
        signer = signer_for_traces(Identity(NAMES[2], private[NAMES[2]], public))
        self.recording = SystemRecording(self.overlay, {"seed": 3}, signer)
        others = {NAMES[0]: NAMES[1], NAMES[1]: NAMES[0]}

        def around(node: str) -> NodeContext:
            self.lines[node] = Counting(self.network.transport(node))
            context = NodeContext(self.lines[node], self.clock, random)
            return self.recording.around(context) if is_recorded else context

        for contact in self.overlay.port.contacts:
            Contact(contact, self.overlay, around(contact))
        for node in NAMES:
            known = public | ({others[node]: public["other"]} if node in wrong else {})
            signed = signed_overlay(self.overlay, Identity(node, private[node], known))
            first = None if self.overlay.port.contacts or not self.nodes else NAMES[0]
            self.nodes[node] = Node(node, signed, around(node), incarnation=1, contact=first)
            self.nodes[node].subscribe("news")
        self.clock.advance(20)
        for count in range(number):
            for node in NAMES:
                self.nodes[node].publish("news", f"{node} {count} {'x' * 200}")
        self.clock.advance(20)

    def refused(self, node: str) -> Mapping[tuple[str | None, str], int]:
        """How many refusals there are of each peer for each reason."""
        counted = self.nodes[node].refused_peers()
        return {(peer, reason): count for (peer, _, reason), count in counted.items()}

    def sent(self, periods: int) -> float:
        """Bytes that all send in a period."""
        before = sum(line.sent for line in self.lines.values())
        self.clock.advance(periods)
        return (sum(line.sent for line in self.lines.values()) - before) / periods


def main() -> None:
    """Print, for each overlay, the bytes in a period without disagreement, of one member with another, and of both."""
    for name in OVERLAYS:
        sent = [Disagreeing(name, *wrong, number=40).sent(20) for wrong in ((), NAMES[1:2], NAMES[:2])]
        print(name, *(f"{each:,.0f}" for each in sent), flush=True)


if __name__ == "__main__":
    main()
