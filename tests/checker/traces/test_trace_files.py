"""Compressed traces and standard input: read like plain files, with the right lines, and refused in one sentence."""

import gzip
import os
import re
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import judge_file
from gomboc.checker.traces.trace_files import compressed, is_trace, open_lines, read_whole, trace_name, traces_below
from tests.checker.cli.command import gomboc
from tests.checker.refusing import sentence
from tests.checker.ring import HEADER, HOLDS, UNREADABLE, VIOLATED, written

GZIPPED = gzip.compress(HOLDS)
PACKED = pa.compress(HOLDS * 4, codec="zstd", asbytes=True)
"""Four times the same, so that it can be cut in the middle."""
EXPECTING = written({**HEADER, "expect": {"verdict": "unknown"}})


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(folder, name, content):
    """A trace under that name, compressed as its ending asks for."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(compressed(path, content))
    return path


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_each_ending_is_read_alike(ending, tmp_path):
    path = put(tmp_path, f"t{ending}", VIOLATED)
    assert read_whole(path) == VIOLATED
    assert is_trace(path.name)
    assert trace_name(path.name) == "t"
    assert judge_file(path).violations()[0].step == 2


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.zst"])
def test_compression_is_that_of_the_tools_and_the_same_each_time(ending, tmp_path):
    path = put(tmp_path, f"t{ending}", HOLDS * 9)
    assert path.read_bytes() == compressed(path, HOLDS * 9)
    assert path.stat().st_size < len(HOLDS * 9)
    with pa.input_stream(str(path)) as stream:
        assert stream.read() == HOLDS * 9


def test_several_members_are_one_file(tmp_path):
    lines = HOLDS.splitlines(keepends=True)
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(b"".join(map(gzip.compress, lines)))
    assert read_whole(path) == HOLDS


def refusal(path):
    return sentence(judge_file, path).removeprefix(str(path))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("t.jsonl.gz", b"", ": the file is empty; a trace begins with a header."),
        ("t.jsonl.zst", b"", ": the file is empty; a trace begins with a header."),
        ("t.jsonl.gz", gzip.compress(b""), ": the file is empty; a trace begins with a header."),
        ("t.jsonl.gz", GZIPPED[:1], ":1: the gz content is damaged: copy or compress the file anew."),
        ("t.jsonl.gz", GZIPPED[:2], ":1: the gz content is cut off: copy or compress the file anew."),
        ("t.jsonl.gz", GZIPPED[:-9], ":5: the gz content is cut off: copy or compress the file anew."),
        ("t.jsonl.gz", HOLDS, ":1: the gz content is damaged: copy or compress the file anew."),
        ("t.jsonl.gz", GZIPPED[:-8] + bytes(8), ":5: the gz content is damaged: copy or compress the file anew."),
        (
            "t.jsonl.gz",
            GZIPPED[:20] + bytes(9) + GZIPPED[29:],
            ":1: the gz content is damaged: copy or compress the file anew.",
        ),
        ("t.jsonl.zst", PACKED[:5], ":1: the zst content is cut off: copy or compress the file anew."),
        ("t.jsonl.zst", HOLDS, ":1: the zst content is damaged: copy or compress the file anew."),
        ("t.jsonl.gz", gzip.compress(UNREADABLE), ":2: the last line is cut off: it does not end with a newline."),
        (
            "t.jsonl.gz",
            gzip.compress(written(HEADER, b"\n")),
            ":2: the line is blank; every line of a trace is a JSON object.",
        ),
    ],
    ids=range(13),
)
def test_what_cannot_be_read_is_refused_with_its_line(name, content, says, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    assert refusal(path) == says


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.zst"])
def test_a_long_file_that_is_cut_off_names_the_line(ending, tmp_path):
    lines = [os.urandom(500).hex().encode() + b"\n" for _ in range(2000)]
    path = put(tmp_path, f"t{ending}", b"".join(lines))
    path.write_bytes(path.read_bytes()[:-2000])
    read = []
    with pytest.raises(UsageError) as error, open_lines(path) as file:
        read.extend(iter(lambda: file.readline(1 << 20), b""))
    assert read == lines[: len(read)]
    assert len(read) > 100
    kind = ending.rpartition(".")[2]
    assert str(error.value) == f"{path}:{len(read) + 1}: the {kind} content is cut off: copy or compress the file anew."


def test_a_folder_counts_each_trace_once_and_no_other_file(tmp_path):
    for name in ("a.jsonl", "b/c.jsonl.gz", "b/d.jsonl.zst"):
        put(tmp_path, name, HOLDS)
    for name in ("e.gz", "f.json", "jsonl.gz.txt"):
        (tmp_path / name).touch()
    names = [path.relative_to(tmp_path).as_posix() for path in traces_below(tmp_path)]
    assert names == ["a.jsonl", "b/c.jsonl.gz", "b/d.jsonl.zst"]


COMMANDS = [
    ("check", "in"),
    ("check", "in", "--expect"),
    ("replay", "in", "--output", "verdicts"),
    ("ingest", "in", "--output", "corpus"),
    ("report", "in", "--output", "page.html"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_trace_that_is_there_twice_is_refused(words, here):
    put(here, "in/t.jsonl", HOLDS)
    put(here, "in/t.jsonl.gz", HOLDS)
    says = "gomboc: in/t.jsonl.gz: t.jsonl beside it is the same trace: remove one of the two.\n"
    assert gomboc(*words) == (2, "", says)
    assert [path.name for path in here.iterdir()] == ["in"]


def test_every_command_reads_compressed_traces_of_a_folder(here):
    put(here, "in/one.jsonl.gz", EXPECTING)
    put(here, "in/two.jsonl.zst", EXPECTING)
    ran = gomboc("check", "in", "--expect")
    assert ran == (0, "in/one.jsonl.gz: as expected\nin/two.jsonl.zst: as expected\n2 traces, 0 not as expected.\n", "")
    assert gomboc("check", "in").code == 3
    assert gomboc("check", "in", "--jobs", "2").code == 3
    assert "Verdicts: 2 unknown." in gomboc("replay", "in", "--output", "verdicts").out
    assert gomboc("ingest", "in", "--output", "corpus").out == "corpus: 2 traces in 1 pack, 0 steps.\n"
    assert gomboc("report", "in", "--output", "page.html").code == 0
    gomboc("export", "corpus", "--output", "out")
    assert sorted(path.name for path in (here / "out").glob("*.jsonl")) == ["one.jsonl", "two.jsonl"]


def test_an_output_takes_the_name_without_the_ending(here):
    put(here, "bad.jsonl.gz", VIOLATED)
    assert gomboc("shrink", "bad.jsonl.gz").code == 0
    assert gomboc("check", "bad.small.jsonl").code == 1
    assert gomboc("export", "bad.jsonl.gz", "--as", "itf", "--output", "out").code == 0
    assert [path.name for path in (here / "out").iterdir()] == ["bad.itf.json"]


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.zst"])
def test_an_output_is_compressed_as_its_name_says(ending, here):
    put(here, "bad.jsonl", VIOLATED)
    assert gomboc("shrink", "bad.jsonl", "--output", f"small{ending}").code == 0
    assert not (here / f"small{ending}").read_bytes().startswith(b"{")
    assert gomboc("check", f"small{ending}").code == 1


def test_no_output_replaces_its_compressed_input(here):
    put(here, "in/bad.jsonl.gz", VIOLATED)
    for words in (
        ("shrink", "in/bad.jsonl.gz", "--output", "in/bad.jsonl.gz", "--overwrite"),
        ("replay", "in", "--output", "in", "--overwrite"),
        ("ingest", "in/bad.jsonl.gz", "--output", "in", "--overwrite"),
    ):
        ran = gomboc(*words)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.endswith("in/bad.jsonl.gz is read from there, and would be lost; choose another --output.\n")
    assert read_whole(here / "in/bad.jsonl.gz") == VIOLATED


def piped(content, *words):
    """The command with that content on its standard input."""
    with patch.object(sys, "stdin", TextIOWrapper(BytesIO(content))):
        return gomboc(*words)


def started(content, *words):
    """The same in a process of its own."""
    program = "from gomboc.checker.cli import main; main()"
    ran = subprocess.run([sys.executable, "-c", program, *words], input=content, capture_output=True, check=False)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


@pytest.mark.parametrize(
    "content",
    [VIOLATED, gzip.compress(VIOLATED), pa.compress(VIOLATED, codec="zstd", asbytes=True)],
    ids=["plain", "gz", "zst"],
)
def test_standard_input_is_a_trace_plain_or_compressed(content, here):
    code, out, err = piped(content, "check", "-")
    assert (code, err) == (1, "")
    assert out.startswith("-: violated at step 2 (line 3) by ")
    assert out.endswith("  reproduce: gomboc check -\n")


def test_standard_input_goes_with_other_files_and_processes(here):
    put(here, "t.jsonl", HOLDS)
    code, out, err = started(HOLDS, "check", "-", "t.jsonl", "--jobs", "2")
    assert (code, err) == (0, "")
    assert [line.partition(":")[0] for line in out.splitlines()] == ["-", "t.jsonl"]


@pytest.mark.parametrize(
    ("content", "words", "says"),
    [
        (b"", ("check", "-"), "-: the file is empty; a trace begins with a header."),
        (UNREADABLE, ("check", "-"), "-:2: the last line is cut off: it does not end with a newline."),
        (GZIPPED[:-9], ("check", "-"), "-:5: the gz content is cut off: copy or compress the file anew."),
        (HOLDS, ("check", "-", "-"), "-: standard input can be read once: name it once."),
        (HOLDS, ("report", "-", "-", "--output", "page.html"), "-: standard input can be read once: name it once."),
        (
            VIOLATED,
            ("shrink", "-"),
            "-: standard input has no place beside it: say with --output where the smaller trace goes.",
        ),
        (HOLDS, ("replay", "-"), "-: there is no such folder; gomboc check takes single files, and -."),
        (HOLDS, ("replay", "-", "--resume"), "-: there is no such folder; gomboc check takes single files, and -."),
        (HOLDS, ("check", "-", "--expect"), "-:1: the header has no 'expect', so nothing is expected of this trace."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_standard_input_is_refused_in_one_sentence(content, words, says, here):
    code, _, err = piped(content, *words)
    assert (code, err) == (2, f"gomboc: {says}\n")
    assert [*here.iterdir()] == []


def test_standard_input_crossed_with_other_commands(here):
    assert piped(VIOLATED, "shrink", "-", "--output", "small.jsonl")[0] == 0
    assert gomboc("check", "small.jsonl").code == 1
    assert piped(VIOLATED, "report", "-", "--output", "page.html") == (0, "page.html: violated.\n", "")
    assert piped(HOLDS, "report", "-", "--output", "page.svg")[0] == 0
    assert piped(HOLDS, "export", "-", "--as", "mermaid", "--output", "out")[0] == 0
    assert [path.name for path in (here / "out").iterdir()] == ["stdin.mmd"]
    assert piped(HOLDS, "ingest", "-", "--output", "corpus") == (0, "corpus: 1 trace in 1 pack, 3 steps.\n", "")
    assert gomboc("export", "corpus", "stdin", "--output", "lines").code == 0


def test_what_a_command_says_as_json_can_be_piped_into_a_report(here):
    put(here, "bad.jsonl", VIOLATED)
    rows = gomboc("check", "bad.jsonl", "--format", "json").out
    assert piped(rows.encode(), "report", "-", "--output", "page.html") == (0, "page.html: violated.\n", "")


def test_a_file_of_that_name_is_never_taken_by_mistake(here):
    put(here, "-", VIOLATED)
    code, _, err = piped(HOLDS, "check", "-")
    assert code == 2
    assert err.endswith("'-' is standard input, but there is a file of that name, too: rename it\n")
    assert gomboc("check", "./-").code == 1


def test_nothing_of_standard_input_is_left_behind(here, monkeypatch):
    folder = here / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    for content, code in ((HOLDS, 0), (UNREADABLE, 2)):
        assert started(content, "check", "-")[0] == code
    assert [*folder.iterdir()] == []


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    path = put(tmp_path, "t.jsonl.zst", HOLDS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert refusal(path) == ": zst needs the package pyarrow: pip install 'gomboc[packs]'."


def test_a_failure_of_the_device_stays_one(tmp_path, monkeypatch):
    path = put(tmp_path, "t.jsonl.gz", HOLDS)

    def fail(self, limit):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(gzip.GzipFile, "readline", fail)
    with pytest.raises(OSError, match=re.escape("Input/output error")):
        judge_file(Path(path))
