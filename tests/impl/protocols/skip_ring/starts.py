"""Where runs start: blank, or corrupted at random; and where they have to end, by the definition of SR(n)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

POOL = ["0", "1", "01", "11", "001", "011", "101", "111", "0011", "0101", "1111"]
BLANK: dict[str, Any] = {"label": None, "left": None, "right": None, "ring": None, "shortcuts": [], "wants": True}


def names(size: int) -> list[Any]:
    return [f"s{index:03d}" for index in range(size)]


def header(states: Mapping[str, Any], messages: Sequence[Any] = ()) -> dict[str, Any]:
    return {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "skip_ring",
        "parameters": {},
        "roles": {name: "supervisor" if name == "supervisor" else "subscriber" for name in states},
        "states": states,
        "messages": list(messages),
        "origin": {"implementation": "skip_ring"},
    }


def blank(size: int) -> Any:
    return header({"supervisor": {"database": [], "next": 0}, **dict.fromkeys(names(size), BLANK)})


def corrupted(size: int, seed: int) -> Any:
    random = Random(seed)
    nodes = names(size)

    def maybe(value: Any) -> Any:
        return value if random.random() < 0.6 else None

    def some_claim() -> list[Any]:
        return [random.choice(POOL), random.choice(nodes)]

    def entries() -> list[Any]:
        return [[label, maybe(random.choice(nodes))] for label in sorted(random.sample(POOL, random.randrange(4)))]

    states = {"supervisor": {"database": entries(), "next": random.randrange(9)}}
    for node in nodes:
        slots = {slot: maybe(some_claim()) for slot in ("left", "right", "ring")}
        states[node] = {"label": maybe(random.choice(POOL)), **slots, "shortcuts": entries(), "wants": True}
    kinds = [
        lambda: {"kind": "Linearize", "claim": some_claim()},
        lambda: {"kind": "Introduce", "claim": some_claim(), "flag": "CYC"},
        lambda: {"kind": "Present", "claim": some_claim(), "flag": "LIN"},
        lambda: {"kind": "RemoveConnections", "node": random.choice(nodes)},
        lambda: {"kind": "IntroduceShortcut", "claim": some_claim()},
        lambda: {"kind": "SetData", "pred": some_claim(), "label": random.choice(POOL), "succ": maybe(some_claim())},
        lambda: {"kind": "Check", "sender": some_claim(), "label": random.choice(POOL), "flag": "CYC"},
    ]
    messages = [{"id": 10 * id_, "to": random.choice(nodes), "message": random.choice(kinds)()} for id_ in range(size)]
    return header(states, messages)


def number(label: Any) -> Fraction:
    return Fraction(int(label, 2), 2 ** len(label))


def written(value: Any) -> str:
    bits = max(1, value.denominator.bit_length() - 1)
    return f"{int(value * 2**bits):0{bits}b}"


def skip_ring(database: Any) -> Any:
    """The states of all recorded subscribers in SR(n), node by node. Source: Definition 2."""
    around = sorted(database.items(), key=lambda entry: number(entry[0]))
    deepest = max(len(label) for label in database)
    states = {}
    for index, (label, node) in enumerate(around):
        before, after = around[index - 1], around[(index + 1) % len(around)]
        shortcuts = set()
        for level in range(len(label), deepest):
            beside = Fraction(1, 2**level)
            shortcuts |= {written((number(label) - beside) % 1)} - {before[0]}
            shortcuts |= {written((number(label) + beside) % 1)} - {after[0]}
        states[node] = {
            "label": label,
            "left": list(before) if index > 0 else None,
            "right": list(after) if index + 1 < len(around) else None,
            "ring": _across(index, around),
            "shortcuts": [[shortcut, database[shortcut]] for shortcut in sorted(shortcuts)],
            "wants": True,
        }
    return states


def _across(index: int, around: Any) -> list[Any] | None:
    if len(around) == 1 or 0 < index < len(around) - 1:
        return None
    return list(around[-1] if index == 0 else around[0])


def with_publications(start: dict[str, Any], publications: Any, seed: int, **parameters: Any) -> dict[str, Any]:
    """The same start, with each publication (a JSON value, maybe a corrupted one) at some subscriber, and hashes."""
    random = Random(seed)
    subscribers = [node for node in start["states"] if node != "supervisor"]
    held: Any = {node: {} for node in subscribers}
    for publication in publications:
        held[random.choice(subscribers)].setdefault(publication[0], publication)
    states = dict(start["states"])
    for node in subscribers:
        wrong = [["", "f" * 32]] if random.random() < 0.3 else []
        publications = [publication for _, publication in sorted(held[node].items())]
        states[node] = {**states[node], "publications": publications, "hashes": wrong}
    return {**start, "parameters": parameters, "states": states}
