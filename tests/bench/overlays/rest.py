"""The cost at rest of each overlay: `python -m tests.bench rest`, a minute.

Nodes of one topic, or clients of a tree, in memory, with nothing published and no failure. After the system has
settled, all that is sent in so many periods is counted: messages and bytes for each node and period.
"""

from collections.abc import Iterator
from random import Random

from gomboc.impl.api.contact import Contact
from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.memory import MemoryNetwork, MemoryTransport

SIZES = 8, 32
SETTLING, PERIODS = 120.0, 50


class Counting(MemoryNetwork):
    """A network that counts messages, and keeps their topics."""

    def begin(self) -> None:
        """Count from now on."""
        self.counted: list[bytes] = []

    def send(self, sender: str, to: str, written: bytes, connection: MemoryTransport | None = None) -> int:
        """Count, and send."""
        if hasattr(self, "counted"):
            self.counted.append(written)
        return super().send(sender, to, written, connection)


def at_rest(name: str, nodes: int, seed: int = 1) -> tuple[float, float]:
    """Messages and bytes for each node and period, of a settled system of so many nodes."""
    clock, random = ManualClock(), Random(seed)
    content = name == "delta_fault_tolerance"
    network = Counting(clock, random, discipline=Discipline.FIFO if content else Discipline.UNORDERED)
    kept = list(begun(name, nodes, clock, network, random))
    clock.advance(SETTLING)
    network.begin()
    clock.advance(PERIODS)
    timeouts = nodes * PERIODS
    assert kept
    return len(network.counted) / timeouts, sum(map(len, network.counted)) / timeouts


def begun(name: str, nodes: int, clock: ManualClock, network: Counting, random: Random) -> Iterator[object]:
    """The nodes, and the contacts that they need."""
    made = overlay(name, {"key_bits": 32} if name in ("skip_plus", "skip_ring") else None)

    def around(node: str) -> NodeContext:
        return NodeContext(network.transport(node), clock, random)

    if name == "delta_fault_tolerance":
        names = ["a", *(f"a.b{number:02}" for number in range(nodes - 1))]
        yield from (ContentNode(name, made, around(name), names=names) for name in names)
        return
    names = [f"{number:04x}:{random.getrandbits(10):010b}" for number in random.sample(range(1 << 16), nodes)]
    contacts = [Contact(name, made, around(name)) for name in made.port.contacts]
    yield from contacts
    first = None if contacts else names[0]
    for item in names:
        node = Node(
            item, made, around(item), incarnation=1, contact=first if name == "skip_plus" and item != first else None
        )
        for contact in contacts:
            contact.trust(item)
        node.subscribe("news", via=None if name != "chord" else first)
        yield node


def main() -> None:
    """Measure, and print the rows of the page."""
    print("| overlay | nodes | messages | bytes |\n|---|---|---|---|")
    for name in ("skip_ring", "skip_plus", "chord", "delta_fault_tolerance"):
        for nodes in SIZES:
            messages, written = at_rest(name, nodes)
            print(f"| `{name}` | {nodes} | {messages:.1f} | {written:,.0f} |", flush=True)
