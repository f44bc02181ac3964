"""Members that know different keys of a publisher: `python -m tests.impl.api.topics.disagreeing` gives the traffic."""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.api.signatures import Identity, public_key, signed_overlay, signer_for_traces
from gomboc.impl.runtime.configuration import NodeContext
from tests.impl.attacks.system import Counting
from tests.impl.in_memory import InMemory

NAMES = ("1a:0110", "3c:1010", "5e:0011")
OVERLAYS = ("skip_ring", "skip_plus", "scribe", "hyparview")


class Disagreeing(InMemory):
    """Three members, each of which has published; the second may know another key of the first, and it of the second.

    Which of both do so is what `wrong` says: names of those that know a wrong key.
    """

    def __init__(self, name: str, *wrong: str, number: int = 12, is_recorded: bool = False) -> None:
        own = overlay(name, {"key_bits": 64})
        private = {node: bytes([index]) * 32 for index, node in enumerate((*NAMES, "other"))}
        public = {node: public_key(key) for node, key in private.items()}
        signer = signer_for_traces(Identity(NAMES[2], private[NAMES[2]], public))
        self.lines: dict[str, Counting] = {}
        super().__init__(own, 3, SystemRecording(own, {"seed": 3}, signer) if is_recorded else None)
        others = {NAMES[0]: NAMES[1], NAMES[1]: NAMES[0]}
        for node in NAMES:
            known = public | ({others[node]: public["other"]} if node in wrong else {})
            signed = signed_overlay(own, Identity(node, private[node], known))
            self.start(node, own=signed, contact=self.another(node)).subscribe("news")
        self.clock.advance(20)
        for count in range(number):
            for node in NAMES:
                self.nodes[node].publish("news", f"{node} {count} {'x' * 200}")
        self.clock.advance(20)

    def around(self, name: str) -> NodeContext:
        """The surroundings of a node; the bytes that it sends are counted."""
        context = super().around(name)
        self.lines[name] = Counting(context.transport)
        return replace(context, transport=self.lines[name])

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
