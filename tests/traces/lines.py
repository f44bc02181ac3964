"""Lines of traces of each protocol, and the changes that make a line bad: for schemas and decoders alike.

Good lines stand in `good_lines/<protocol>.jsonl`, and good messages and commands, each with all its keys.

A change stands in `bad_lines/<protocol>.txt` below the line that it makes bad: the place and the other value there, or
the place alone, which is then missing, and the sentence with which that is refused.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.known import PROTOCOLS
from tests.traces.reading import MISSING

Line = dict[str, Any]


class Bad(NamedTuple):
    """A place in a line, another value there or `MISSING`, and the sentence."""

    where: tuple[str | int, ...]
    value: Any
    says: str


class Lines(NamedTuple):
    """A good header and step, and good messages and commands, each with all its keys."""

    header: Line
    step: Line
    messages: Sequence[Line] = ()
    commands: Sequence[Line] = ()


def bad(protocol: str, line: str) -> Iterator[Bad]:
    """The changes that make a `header` or a `step` of a protocol bad."""
    path = Path(__file__).parent / "bad_lines" / f"{protocol}.txt"
    of, change = "", ""
    for written in path.read_text(encoding="utf-8").splitlines():
        if written.startswith("["):
            change = written
        elif written.startswith("  ") and of == line:
            where, end = json.JSONDecoder().raw_decode(change)
            value = json.loads(change[end:]) if change[end:] else MISSING
            yield Bad(tuple(where), value, written.strip().replace("{protocols}", PROTOCOLS))
        elif written and not written.startswith("  "):
            of = written


def good(protocol: str) -> dict[str, list[Line]]:
    """The good lines of a protocol, messages and commands, by their kinds."""
    path = Path(__file__).parent / "good_lines" / f"{protocol}.jsonl"
    kinds: dict[str, list[Line]] = {}
    for written in path.read_text(encoding="utf-8").splitlines():
        for kind, value in json.loads(written).items():
            kinds.setdefault(kind, []).append(value)
    return kinds


def _lines(protocol: str) -> Lines:
    kinds = good(protocol)
    (header,), (step,) = kinds["header"], kinds["step"]
    return Lines(header, step, kinds.get("message", ()), kinds.get("command", ()))


LINES = {protocol: _lines(protocol) for protocol in ("skip_ring", "chord", "skip_plus", "delta_fault_tolerance")}

HEADER, STEP, OF_PUBLICATIONS, RING_COMMANDS = LINES["skip_ring"]
STATE = STEP["state"]
(PUBLISHING,), (PRINTED,) = good("skip_ring")["publishing header"], good("skip_ring")["publishing step"]
(PUBLICATION,), HASH = PRINTED["delivered"], PRINTED["state"]["hashes"][0][1]

EXTRA = "a key that nobody knows"

SENT = ("sent", 0)
SAID = (*SENT, "message")
