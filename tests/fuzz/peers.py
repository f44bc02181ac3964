"""`python -m tests.fuzz.peers [OVERLAY...]`: peers send mutated messages to nodes, between timers; nothing is raised.

The messages are those of golden traces, with the names of the nodes there and some further changes; they come in the
name of the node that they name, so that they pass as its word, or in another's. Every layer of each overlay gets them.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.errors import PeerError
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.topics import opened, sealed
from tests.fuzz.texts import changed
from tests.impl.attacks.system import OWN_TOPICS, PARAMETERS, TOPIC, Attacked

TRACES = Path(__file__).resolve().parents[2] / "traces"
OVERLAYS = ("skip_ring", "skip_plus", "chord", "scribe", "hyparview", "delta_fault_tolerance")
NODES = 4
RENEWED = 500
"""Messages after which a new system is made: one that is full of names that no node has is slow."""
OF_EACH_KIND = 40
PLAUSIBLE: tuple[Any, ...] = (None, 0, 1, 2, 255, 2**53 - 1, "", "0", "1", "01", "1111", "supervisor", "LIN", [], {})

STARTS = (b'[[0,"00000000000000"]]', b'[[7,"0123456789abcd"],[[0,"00000000000000"],9]]')
"""First lines of parcels among nodes that come back by what was kept of them."""

UNRECORDED: Mapping[str, tuple[Any, ...]] = {
    "skip_ring": ({"kind": "PublishNew", "sender": "n1", "publication": ["0" * 32, "n1", 1, "", "n1"]},),
    "chord": (
        {"kind": "Outside", "node": "n1"},
        *({"kind": "RouteReply", "key": digit * 64, "owner": "n1"} for digit in "07f"),
        *({"kind": "RouteRequest", "key": digit * 64, "asker": "n1", "sender": "n1"} for digit in "07f"),
    ),
    "skip_plus": (
        {"kind": "Update", "sender": "n1:001", "ranges": [[None, None]] * 3, "inserts": ["n2:010"]},
        {"kind": "Update", "sender": "n2:010", "ranges": [["n1:001", None]] * 3, "inserts": []},
    ),
}
"""Messages of kinds that occur in no golden trace, or only under other parameters."""


class RaisedError(Exception):
    """Something came out of a node: the error says what, and after which message."""


def kinds(name: str) -> tuple[tuple[str, str], ...]:
    """Every kind of message of every layer of an overlay."""
    layers = overlay(name, PARAMETERS.get(name, {})).layers
    return tuple((of.implementation.name, kind) for of in layers for kind in seeds(of.implementation.protocol))


Counts = Counter[tuple[str, str]]
"""Numbers of messages by layer and kind."""


def spoilt(name: str, each: int, seed: int) -> tuple[Counts, Counts]:
    """Send so many messages of each layer and kind to nodes of an overlay, in turn.

    Returns how many were sent, and how many of them were messages when they arrived. Raises RaisedError.
    """
    random, counts, read, every = Random(f"{name} {seed}"), Counts(), Counts(), kinds(name)
    messages = each * len(every)
    for first in range(0, messages, RENEWED):
        there = Attacked(name, seed=random.randrange(1 << 30), nodes=NODES)
        there.clock.advance(random.randrange(8))
        for number in range(first, min(first + RENEWED, messages)):
            layer, kind = every[number % len(every)]
            sender, to, written = _drawn(there, layer, kind, random)
            counts[layer, kind] += 1
            read[layer, kind] += _is_read(there, layer, written)
            try:
                there.network.send(sender, to, written)
                there.clock.advance(random.choice((0.0, 0.01, 0.05, 0.3)))
            except Exception as error:
                raise RaisedError(f"{name}: {type(error).__name__}: {error}, after {written!r} of {sender}") from error
    return counts, read


def _is_read(there: Attacked, layer: str, written: bytes) -> bool:
    with suppress(PeerError):
        there.layers[layer].implementation.decode(bytes(opened(written).message))
        return True
    return False


def _drawn(there: Attacked, layer: str, kind: str, random: Random) -> tuple[str, str, bytes]:
    """Sender, receiver and bytes of a message."""
    of = there.layers[layer]
    nodes = (*there.honest, *there.overlay.port.contacts, there.peer, "ghost", "ghost:010")
    message = _renamed(random.choice(seeds(of.implementation.protocol)[kind]), nodes, random)
    bits = None if of.limits is None else of.limits.key_bits
    message = message if bits is None else _with_keys(message, bits)
    for _ in range(random.randrange(4)):
        message = _altered(message, (*nodes, *PLAUSIBLE), random)
    content = json.dumps(message, separators=(",", ":")).encode("utf-8", "surrogatepass")
    topic = random.choice(("system", TOPIC, TOPIC, *OWN_TOPICS, f"t{random.randrange(100)}"))
    written = sealed(topic, of.agreement, content)
    if random.random() < 0.2:
        written = changed(written, random)
    sender = random.choice(nodes)
    if random.random() < 0.8:
        sender = _author(of.implementation, content) or sender
    if there.overlay.port.content is not None and random.random() < 0.3:
        # A later start in a broker's name ends that broker: it is told that it came back by an old value.
        sender, written = there.peer, changed(random.choice(STARTS), random) + b"\n" + written
    return sender, random.choice((*there.honest, *there.overlay.port.contacts)), written


def _author(implementation: Any, content: bytes) -> str | None:
    """The node whose word a message is; None if it is hearsay, or no message."""
    try:
        message = implementation.decode(content)
    except PeerError:
        return None
    word = implementation.words.get(type(message))
    return None if word is None or word.author is None else word.author(message)


@cache
def seeds(protocol: str) -> dict[str, list[tuple[Any, tuple[str, ...]]]]:
    """Messages of golden traces, by kind, each with the names of the nodes there."""
    by_kind: dict[str, list[tuple[Any, tuple[str, ...]]]] = {}
    for path in sorted((TRACES / protocol).glob("*.jsonl")):
        head, *steps = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        for message in _messages(head, steps):
            kept = by_kind.setdefault(message.get("kind", "?"), [])
            if len(kept) < OF_EACH_KIND and (message, tuple(head["roles"])) not in kept:
                kept.append((message, tuple(head["roles"])))
    for message in UNRECORDED.get(protocol, ()):
        by_kind.setdefault(message["kind"], []).extend([(message, ("n1", "n1:001", "n2:010"))] * OF_EACH_KIND)
    return by_kind


def _messages(head: Any, steps: Any) -> Iterator[Any]:
    for line in (head, *steps):
        for one in (line.get("messages") or line.get("sent") or ()) if isinstance(line, dict) else ():
            if isinstance(one.get("message"), dict):
                yield one["message"]


def _renamed(seed: tuple[Any, tuple[str, ...]], nodes: tuple[str, ...], random: Random) -> Any:
    message, names = seed
    given = {name: random.choice(nodes) for name in names if name not in nodes}

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return given.get(value, value)
        if isinstance(value, list):
            return [walk(each) for each in value]
        return {key: walk(each) for key, each in value.items()} if isinstance(value, dict) else value

    return walk(message)


def _with_keys(value: Any, bits: int) -> Any:
    """The value with keys of so many bits: those of golden traces are shorter; publications have their right ones."""
    match value:
        case [str(), str(publisher), int(number), str(payload), str(signer)]:
            return [key_of(publisher, number, payload, bits), publisher, number, payload, signer]
        case list():
            return [_with_keys(each, bits) for each in value]
        case dict():
            padded = {
                key: [one.ljust(bits, "0") for one in part] if key == "keys" else part.ljust(bits, "0")
                for key, part in value.items()
                if key in ("key", "keys")
            }
            return {key: padded.get(key) or _with_keys(part, bits) for key, part in value.items()}
    return value


def _altered(value: Any, pool: tuple[Any, ...], random: Random) -> Any:
    """The value with one part replaced by a plausible one, or with an item more or less."""
    if isinstance(value, dict) and value:
        key = random.choice([key for key in value if key != "kind"] or [*value])
        return {**value, key: _altered(value[key], pool, random)}
    if isinstance(value, list) and value and random.random() < 0.8:
        at = random.randrange(len(value))
        match random.randrange(4):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return sorted([*value, _altered(value[at], pool, random)], key=repr)
            case _:
                return [*value[:at], _altered(value[at], pool, random), *value[at + 1 :]]
    alike = [one for one in pool if type(one) is type(value)]
    return random.choice(alike if alike and random.random() < 0.9 else pool)


def main() -> int:
    """0 if nothing was raised, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.peers", description=__doc__)
    parser.add_argument("overlays", nargs="*", metavar="OVERLAY", help=f"of {', '.join(OVERLAYS)} (default: all)")
    parser.add_argument("--each", type=int, default=1_000, help="messages of each layer and kind (default: 1,000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    broken = 0
    for name in options.overlays or OVERLAYS:
        try:
            counts, read = spoilt(name, options.each, options.seed)
        except RaisedError as error:
            print(error, flush=True)
            broken = 1
        else:
            layers = len({layer for layer, _ in counts})
            sent = min(counts.values())
            least = f"of each of {len(counts)} kinds in {layers} layers {sent:,} at least"
            few, kind = min((read[kind], kind) for kind in counts)
            print(
                f"{name}: {sum(counts.values()):,} messages; {least}, of which {few:,} at least were read "
                f"({' '.join(kind)}); nothing raised",
                flush=True,
            )
    return broken


if __name__ == "__main__":
    sys.exit(main())
