"""Readable traces of the skip ring as Hypothesis makes them, true or not, with every optional key."""

from functools import cache
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size
from gomboc.spec.core.registry import find_protocol

Line = dict[str, Any]

PROTOCOL = find_protocol("skip_ring")
NODES = ("supervisor", "v1", "v2")
ANYONE = st.sampled_from((*NODES, "v3", 'ö"\\'))
IDS = st.integers(0, 5) | st.just(2**53 - 1)
COMMANDS = st.sampled_from(({"kind": "Subscribe"}, {"kind": "Unsubscribe"}))


def starts() -> st.SearchStrategy[tuple[Any, Any]]:
    """Arbitrary starts of two subscribers, as values of JSON."""
    return st.integers(0, 60).map(start)


@cache
def start(seed: int) -> tuple[Any, Any]:
    drawn = sample(PROTOCOL.starts.space(Size(2, 6)), Random(seed))
    return msgspec.to_builtins(dict(drawn.locals)), msgspec.to_builtins(drawn.in_flight)


@st.composite
def message(draw: st.DrawFn) -> Line:
    _, in_flight = draw(starts().filter(lambda start: start[1]))
    return {"id": draw(IDS), "to": draw(ANYONE), "message": in_flight[0][1]}


@st.composite
def step(draw: st.DrawFn) -> Line:
    node = draw(ANYONE)
    states, in_flight = draw(starts())
    line = {
        "node": node,
        "took": draw(st.just("timeout") | IDS | COMMANDS),
        "state": states.get(node, {"of": ["nobody"]}),
        "sent": draw(st.lists(message(), max_size=3)),
        "delivered": draw(st.lists(st.integers() | st.text(), max_size=2)),
        "coin": draw(st.none() | st.sampled_from(("ask", "silent", "edge"))),
        "before": draw(st.none() | st.just(draw(starts())[0].get(node, 0))),
        "received": draw(st.none() | st.just(in_flight[0][1] if in_flight else None)),
        "at": draw(st.none() | st.floats(0, 1e6)),
    }
    if not isinstance(line["took"], int):
        line["received"] = None
    return {key: value for key, value in line.items() if value is not None and not (key == "delivered" and not value)}


@st.composite
def trace(draw: st.DrawFn) -> bytes:
    """The lines of a trace as the recorder would write them."""
    states, _ = draw(starts())
    header = {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "skip_ring",
        "parameters": {},
        "roles": {
            name: "supervisor" if name == "supervisor" else "subscriber" for name in draw(st.permutations(NODES))
        },
        "states": states,
        "messages": draw(st.lists(message(), max_size=3)),
        "origin": {"seed": 1},
    }
    return written([header, *draw(st.lists(step(), max_size=6))])


def written(lines: list[Line]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
