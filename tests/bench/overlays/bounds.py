"""What a peer's message costs a node that holds much: `python -m tests.bench bounds`.

Each line has a figure at a small size, at a large one, and their ratio: medians of rounds in turn, in processor time.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from statistics import median
from typing import Any

from msgspec import json

from gomboc.impl import Contact, ManualClock, MemoryNetwork, Node, NodeContext, Policy, Queueing, overlay
from gomboc.impl.api.layers.everywhere import EVERYWHERE
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.registry import implementation
from gomboc.impl.api.signatures import Ed25519, Identity, public_key
from gomboc.impl.core.automaton import Received
from gomboc.impl.publishing.authenticator import IDEAL, Authenticator
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store
from gomboc.impl.runtime.topics import sealed
from gomboc.impl.runtime.transport import Parcel
from tests.bench.measure import in_turn, ratio
from tests.impl.members import Members

RING: Overlay = overlay("skip_ring", {"key_bits": 64})
LIMITS = Limits(key_bits=64)
RUNS = 7


def main() -> None:
    """Measure, and print a line for each figure."""
    _report("a refused topic, at 1 and at 5,000 topics", 200, partial(refusals, 1), partial(refusals, 5_000))
    for name in ("skip_ring", "skip_plus", "scribe", "hyparview"):
        made = (partial(forgeries, name, topics) for topics in (1, 5_000))
        _report(f"a forged publication over {name}, at 1 and at 5,000 topics", 100, *made)
    _report("a digest over hyparview, at 1 and at 5,000 topics", 100, partial(digests, 1), partial(digests, 5_000))
    _report("a refused entry of the directory, at 1 and at 5,000", 1_000, partial(entries, 1), partial(entries, 5_000))
    _report("a duplicate, unsigned and signed", 500, partial(duplicates, IDEAL), partial(duplicates, signing()))
    _report("history(last=1), at 1,000 and at 100,000 held", 5, partial(history, 1_000), partial(history, 100_000))
    _report("take() under BLOCK, at 1,000 and at 100,000 held", 100, partial(takes, 1_000), partial(takes, 100_000))
    print(f"{'a held publication, without its payload':60} {held_bytes():10.0f} bytes")


def _report(name: str, calls: int, *made: Callable[[], Callable[[], object]]) -> None:
    few, many = (make() for make in made)
    measured = {"few": lambda: [few() for _ in range(calls)], "many": lambda: [many() for _ in range(calls)]}
    seconds = in_turn(measured, RUNS, time.process_time)
    one, other = (median(times) / calls * 1e6 for times in seconds.values())
    print(f"{name:60} {one:10.1f} us {other:10.1f} us  {ratio(seconds['many'], seconds['few']):7.2f}")


def context(network: MemoryNetwork, clock: ManualClock, name: str) -> NodeContext:
    """The surroundings of a node in memory."""
    return NodeContext(network.transport(name), clock, Random(1))


def refusals(topics: int) -> Callable[[], object]:
    """A message that would begin one more topic than a supervisor may have."""
    clock = ManualClock()
    network = MemoryNetwork(clock, Random(1))
    contact = Contact("supervisor", RING, context(network, clock, "supervisor"), most_topics=topics)
    for number in range(topics):
        _subscribe(contact, f"t{number}", f"v{number}")
    return partial(_subscribe, contact, "more", "v0")


def _subscribe(contact: Contact, topic: str, sender: str) -> None:
    message = b'{"kind":"Subscribe","subscriber":"%b"}' % sender.encode()
    contact._host.receive(Parcel(0, sender, sealed(topic, RING.agreement, message)))


def members(name: str, topics: int) -> Members:
    """Two members of `news` on an overlay, of which the first has so many topics."""
    there = Members(name, 2)
    for number in range(1, topics):
        there[0].subscribe(f"t{number}")
    return there


def forgeries(name: str, topics: int) -> Callable[[], object]:
    """Another publication each time that its signer has forged, from the other member."""
    there, numbers = members(name, topics), count()
    receiver, sender = there[0], there[1].name

    def forge() -> None:
        right = Store(Limits(key_bits=32)).sign(sender, next(numbers), "x")
        forged = [right.key, right.publisher, right.number, right.payload, "mallory"]
        match name:
            case "hyparview":
                message = {"kind": "Broadcast", "sender": sender, "item": ["news", forged]}
            case "scribe":
                message = {"kind": "Publish", "sender": sender, "publications": [forged]}
            case _:
                message = {"kind": "Publish", "publications": [forged]}
        _hear(receiver, there.overlay, message, sender)

    return forge


def digests(topics: int) -> Callable[[], object]:
    """A digest of HyParView that names as much of one topic as it may."""
    there = members("hyparview", topics)
    message = {"kind": "Digest", "sender": there[1].name, "ids": [["news", "x", number] for number in range(64)]}
    return partial(_hear, there[0], there.overlay, message, there[1].name)


def _hear(node: Any, overlay: Overlay, message: object, sender: str) -> None:
    """Give a message to the node, in the topic `news` or in the one of all topics."""
    everywhere = overlay.port.spreading is not None
    host = node._host._host if everywhere else node._host
    written = sealed(EVERYWHERE if everywhere else "news", overlay.agreement, json.encode(message))
    host.receive(Parcel(0, sender, written))


def entries(topics: int) -> Callable[[], object]:
    """A topic of a peer that is the contact of as many as it may, at a node of the directory with so many others."""
    unlimited = implementation("topic_directory")
    assert unlimited.configured is not None, "it has parameters"
    directory = unlimited.configured({"topics_of_contact": 1})
    core = directory.make("node", "m", {"live": True, "neighbours": [], "topics": [], "entries": []}, Random(1))

    def affirm(topic: str, node: str) -> object:
        return core.handle(
            0.0, Received(directory.decode(json.encode({"kind": "Affirm", "topic": topic, "node": node})))
        )

    for number in range(topics):
        affirm(f"t{number}", f"x{number}")
    return partial(affirm, "more", "x0")


def signing() -> Authenticator:
    """The authenticator of a node called a."""
    private = bytes(32)
    return Ed25519(Identity("a", private, {"a": public_key(private)}), "news")


def duplicates(authenticator: Authenticator) -> Callable[[], object]:
    """A publication that is held already."""
    store = Store(LIMITS, authenticator)
    publication = store.sign("a", 1, "the ring stands")
    store.add(store.sifted((publication,))[0])
    return lambda: store.sifted((publication,))


def holding(held: int, queueing: Queueing | None = None) -> Node:
    """A node that holds so many publications of its own."""
    clock = ManualClock()
    network = MemoryNetwork(clock, Random(1))
    node = Node("a", RING, context(network, clock, "a"), incarnation=1, queueing=queueing)
    node.subscribe("news")
    for number in range(held):
        node.publish("news", str(number))
    return node


def history(held: int) -> Callable[[], object]:
    """The last publication."""
    return partial(holding(held).history, "news", last=1)


def takes(held: int) -> Callable[[], object]:
    """The next delivery, while more wait than the queue has room for."""
    node = holding(0, Queueing(Policy.BLOCK, 64))
    deliveries = node.deliveries("news")
    for number in range(held):
        node.publish("news", str(number))
    return deliveries.take


def held_bytes(held: int = 20_000) -> float:
    """The memory of a publication in a store, with its part of the trie, without the text."""
    texts = [f"{number:064d}" for number in range(held)]
    encoded = [_read(f"{number:053d}", text) for number, text in enumerate(texts)]
    gc.collect()
    tracemalloc.start()
    store = Store(LIMITS)
    store.add([encode() for encode in encoded])
    store.root()
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used / held - 49 - 64


def _read(name: str, text: str) -> Callable[[], Publication]:
    """A publication as it comes from a message: no part of it is shared with another one."""
    import msgspec

    signed = Store(LIMITS).sign("publisher", int(name), text)
    return partial(msgspec.json.Decoder(Publication).decode, msgspec.json.encode(signed))
