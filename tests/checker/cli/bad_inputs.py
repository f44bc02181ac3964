"""Wrong calls of a user: the words of a call, and the sentence that answers them. The exit code is 2 for each.

Calls are made in a folder that `prepare` fills.
"""

from tests.checker.ring import ALONE, CONFIGURATION, HEADER, HOLDS, RESTS, UNREADABLE, VIOLATED, written
from tests.golden.skip_plus.starts import ABSENT, ANYWHERE, node, start, update

LONG = "a" * 300

OUTSIDE = {
    "status": "outside",
    "predecessor": None,
    "successors": [],
    "fingers": [],
    "next": 0,
    "contact": None,
    "peers": [],
}


def chord(parameters, *names):
    """The header of a trace of Chord with all nodes outside."""
    nodes = {"roles": dict.fromkeys(names, "node"), "states": dict.fromkeys(names, OUTSIDE)}
    return {**HEADER, "protocol": "chord", "parameters": parameters, "messages": [], **nodes}


TRACES = {
    "one-id-twice": written(chord({"bits": 4, "ids": "number"}, "a3", "b3")),
    "hashes-that-meet": written(chord({"bits": 1}, "a1", "b2", "c3")),
    "no-id": written(chord({"bits": 4, "ids": "number"}, "node")),
    "no-successors": written(chord({"r": 0}, "a3")),
    "a-told-key-beyond": written(chord({"bits": 4, "ids": "number", "keys": ["1f"]}, "a3")),
    "good": HOLDS,
    "violated": VIOLATED,
    "cut-off": UNREADABLE,
    "empty": b"",
    "no-json": b"hello\n",
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
from gomboc.spec.skip_ring import PROTOCOL as RING

def space(size):
    raise ZeroDivisionError("no space")

def react(me, local, taken, choice):
    raise TypeError("no reaction")

SPACE = replace(RING, name="spaceless", space=space)
REACT = replace(RING, name="spaceless", react=react)
"""


def prepare(folder):
    """Fill a folder with the inputs of the calls."""
    for name, content in TRACES.items():
        (folder / f"{name}.jsonl").write_bytes(content)
    (folder / "stranger.jsonl").write_bytes(written({**HEADER, "protocol": "spaceless"}, RESTS))
    for name in ("nothing", "notes", "ours"):
        (folder / name).mkdir()
    (folder / "notes" / "notes.txt").write_text("mine")
    (folder / "models.py").write_text("NUMBER = 7\ndef raising():\n    raise KeyError('x')\n")
    (folder / "leaving.py").write_text("import sys; sys.exit(0)")
    (folder / "stranger.py").write_text(STRANGER)


CALLS = [
    (
        ("check", "one-id-twice.jsonl"),
        "gomboc: one-id-twice.jsonl:1: 'a3' and 'b3' have the same id on a circle of 2^4 ids: rename "
        "one, or take more bits.",
    ),
    (
        ("check", "hashes-that-meet.jsonl"),
        "gomboc: hashes-that-meet.jsonl:1: 'a1' and 'c3' have the same id on a circle of 2^1 ids: "
        "rename one, or take more bits.",
    ),
    (("check", "no-id.jsonl"), "gomboc: no-id.jsonl:1: 'node' has no number at its end, as in 'n12', so it has no id."),
    (
        ("check", "no-successors.jsonl"),
        "gomboc: no-successors.jsonl:1: bits must be a number from 1 to 256, ids 'hash' or 'number', r "
        "a number from 1 to 256, meet and fingers true or false, and keys an array of keys: Expected "
        "`int` >= 1 - at `$.r`.",
    ),
    (
        ("check", "a-told-key-beyond.jsonl"),
        "gomboc: a-told-key-beyond.jsonl:1: '1f' is no key on a circle of 2^4 ids: it must be "
        "hexadecimal, 1 long, and below 2^4.",
    ),
    (
        ("simulate", "chord", "--bits", "2", "--nodes", "5", "--output", "new"),
        "gomboc: chord has no such start: a circle of 2^2 ids has none for 5 nodes: take more bits.",
    ),
    (
        ("simulate", "chord", "--output", "new", "--command", '1:n000:{"kind":"Lookup","key":"zz"}'),
        "gomboc: This is not a command of Chord: the key 'zz' is not one of 64 hexadecimal digits below 2^256.",
    ),
    (("check", "cut-off.jsonl"), "gomboc: cut-off.jsonl:2: the last line is cut off: it does not end with a newline."),
    (("check", "empty.jsonl"), "gomboc: empty.jsonl: the file is empty; a trace begins with a header."),
    (("check", "no-json.jsonl"), "gomboc: no-json.jsonl:1: JSON is malformed: invalid character (byte 0)."),
    (
        ("check", "no-utf8.jsonl"),
        "gomboc: no-utf8.jsonl:1: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte.",
    ),
    (("check", "another-format.jsonl"), "gomboc: another-format.jsonl:1: the format is 'itf', not 'gomboc-trace'."),
    (
        ("check", "a-later-version.jsonl"),
        "gomboc: a-later-version.jsonl:1: the trace has version 2, and this gomboc reads version 1.",
    ),
    (
        ("check", "another-protocol.jsonl"),
        "gomboc: another-protocol.jsonl:1: there is no protocol 'paxos'; there are: ...",
    ),
    (
        ("check", "a-parameter-too-many.jsonl"),
        "gomboc: a-parameter-too-many.jsonl:1: skip_ring has no parameter 'loud'; it has: key_bits, payload_limit, chunk, keep.",
    ),
    (("check", "another-role.jsonl"), "gomboc: another-role.jsonl:1: protocol skip_ring has no role 'king'."),
    (
        ("check", "no-supervisor.jsonl"),
        "gomboc: no-supervisor.jsonl:1: roles must name the node 'supervisor', with the role 'supervisor'.",
    ),
    (
        ("check", "a-state-too-many.jsonl"),
        "gomboc: a-state-too-many.jsonl:1: roles and states do not name the same nodes: only one of them has 'v2'.",
    ),
    (("check", "a-key-too-few.jsonl"), "gomboc: a-key-too-few.jsonl:1: the state of v1 lacks the key 'label'."),
    (
        ("check", "a-blank-line.jsonl"),
        "gomboc: a-blank-line.jsonl:2: the line is blank; every line of a trace is a JSON object.",
    ),
    (("check", "a-field-too-many.jsonl"), "gomboc: a-field-too-many.jsonl:2: Object contains unknown field `colour`."),
    (("check", "a-field-too-few.jsonl"), "gomboc: a-field-too-few.jsonl:2: Object missing required field `sent`."),
    (("check", "a-negative-id.jsonl"), "gomboc: a-negative-id.jsonl:2: Expected `int` >= 0 - at `$.took`."),
    (
        ("check", "an-id-too-large.jsonl"),
        "gomboc: an-id-too-large.jsonl:2: Expected `int` <= 9007199254740991 - at `$.took`.",
    ),
    (("check", "a-key-twice.jsonl"), "gomboc: a-key-twice.jsonl:2: the key 'took' stands twice in one object."),
    (
        ("ingest", "a-key-twice.jsonl", "--output", "new"),
        "gomboc: a-key-twice.jsonl:2: the key 'took' stands twice in one object.",
    ),
    (
        ("check", "nothing-received.jsonl"),
        "gomboc: nothing-received.jsonl:2: it says what was received, and no message was delivered.",
    ),
    (
        ("ingest", "nothing-received.jsonl", "--output", "new"),
        "gomboc: nothing-received.jsonl:2: it says what was received, and no message was delivered.",
    ),
    (
        ("check", "strings-of-unequal-length.jsonl"),
        "gomboc: strings-of-unequal-length.jsonl:1: The strings of 'a:0' and 'b:01' have 1 and 2 bits; all must be equally long.",
    ),
    (
        ("check", "a-name-without-a-string.jsonl"),
        "gomboc: a-name-without-a-string.jsonl:1: 'a:' is no name of Skip+: it must be an id, a colon and a string of bits, as in '07:0110'.",
    ),
    (
        ("check", "a-string-not-of-bits.jsonl"),
        "gomboc: a-string-not-of-bits.jsonl:1: 'a:2' is no name of Skip+: it must be an id, a colon and a string of bits, as in '07:0110'.",
    ),
    (
        ("simulate", "skip_plus", "--start", "an-update-of-nobody.jsonl", "--output", "new"),
        "gomboc: The header's message 0 cannot be read. This is not a message of Skip+: Expected `str` matching regex ... - at `$.sender`.",
    ),
    (
        (
            "simulate",
            "skip_plus",
            "--start",
            "one-is-absent.jsonl",
            "--output",
            "new",
            "--command",
            '1:b:1:{"kind": "Join", "contact": "b:1"}',
        ),
        "gomboc: The node 'b:1' cannot join through itself: give it another contact.",
    ),
    (
        ("check", "no-such-command.jsonl"),
        "gomboc: no-such-command.jsonl:2: Invalid value 'fly' - at `$.took.kind`; there are: ...",
    ),
    (
        ("check", "a-state-of-another-kind.jsonl"),
        "gomboc: a-state-of-another-kind.jsonl:2: the state: Expected `object`, got `int`.",
    ),
    (
        ("check", "an-expectation-without-a-step.jsonl"),
        "gomboc: an-expectation-without-a-step.jsonl:1: expect says step and rule if the verdict is violated, and neither if it is not.",
    ),
    (
        ("check", "surrogate.jsonl"),
        "gomboc: surrogate.jsonl:1: JSON is malformed: unexpected end of hex escape (byte 321).",
    ),
    (("check", "none.jsonl"), "gomboc: none.jsonl: No such file or directory."),
    (
        ("check", "nothing"),
        "gomboc: nothing: there is no trace in it; traces are files that end in .jsonl, .jsonl.gz or .jsonl.zst.",
    ),
    (("check", LONG), f"gomboc: {LONG}: File name too long."),
    (
        ("check", "\udcff.jsonl"),
        "Error: Invalid value for 'FILE|DIR...': '\\udcff.jsonl' is no UTF-8, so no report can name it: rename it",
    ),
    (("check",), "Error: Missing argument 'FILE|DIR...'."),
    (("check", "--variant", "better", "good.jsonl"), "gomboc: skip_ring has no printed variant 'better'; it has: ..."),
    (("check", "--bound", "-1", "good.jsonl"), "Error: Invalid value for '--bound': -1 is not in the range x>=0."),
    (
        ("check", "--bound", "few", "good.jsonl"),
        "Error: Invalid value for '--bound': 'few' is not a valid integer range.",
    ),
    (
        ("check", "--max-steps", "0", "good.jsonl"),
        "Error: Invalid value for '--max-steps': 0 is not in the range x>=1.",
    ),
    (("check", "--jobs", "0", "good.jsonl"), "Error: Invalid value for '--jobs': 0 is not in the range x>=1."),
    (
        ("check", "--format", "xml", "good.jsonl"),
        "Error: Invalid value for '--format': 'xml' is not one of 'text', 'json'.",
    ),
    (
        ("check", "--expect", "good.jsonl"),
        "gomboc: good.jsonl:1: the header has no 'expect', so nothing is expected of this trace.",
    ),
    (("check", "--quickly", "good.jsonl"), "Error: No such option '--quickly'. Did you mean '--quiet'?"),
    (
        ("check", "--protocol", "paxos", "good.jsonl"),
        "gomboc: 'paxos' names no protocol: write package.module:PROTOCOL.",
    ),
    (
        ("check", "--protocol", "nowhere:PROTOCOL", "good.jsonl"),
        "gomboc: nowhere:PROTOCOL cannot be imported (ModuleNotFoundError: No module named 'nowhere'): fix or install it.",
    ),
    (
        ("check", "--protocol", "leaving:PROTOCOL", "good.jsonl"),
        "gomboc: leaving:PROTOCOL cannot be imported (SystemExit: 0): fix or install it.",
    ),
    (
        ("check", "--protocol", "models:NUMBER", "good.jsonl"),
        "gomboc: the module models has 'NUMBER', which is of type int, and a protocol is a gomboc.spec.Protocol.",
    ),
    (
        ("check", "--layers", "good.jsonl"),
        "gomboc: --layers joins two traces: name the file of the lower layer, then that of the upper one.",
    ),
    (
        ("check", "--layers", "good.jsonl", "cut-off.jsonl"),
        "gomboc: cut-off.jsonl:2: the last line is cut off: it does not end with a newline.",
    ),
    (
        ("check", "--layers", "--expect", "good.jsonl", "good.jsonl"),
        "gomboc: --layers judges two traces as they are: give it --ignore-command, --protocol and --format only.",
    ),
    (
        ("check", "--ignore-command", "say", "good.jsonl"),
        "gomboc: --ignore-command is for --layers: add that, or leave it out.",
    ),
    (("simulate", "skip_ring"), "Error: Missing option '--output'."),
    (
        ("simulate", "skip_plus", "--crashes", "1", "--output", "new"),
        "gomboc: skip_plus does not say how a node fails, so none can.",
    ),
    (
        ("simulate", "skip_ring", "--crashes", "1", "--restarts", "2", "--output", "new"),
        "gomboc: Only a crashed node starts again: 2 of 1 cannot.",
    ),
    (
        ("simulate", "skip_ring", "--nodes", "2", "--crashes", "3", "--into", "packs", "--output", "new"),
        "gomboc: 3 nodes are to crash, and there are 2 that may.",
    ),
    (
        ("simulate", "skip_ring", "--crashes", "1", "--within", "0", "--output", "new"),
        "Error: Invalid value for '--within': 0.0 is not in the range 0<x<=100000.",
    ),
    (
        ("simulate", "skip_ring", "--from-spec", "--crashes", "1", "--output", "new"),
        "gomboc: --from-spec draws no crashes: give it none, and no detector.",
    ),
    (("simulate", "paxos", "--output", "new"), "gomboc: There is no protocol 'paxos'; there are: ..."),
    (
        ("simulate", "spaceless", "--protocol", "stranger:SPACE", "--output", "new"),
        "gomboc: stranger:SPACE: space(...) raises ZeroDivisionError: no space: fix it; nothing is known, and gomboc --debug shows where.",
    ),
    (
        ("simulate", "skip_ring", "--nodes", "0", "--output", "new"),
        "Error: Invalid value for '--nodes': '0' is not a number of members such as 8, 1..16 or 2,4,8",
    ),
    (
        ("simulate", "skip_ring", "--nodes", "few", "--output", "new"),
        "Error: Invalid value for '--nodes': 'few' is not a number of members such as 8, 1..16 or 2,4,8",
    ),
    (
        ("simulate", "skip_ring", "--nodes", "1..", "--output", "new"),
        "Error: Invalid value for '--nodes': '1..' is not a number of members such as 8, 1..16 or 2,4,8",
    ),
    (
        ("simulate", "skip_ring", "--nodes", "3..1", "--output", "new"),
        "Error: Invalid value for '--nodes': '3..1' has its first number after its last: write 1..3",
    ),
    (
        ("simulate", "skip_ring", "--traces", "0", "--output", "new"),
        "Error: Invalid value for '--traces': 0 is not in the range x>=1.",
    ),
    (
        ("simulate", "skip_ring", "--seed", "x", "--output", "new"),
        "Error: Invalid value for '--seed': 'x' is not a valid integer.",
    ),
    (
        ("simulate", "skip_ring", "--rounds", "0", "--output", "new"),
        "Error: Invalid value for '--rounds': 0 is not in the range x>=1.",
    ),
    (
        ("simulate", "skip_ring", "--jobs", "0", "--output", "new"),
        "Error: Invalid value for '--jobs': 0 is not in the range x>=1.",
    ),
    (
        ("simulate", "skip_ring", "--command", "x", "--output", "new"),
        "Error: Invalid value for '--command': 'x' is not a command such as 20:v3:unsubscribe or 20:v3:{\"kind\": \"unsubscribe\"}",
    ),
    (
        ("simulate", "skip_ring", "--command", "inf:v1:subscribe", "--output", "new"),
        "Error: Invalid value for '--command': 'inf:v1:subscribe' is not a command such as 20:v3:unsubscribe or 20:v3:{\"kind\": \"unsubscribe\"}",
    ),
    (
        ("simulate", "skip_ring", "--command", "1:v1:{", "--output", "new"),
        "Error: Invalid value for '--command': '1:v1:{' is not a command such as 20:v3:unsubscribe or 20:v3:{\"kind\": \"unsubscribe\"}",
    ),
    (
        ("simulate", "skip_ring", "--command", "1:v9:subscribe", "--output", "new"),
        "gomboc: A command is for v9, which has no role in the header.",
    ),
    (
        ("simulate", "skip_ring", "--command", "1:v1:fly", "--output", "new"),
        "gomboc: This is not a command of the skip ring: Invalid value 'fly' - at `$.kind`.",
    ),
    (
        ("simulate", "skip_ring", "--key-bits", "0", "--output", "new"),
        "gomboc: the parameters {'key_bits': 0} make no sense: Expected `int` >= 1 - at `$.key_bits`.",
    ),
    (
        ("simulate", "skip_ring", "--keep", "none", "--output", "new"),
        "Error: Invalid value for '--keep': 'none' is not a JSON value such as 64, true or \"a word\"",
    ),
    (
        ("simulate", "skip_ring", "--keep", "2", "--output", "new"),
        "gomboc: the parameter 'keep' says nothing without 'key_bits'; add 'key_bits', from 1 to 256.",
    ),
    (
        ("simulate", "skip_ring", "--parameter", "keep", "--output", "new"),
        "Error: Invalid value for '--parameter': 'keep' is not a parameter such as chunk=64",
    ),
    (
        ("simulate", "skip_ring", "--parameter", "loud=2", "--output", "new"),
        "gomboc: skip_ring has no parameter 'loud'; it has: key_bits, payload_limit, chunk, keep.",
    ),
    (
        ("simulate", "skip_ring", "--keep", "2", "--parameter", "keep=2", "--output", "new"),
        "gomboc: The parameter 'keep' is given twice: give it once.",
    ),
    (
        ("simulate", "skip_ring", "--variant", "better", "--output", "new"),
        "gomboc: There is no implementation 'skip_ring.better'; there are: ...",
    ),
    (
        ("simulate", "skip_ring", "--start", "none.jsonl", "--output", "new"),
        "gomboc: none.jsonl: No such file or directory.",
    ),
    (
        ("simulate", "skip_ring", "--start", "legitimate", "--publications", "2", "--output", "new"),
        "gomboc: Publications are placed at arbitrary starts only: give no number of them with another start.",
    ),
    (
        ("simulate", "skip_ring", "--only", "9", "--output", "new"),
        "gomboc: The plan has 1 trace, numbered from 0, so there is no trace 9.",
    ),
    (
        ("simulate", "skip_ring", "--only", "-1", "--output", "new"),
        "Error: Invalid value for '--only': -1 is not in the range x>=0.",
    ),
    (
        ("simulate", "skip_ring", "--engine", "spark", "--output", "new"),
        "gomboc: --engine spark and --pack-size are for packs: add --into packs.",
    ),
    (
        ("simulate", "skip_ring", "--pack-size", "2", "--output", "new"),
        "gomboc: --engine spark and --pack-size are for packs: add --into packs.",
    ),
    (
        ("simulate", "skip_ring", "--implementation", "paxos", "--output", "new"),
        "gomboc: 'paxos' names no implementation: write package.module:IMPLEMENTATION.",
    ),
    (
        ("simulate", "skip_ring", "--implementation", "nowhere:IMPLEMENTATION", "--output", "new"),
        "gomboc: nowhere:IMPLEMENTATION cannot be imported (ModuleNotFoundError: No module named 'nowhere'): fix or install it.",
    ),
    (
        ("simulate", "skip_ring", "--implementation", "models:NUMBER", "--output", "new"),
        "gomboc: The module models has 'NUMBER', which is of type int, and an implementation is a gomboc.impl.automaton.Implementation.",
    ),
    (
        ("simulate", "skip_ring", "--output", "notes"),
        "gomboc: notes: there is something already; choose another --output, or --overwrite it.",
    ),
    (
        ("simulate", "skip_ring", "--overwrite", "--output", "notes"),
        "gomboc: notes: it has no .gomboc that says that gomboc wrote it, so it is not overwritten.",
    ),
    (
        ("simulate", "skip_ring", "--output", "good.jsonl"),
        "gomboc: good.jsonl: there is something already; choose another --output, or --overwrite it.",
    ),
    (
        ("simulate", "skip_ring", "--output", "good.jsonl/deeper"),
        "gomboc: good.jsonl/deeper: it cannot be written: Not a directory.",
    ),
    (("simulate", "skip_ring", "--output", LONG), f"gomboc: {LONG}: it cannot be written: File name too long."),
    (
        ("simulate", "skip_ring", "--output", "/proc/nothing"),
        "gomboc: /proc/nothing: it cannot be written: No such file or directory.",
    ),
    (("ingest", "none.jsonl", "--output", "new"), "gomboc: none.jsonl: No such file or directory."),
    (
        ("ingest", "cut-off.jsonl", "--output", "new"),
        "gomboc: cut-off.jsonl:2: the last line is cut off: it does not end with a newline.",
    ),
    (
        ("ingest", "nothing", "--output", "new"),
        "gomboc: nothing: there is no trace in it; traces are files that end in .jsonl, .jsonl.gz or .jsonl.zst.",
    ),
    (("ingest", "good.jsonl"), "Error: Missing option '--output'."),
    (
        ("ingest", "good.jsonl", "--output", "notes"),
        "gomboc: notes: there is something already; choose another --output, or --overwrite it.",
    ),
    (("export", "nothing", "--output", "new"), "gomboc: nothing: this is no pack: it has no pack.json."),
    (("export", "none", "--output", "new"), "gomboc: none: this is no pack: it has no pack.json."),
    (("replay", "none"), "gomboc: none: there is no such folder; gomboc check takes single files, and -."),
    (("replay", "good.jsonl"), "gomboc: good.jsonl: there is no such folder; gomboc check takes single files, and -."),
    (
        ("replay", "nothing"),
        "gomboc: nothing: there is no trace in it; traces are files that end in .jsonl, .jsonl.gz or .jsonl.zst.",
    ),
    (("replay", "notes", "--jobs", "0"), "Error: Invalid value for '--jobs': 0 is not in the range x>=1."),
    (("explore", "paxos"), "gomboc: There is no protocol 'paxos'; there are: ..."),
    (
        ("explore", "nowhere:MODEL"),
        "gomboc: The module nowhere cannot be imported (ModuleNotFoundError: No module named 'nowhere').",
    ),
    (
        ("explore", "models:MODEL"),
        "gomboc: The module models has no 'MODEL': name a model that it has, as package.module:NAME.",
    ),
    (
        ("explore", "models:NUMBER"),
        "gomboc: models:NUMBER is an int: name a gomboc.spec.Model, a gomboc.spec.Instance, a gomboc.spec.SharedMemory, or a function without arguments that returns one.",
    ),
    (("explore", "models:raising"), "gomboc: models:raising cannot be called without arguments (KeyError: 'x')."),
    (("explore", "leaving:MODEL"), "gomboc: The module leaving cannot be imported (SystemExit: 0)."),
    (("explore", "skip_ring", "--instance", "huge"), "gomboc: skip_ring has no model 'huge' to explore; it has: ..."),
    (
        ("explore", "models:NUMBER", "--instance", "huge"),
        "gomboc: models:NUMBER is one model by itself: --instance chooses among the models of a protocol.",
    ),
    (
        ("explore", "skip_ring", "--exhaustive"),
        "gomboc: --exhaustive chooses the models for --recorded: give both.",
    ),
    (
        ("explore", "skip_ring", "--recorded", "--instance", "two_hearsay"),
        "gomboc: --recorded explores every model of a protocol: leave out --instance.",
    ),
    (
        ("explore", "skip_ring", "--seconds", "nan"),
        "Error: Invalid value for '--seconds': 'nan' is not a number of seconds above 0",
    ),
    (
        ("explore", "skip_ring", "--seconds", "0"),
        "Error: Invalid value for '--seconds': '0' is not a number of seconds above 0",
    ),
    (("explore", "skip_ring", "--states", "0"), "Error: Invalid value for '--states': 0 is not in the range x>=1."),
    (("prove", "paxos"), "gomboc: There is no lemma 'paxos'; the nearest of ... lists all."),
    (("prove", "--timeout", "nan"), "Error: Invalid value for '--timeout': 'nan' is not a number of seconds above 0"),
    (("prove", "--timeout", "inf"), "Error: Invalid value for '--timeout': 'inf' is not a number of seconds above 0"),
    (("prove", "--timeout", "0"), "Error: Invalid value for '--timeout': '0' is not a number of seconds above 0"),
    (("errata", "paxos"), "gomboc: There are no claims of a protocol 'paxos'; there are claims of: ..."),
    (("errata", "skip_ring", "theorem_0"), "gomboc: There is no claim 'theorem_0'; the nearest of ..."),
    (
        ("gate",),
        "gomboc: pyproject.toml: No such file or directory: run gomboc gate in the folder of your project, or name that folder.",
    ),
    (("gate", "good.jsonl"), "gomboc: good.jsonl/pyproject.toml: Not a directory."),
    (("gate", "notes", "--stage", "dance"), "Error: Invalid value for '--stage': 'dance' is not one of ..."),
    (("gate", "notes", "--jobs", "0"), "Error: Invalid value for '--jobs': 0 is not in the range x>=1."),
    (
        ("simulate", "nowhere:PROTOCOL", "--output", "new"),
        "gomboc: nowhere:PROTOCOL cannot be imported (...): fix or install it.",
    ),
    (("fly",), "Error: No such command 'fly'."),
    ((), "..."),
]
"""The words of each call, and the last line of the answer; ... stands for any other text."""
