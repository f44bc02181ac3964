"""Wrong calls of a user, by the sections of `bad_inputs.txt`, and the folder in which they are made."""

import shlex
from pathlib import Path
from typing import Any, NamedTuple

from tests.checker.ring import ALONE, CONFIGURATION, HEADER, HOLDS, RESTS, UNREADABLE, VIOLATED, written
from tests.golden.skip_plus.starts import ABSENT, ANYWHERE, node, start, update
from tests.known import IMPLEMENTATIONS, PAPERS, PROTOCOLS, VARIANTS

LONG = "a" * 300
PLACEHOLDERS = {
    "<long>": LONG,
    "<protocols>": PROTOCOLS,
    "<implementations>": IMPLEMENTATIONS,
    "<papers>": PAPERS,
    "<variants>": VARIANTS,
}
TABLE = Path(__file__).with_suffix(".txt")
"""A call behind a dollar sign, and below it the sentence that answers it; ... stands for any other text."""


class WrongCall(NamedTuple):
    """The words of a call without the name of the program, and the last line of the answer; the exit code is 2."""

    words: tuple[str, ...]
    sentence: str

    def __str__(self) -> str:
        return " ".join(self.words)[:70]


def wrong_calls() -> dict[str, list[WrongCall]]:
    """The calls of the table, by the headings of its sections."""
    text = TABLE.read_text(encoding="utf-8")
    for name, stands_for in PLACEHOLDERS.items():
        text = text.replace(name, stands_for)
    _, *sections = text.split("\n# ")
    return {section.partition("\n")[0]: _calls(section) for section in sections}


def _calls(section: str) -> list[WrongCall]:
    lines = [line for line in section.splitlines()[1:] if line]
    calls = [tuple(shlex.split(line.removeprefix("$ gomboc "))) for line in lines[::2]]
    return [WrongCall(words, sentence) for words, sentence in zip(calls, lines[1::2], strict=True)]


OUTSIDE: dict[str, Any] = {
    "status": "outside",
    "predecessor": None,
    "successors": [],
    "fingers": [],
    "next": 0,
    "contact": None,
    "peers": [],
    "watched": [],
}


def chord(parameters: dict[str, Any], *names: str) -> dict[str, Any]:
    """The header of a trace of Chord with all nodes outside."""
    nodes = {"roles": dict.fromkeys(names, "node"), "states": dict.fromkeys(names, OUTSIDE)}
    return {**HEADER, "protocol": "chord", "parameters": parameters, "messages": [], **nodes}


TRACES = {
    "one-id-twice": written(chord({"bits": 4, "ids": "number"}, "a3", "b3")),
    "hashes-that-meet": written(chord({"bits": 1}, "a1", "b2", "c3")),
    "no-id": written(chord({"bits": 4, "ids": "number"}, "node")),
    "no-successors": written(chord({"r": 0}, "a3")),
    "good": HOLDS,
    "violated": VIOLATED,
    "cut-off": UNREADABLE,
    "too-deep": written(HEADER).replace(b'"shortcuts":[]', b'"shortcuts":' + b"[" * 100_000 + b"]" * 100_000),
    "misspelt-protocol": written({**HEADER, "protocol": "skip_rng"}),
    "empty": b"",
    "no-json": b"hello\n",
    "no-format": b"{}\n",
    "no-utf8": written(HEADER).replace(b"by hand", b"\xff"),
    "surrogate": written(HEADER).replace(b"by hand", b"\\ud800 by hand"),
    "another-format": written({**HEADER, "format": "itf"}),
    "a-later-version": written({**HEADER, "version": 2}),
    "another-protocol": written({**HEADER, "protocol": "paxos"}),
    "a-parameter-too-many": written({**HEADER, "parameters": {"loud": 1}}),
    "another-role": written({**HEADER, "roles": {"supervisor": "supervisor", "v1": "king"}}),
    "no-supervisor": written({**HEADER, "roles": {"v1": "subscriber"}, "states": {"v1": ALONE}}),
    "a-state-too-many": written({**HEADER, "states": {**HEADER["states"], "v2": ALONE}}),
    "a-key-too-few": written({**HEADER, "states": {**HEADER["states"], "v1": {}}}),
    "a-blank-line": written(HEADER, b"\n", RESTS),
    "a-field-too-many": written(HEADER, {**RESTS, "colour": 1}),
    "a-field-too-few": written(HEADER, {key: value for key, value in RESTS.items() if key != "sent"}),
    "a-negative-id": written(HEADER, {**RESTS, "took": -1}),
    "an-id-too-large": written(HEADER, {**RESTS, "took": 2**53}),
    "no-such-command": written(HEADER, {**RESTS, "took": {"kind": "fly"}}),
    "a-state-of-another-kind": written(HEADER, {**RESTS, "state": 7}),
    "a-key-twice": written(HEADER) + written(RESTS).replace(b'"took":', b'"took":"timeout","took":'),
    "nothing-received": written(HEADER, {**RESTS, "received": CONFIGURATION}),
    "strings-of-unequal-length": written({**start({"a:0": node("b:01"), "b:01": node()}), "origin": {}}),
    "a-name-without-a-string": written({**start({"a:": node("b:0"), "b:0": node()}), "origin": {}}),
    "a-string-not-of-bits": written({**start({"a:2": node("b:0"), "b:0": node()}), "origin": {}}),
    "an-update-of-nobody": written(
        {**start({"a:0": node("b:1"), "b:1": node()}, ("a:0", update("b", ranges=[ANYWHERE]))), "origin": {}}
    ),
    "one-is-absent": written({**start({"a:0": node("b:1"), "b:1": ABSENT}), "origin": {}}),
    "an-expectation-without-a-step": written({**HEADER, "expect": {"verdict": "violated"}}, RESTS),
}

STRANGER = """
from msgspec.structs import replace
from gomboc.spec.protocols.skip_ring import PROTOCOL as RING

def space(size):
    raise ZeroDivisionError("no space")

def react(me, local, taken, choice):
    raise TypeError("no reaction")

SPACE = replace(RING, name="spaceless", starts=replace(RING.starts, space=space))
REACT = replace(RING, name="spaceless", actor=replace(RING.actor, react=react))
"""

OF_RING = "from gomboc.spec.protocols.skip_ring import PROTOCOL as RING\nPROTOCOL = RING"
MODULES = {
    "models": "NUMBER = 7\ndef raising():\n    raise KeyError('x')\n",
    "leaving": "import sys; sys.exit(0)",
    "stranger": STRANGER,
    "old": "raise ModuleNotFoundError(\"No module named 'spec'\", name='spec')",
    "raining": "raise RuntimeError('it rains')",
    "bare": "",
    "namesake": "from stranger import SPACE as PROTOCOL",
    "ring": OF_RING + ".changed(bound=len)",
    "blank": OF_RING + ".changed(name='two words')",
    "strange": OF_RING + ".changed(name='strange', member='king')",
}


def prepare(folder: Path) -> None:
    """Fill a folder with the inputs of the calls."""
    for name, content in TRACES.items():
        (folder / f"{name}.jsonl").write_bytes(content)
    (folder / "stranger.jsonl").write_bytes(written({**HEADER, "protocol": "spaceless"}, RESTS))
    for name in ("nothing", "notes", "ours", "traces", "half"):
        (folder / name).mkdir()
    (folder / "traces" / "good.jsonl").write_bytes(HOLDS)
    (folder / "notes" / "notes.txt").write_text("mine")
    (folder / "there.html").write_text("hello")
    (folder / "half" / "summary.json").write_text('{"verdicts":')
    (folder / "cut.json").write_text('{"format":"gomboc-check","verdict":"holds"}\n{"format":"gomb')
    (folder / "bare.json").write_text('{"format":"gomboc-check"}')
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(text)
