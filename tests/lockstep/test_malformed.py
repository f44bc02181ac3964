"""Specification and implementation refuse the same values: each was written from the paper, without the other.

Well-formed states and messages are changed in one place. What depends on the node that has a state (that it knows
itself, or a broker that is too far away) is no fault of the
value: only the implementation, which knows the node, refuses.
"""

import copy
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Implementation
from gomboc.impl.core.errors import PeerError, UsageError
from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Protocol, Size, configured
from gomboc.spec.core.registry import find_protocol
from tests.sampling import share

PARAMETERS: dict[str, dict[str, Any]] = {
    "skip_ring": {"key_bits": 4},
    "chord": {"bits": 6, "ids": "number", "r": 3, "meet": True},
    "delta_fault_tolerance": {"delta": 1},
    "skip_plus": {},
    "dissemination": {"key_bits": 4},
    "scribe": {"key_bits": 4, "keep": 2, "low": 1, "high": 2},
    "topic_directory": {},
}
OF_THE_NODE = re.compile("it knows itself|it is connected to|, which is farther than|not the brokers on the")
"""Reasons of the implementation that name the node whose state it is."""

Path = tuple[str | int, ...]


def places(value: Any, at: Path = ()) -> Iterator[Path]:
    """Each place in a JSON value, but the value itself."""
    if at:
        yield at
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(part, (*at, key))


def otherwise(old: Any, names: list[str], random: Random) -> Any:
    """Another value in place of this one; of a name another name, so that it is no stranger's."""
    match old:
        case list():
            return random.choice([old[::-1], old + old[:1], [], old * 2, [*old, random.choice(names)]])
        case bool():
            return not old
        case int():
            return random.choice([-1, 0, old + 1, 10**6])
        case str():
            return random.choice(names if old in names else ["00", "", "2", "0", "1", f"{old}1", "inside", "crashed"])
        case _:
            return random.choice(names)


def changed(value: Any, names: list[str], random: Random) -> Any:
    """A copy of a JSON value that differs in one place, its kind excepted."""
    inner = whole = copy.deepcopy(value)
    *way, last = random.choice([at for at in places(value) if at[-1] != "kind"] or [("kind",)])
    for key in way:
        inner = inner[key]
    inner[last] = otherwise(inner[last], names, random)
    return whole


def refused_by_spec(protocol: Protocol, kind: Any, value: Any) -> str:
    """The reason of the specification; empty if there is none."""
    try:
        faults = protocol.naming.malformed(msgspec.convert(value, kind))
    except msgspec.ValidationError as error:
        return str(error)
    return ", ".join(str(fault.expected) for fault in faults)


def refused_by_implementation(made: Implementation, role: str | None, node: str, value: Any) -> str:
    """The reason of the implementation; empty if there is none."""
    try:
        if role is None:
            made.decode(msgspec.json.encode(value))
        else:
            made.make(role, node, value, Random(1))
    except (PeerError, UsageError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", PARAMETERS)
def test_both_refuse_the_same_values(name):
    parameters = PARAMETERS[name]
    protocol, base = configured(find_protocol(name), parameters), implementation(name)
    made = base.configured(parameters) if base.configured and parameters else base
    random, refused = Random(26), 0
    for _ in range(share(600)):
        start = sample(protocol.starts.space(Size(random.randint(2, 4), messages=4)), random)
        names, roles = [node for node, _ in start.roles], dict(start.roles)
        states = [(protocol.vocabulary.roles[roles[node]], roles[node], node, local) for node, local in start.locals]
        for kind, role, node, value in (
            *states,
            *((protocol.vocabulary.message, None, *sent) for sent in start.in_flight),
        ):
            written = changed(msgspec.json.decode(msgspec.json.encode(value)), names, random)
            ours, theirs = (
                refused_by_spec(protocol, kind, written),
                refused_by_implementation(made, role, node, written),
            )
            assert bool(ours) == bool(theirs) or OF_THE_NODE.search(theirs), (node, written, ours, theirs)
            refused += bool(ours)
    assert refused > 50


CHORD = configured(find_protocol("chord"), PARAMETERS["chord"])
REFUSED = [
    ("chord", {"kind": "JoinReply", "sender": "n0", "successors": ["n1", "n1"]}),
    ("chord", {"kind": "JoinReply", "sender": "n0", "successors": [f"n{number}" for number in range(9)]}),
    ("chord", {"kind": "StabilizeReply", "sender": "n0", "predecessor": "n0", "successors": []}),
    ("delta_fault_tolerance", {"kind": "Close", "sender": "0", "stream": [-1, 1]}),
    ("delta_fault_tolerance", {"kind": "Doubt", "sender": "0", "stream": [0, 0]}),
]


@pytest.mark.parametrize(("name", "message"), REFUSED)
def test_messages_that_only_one_of_them_once_refused_are_refused_by_both(name, message):
    parameters = PARAMETERS[name]
    protocol, base = configured(find_protocol(name), parameters), implementation(name)
    made = base.configured(parameters)
    assert refused_by_spec(protocol, protocol.vocabulary.message, message)
    assert refused_by_implementation(made, None, "", message)


def test_commands_with_values_out_of_form_are_refused_by_both():
    chord, ring = (implementation(name).configured(PARAMETERS[name]) for name in ("chord", "skip_ring"))
    unordered, false_label = b'{"kind":"Peers","nodes":["n2","n1"]}', b'{"kind":"Restore","database":[["00","v1"]]}'
    for made, written in ((chord, unordered), (ring, false_label)):
        with pytest.raises(UsageError):
            made.decode_command(written)
    ring_protocol = configured(find_protocol("skip_ring"), PARAMETERS["skip_ring"])
    assert CHORD.naming.malformed(msgspec.json.decode(unordered, type=CHORD.vocabulary.command))
    assert ring_protocol.naming.malformed(msgspec.json.decode(false_label, type=ring_protocol.vocabulary.command))


@pytest.mark.parametrize("r", [0, 257])
def test_both_refuse_lists_of_no_or_too_many_successors(r):
    with pytest.raises(ValueError, match="r a number from 1 to 256"):
        configured(find_protocol("chord"), {"r": r})
    with pytest.raises(UsageError, match="These are not parameters of Chord"):
        implementation("chord").configured({"r": r})
