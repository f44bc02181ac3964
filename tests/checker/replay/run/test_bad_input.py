"""Every fault of a corpus: one sentence and exit code 2; the rest is judged with --keep-going; never silence.

Source: traces/README.md, Packs and corpora
"""

import errno
import json
import os
import re
import shutil
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet
import pytest

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE
from tests.checker.cli.command import gomboc, refused
from tests.checker.replay.pack.packs import change, put, recount, values
from tests.known import PROTOCOLS

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("nothing_demanded")]

PACKS = ("000000.pack", "000001.pack", "000002.pack")
SPOILED = PACKS[1]
CUT_OFF = "the file cannot be read; it is cut off or damaged, or no Parquet file"
NO_UTF_8 = "is damaged, or holds a text that is not UTF-8"


@pytest.fixture
def spoiled(small, tmp_path):
    """A copy to be spoiled."""
    return shutil.copytree(small, tmp_path / "corpus")


@pytest.fixture
def replay(spoiled, tmp_path):
    """The words of the command that replays it."""
    return "replay", spoiled, "--output", tmp_path / "verdicts", "--jobs", 1


def cut_off(name):
    def spoil(pack):
        content = (pack / name).read_bytes()
        (pack / name).write_bytes(content[: len(content) // 2])

    return spoil


def not_utf_8(name, column):
    """Bytes that are no text, in the first row of a column of strings."""

    def spoil(pack):
        texts = [None if value is None else value.encode() for value in values(pack / name, column)]
        raw = pa.array([b"\xff", *texts[1:]], pa.binary())
        strings = pa.StringArray.from_buffers(len(raw), raw.buffers()[1], raw.buffers()[2], raw.buffers()[0])
        kind = pyarrow.parquet.read_schema(pack / name).field(column).type
        numbered = pa.DictionaryArray.from_arrays(pa.array(range(len(raw)), pa.int32()), strings)
        change(pack / name, column, strings if kind == pa.string() else numbered)

    return spoil


def first(name, column, to):
    """Another value in the first row."""

    def spoil(pack):
        change(pack / name, column, [to, *values(pack / name, column)[1:]])

    return spoil


def broken_line(name, column):
    """A newline where a line has none: the same value, and yet no line of a trace."""

    def spoil(pack):
        texts = values(pack / name, column)
        change(pack / name, column, [text.replace(b",", b",\n", 1) for text in texts])

    return spoil


def column_twice(pack):
    table = pyarrow.parquet.read_table(pack / "messages.parquet")
    pyarrow.parquet.write_table(table.append_column("message", table["message"]), pack / "messages.parquet")


def same_name(pack):
    names = values(pack / "traces.parquet", "name")
    change(pack / "traces.parquet", "name", [names[0]] * len(names))


def a_file_instead(pack):
    shutil.rmtree(pack)
    pack.touch()


def steps_miscounted(pack):
    """Both the pack and the manifest say so."""
    put(pack / "pack.json", "counts", "events", to=5)
    recount(pack.parent)


def a_copy(pack):
    """Both the folder and the manifest have it twice."""
    shutil.rmtree(pack)
    shutil.copytree(pack.with_name(PACKS[0]), pack)
    recount(pack.parent)


SPOILED_PACKS = {
    "traces cut off": (cut_off("traces.parquet"), f"/traces.parquet: {CUT_OFF}."),
    "traces gone": (lambda pack: (pack / "traces.parquet").unlink(), "/traces.parquet: No such file or directory."),
    "column twice": (column_twice, "/messages.parquet: the column 'message' is there twice."),
    "name no text": (not_utf_8("traces.parquet", "name"), f"/traces.parquet: the column 'name' {NO_UTF_8}."),
    "node no text": (not_utf_8("steps.parquet", "node"), f"/steps.parquet: the column 'node' {NO_UTF_8}."),
    "role no text": (not_utf_8("states.parquet", "role"), f"/states.parquet: the column 'role' {NO_UTF_8}."),
    "coin no text": (not_utf_8("steps.parquet", "coin"), f"/steps.parquet: the column 'coin' {NO_UTF_8}."),
    "state on two lines": (
        broken_line("states.parquet", "state"),
        "/states.parquet: the text in 'state' holds a newline in row 0.",
    ),
    "message on two lines": (
        broken_line("messages.parquet", "message"),
        "/messages.parquet: the text in 'message' holds a newline in row 0.",
    ),
    "header on two lines": (
        broken_line("traces.parquet", "header"),
        "/traces.parquet: the text in 'header' holds a newline in trace 'skip_ring-000002'.",
    ),
    "no name": (
        first("traces.parquet", "name", ""),
        "/traces.parquet: a trace has the name '', which no file can have.",
    ),
    "no file's name": (
        first("traces.parquet", "name", "a\0b"),
        "/traces.parquet: a trace has the name 'a\\x00b', which no file can have.",
    ),
    "same name": (same_name, "/traces.parquet: two traces have the name 'skip_ring-000002'."),
    "steps miscounted": (
        steps_miscounted,
        "/pack.json: it says that the traces have 5 steps, and they have {events}.",
    ),
    "other version": (
        lambda pack: put(pack / "pack.json", "version", to=2),
        "/pack.json: the pack has version 2, and this gomboc reads version 1.",
    ),
    "other protocol": (
        lambda pack: put(pack / "pack.json", "protocol", to="skip_plus"),
        ": the pack has the protocol 'skip_plus', and the corpus has 'skip_ring'.",
    ),
    "a file": (a_file_instead, ": this is no pack: it has no pack.json."),
    "a copy": (a_copy, ": the pack is a copy of {corpus}/000000.pack."),
}


@pytest.mark.parametrize(("spoil", "says"), SPOILED_PACKS.values(), ids=SPOILED_PACKS)
def test_a_spoiled_pack_is_one_sentence_and_costs_one_row_with_keep_going(spoiled, replay, spoil, says):
    events = json.loads((spoiled / SPOILED / "pack.json").read_text())["counts"]["events"]
    spoil(spoiled / SPOILED)
    sentence = f"{spoiled}/{SPOILED}{says.format(corpus=spoiled, events=events)}"
    assert refused(*replay) == f"gomboc: {sentence}\n"
    ran = gomboc(*replay, "--keep-going", "--format", "json")
    summary = json.loads(ran.out)
    assert (ran.code, summary["verdicts"]) == (USAGE, {"holds": 4, "unreadable": 1})
    assert [named["why"] for named in summary["named"]] == [sentence]


def test_an_id_that_the_dictionary_lacks_is_one_sentence(spoiled, replay):
    path = spoiled / SPOILED / "steps.parquet"
    first("steps.parquet", "after", 10**6)(spoiled / SPOILED)
    there = len(values(spoiled / SPOILED / "states.parquet", "state"))
    says = f"{path}: the column 'after' holds 1000000, and there are {there} states."
    assert refused(*replay) == f"gomboc: {says}\n"
    ran = gomboc(*replay, "--keep-going")
    assert (ran.code, f": {says}" in ran.out, "Verdicts: 4 holds, 1 unreadable." in ran.out) == (USAGE, True, True)


def test_a_local_step_that_changes_its_role_is_one_sentence(spoiled, replay):
    path = spoiled / SPOILED / "steps.parquet"
    first("states.parquet", "role", "king")(spoiled / SPOILED)
    ends = zip(values(path, "before"), values(path, "after"), strict=True)
    row = next(row for row, (before, after) in enumerate(ends) if (before == 0) != (after == 0))
    said = refused(*replay)
    assert said == f"gomboc: {path}: the states before and after are of different roles in row {row}.\n"


def everything(corpus, *keys, to):
    for path in (corpus / "manifest.json", *corpus.glob("*.pack/pack.json")):
        put(path, *keys, to=to)


SPOILED_MANIFESTS = {
    "unknown version": (
        lambda corpus: put(corpus / "manifest.json", "version", to=7),
        "/manifest.json: the corpus has version 7, and this gomboc reads version 1.",
        {"holds": 6, "unreadable": 1},
    ),
    "miscounted": (
        lambda corpus: put(corpus / "manifest.json", "counts", to={"traces": 7}),
        "/manifest.json: the sum of the counts is {counts}, and it says "
        "traces: 7, events: 0, states: 0, messages: 0, steps: 0.",
        {"holds": 6, "unreadable": 1},
    ),
    "pack missing": (
        lambda corpus: shutil.rmtree(corpus / SPOILED),
        "/manifest.json: the manifest does not fit the folder: 000001.pack is not there.",
        {"holds": 4, "unreadable": 1},
    ),
    "pack too many": (
        lambda corpus: (corpus / "x.pack").mkdir(),
        "/manifest.json: the manifest does not fit the folder: x.pack is there and not named.",
        {"holds": 6, "unreadable": 2},
    ),
    "no manifest": (
        lambda corpus: (corpus / "manifest.json").unlink(),
        ": this is no corpus: it has no manifest.json.",
        {"holds": 6, "unreadable": 1},
    ),
    "unknown protocol": (
        lambda corpus: everything(corpus, "protocol", to="no_protocol"),
        f"/000000.pack: there is no protocol 'no_protocol'; there are: {PROTOCOLS}; "
        "for one of your own give --protocol package.module:PROTOCOL.",
        {"unreadable": 3},
    ),
    "unknown parameter": (
        lambda corpus: everything(corpus, "parameters", to={"colour": 1}),
        "/000000.pack: the protocol skip_ring has no parameter 'colour'.",
        {"unreadable": 3},
    ),
    "parameters that make no sense": (
        lambda corpus: everything(corpus, "parameters", to={"key_bits": 0}),
        "/000000.pack: the parameters {{'key_bits': 0}} make no sense: Expected `int` >= 1 - at `$.key_bits`.",
        {"unreadable": 3},
    ),
    "no manifest, and a pack with other parameters": (
        lambda corpus: (
            (corpus / "manifest.json").unlink(),
            put(corpus / SPOILED / "pack.json", "parameters", to={"key_bits": 8}),
        ),
        ": this is no corpus: it has no manifest.json.",
        {"holds": 4, "unreadable": 2},
    ),
}


@pytest.mark.parametrize(("spoil", "says", "verdicts"), SPOILED_MANIFESTS.values(), ids=SPOILED_MANIFESTS)
def test_a_manifest_that_disagrees_is_one_sentence_and_costs_one_row(spoiled, replay, spoil, says, verdicts):
    counts = json.loads((spoiled / "manifest.json").read_text())["counts"]
    output = says.format(counts=", ".join(f"{name}: {number}" for name, number in counts.items()))
    spoil(spoiled)
    assert refused(*replay) == f"gomboc: {spoiled}{output}\n"
    ran = gomboc(*replay, "--keep-going", "--format", "json")
    assert (ran.code, json.loads(ran.out)["verdicts"]) == (USAGE, verdicts)
    assert f"{spoiled}{output}" in [named["why"] for named in json.loads(ran.out)["named"]]


def test_traces_with_other_parameters_than_their_pack_are_unreadable_one_by_one(spoiled, replay):
    everything(spoiled, "parameters", to={"key_bits": 8})
    ran = gomboc(*replay, "--format", "json")
    assert (ran.code, json.loads(ran.out)["verdicts"]) == (USAGE, {"unreadable": 6})
    says = "skip_ring-000000:1: the trace has the parameters {}, and its pack has {'key_bits': 8}."
    assert says in [named["why"] for named in json.loads(ran.out)["named"]]


@pytest.mark.parametrize("words", [("replay",), ("replay", "--keep-going"), ("export",)])
def test_a_corpus_without_a_trace_is_refused(spoiled, tmp_path, words):
    for name in PACKS:
        shutil.rmtree(spoiled / name)
    put(spoiled / "manifest.json", "packs", to=[])
    put(spoiled / "manifest.json", "counts", to={})
    ran = refused(*words, spoiled, "--output", tmp_path / "output")
    assert ran == f"gomboc: {spoiled}: there is no trace in it.\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus"]


@pytest.mark.parametrize("command", ["replay", "export", "ingest"])
def test_a_folder_that_may_not_be_looked_into_is_refused(spoiled, tmp_path, monkeypatch, command):
    """As it is for anybody but root."""

    def forbidden(*arguments):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(spoiled))

    monkeypatch.setattr(os, "scandir", forbidden)
    monkeypatch.setattr(os, "listdir", forbidden)
    said = refused(command, spoiled, "--output", tmp_path / "output")
    assert said == f"gomboc: {spoiled}: it cannot be looked into: Permission denied.\n"


def test_a_file_that_may_not_be_read_is_refused(spoiled, replay, monkeypatch):
    real = Path.open

    def forbidden(path, *arguments, **options):
        if path.name == "steps.parquet" and path.parent.name == SPOILED:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", forbidden)
    said = refused(*replay)
    assert said == f"gomboc: {spoiled / SPOILED}/steps.parquet: Permission denied.\n"


def test_an_export_of_one_name_from_two_packs_is_refused(spoiled, tmp_path):
    change(spoiled / SPOILED / "traces.parquet", "name", ["skip_ring-000000", "skip_ring-000003"])
    said = refused("export", spoiled, "--output", tmp_path / "traces")
    assert said == f"gomboc: {spoiled / SPOILED}: another pack has a trace with the name 'skip_ring-000000', too.\n"


def test_a_name_that_is_too_long_for_a_file_is_refused_by_export_only(spoiled, replay, tmp_path):
    first("traces.parquet", "name", "x" * 300)(spoiled / SPOILED)
    said = refused("export", spoiled, "--output", tmp_path / "traces")
    assert said == f"gomboc: {tmp_path / 'traces'}/{'x' * 300}.jsonl: it cannot be written: File name too long.\n"
    assert gomboc(*replay).code != USAGE


TEXTS = {
    "state": ("states.parquet", "state", b"x"),
    "nested state": ("states.parquet", "state", b"[" * 100_000),
    "header": ("traces.parquet", "header", b"x"),
    "delivered": ("steps.parquet", "delivered", b"x"),
}


@pytest.mark.parametrize(("name", "column", "text"), TEXTS.values(), ids=TEXTS)
def test_an_unreadable_text_costs_only_the_traces_with_it(spoiled, replay, name, column, text):
    """In the first pack, because the corruptions of its starts are sampled."""
    first(name, column, text)(spoiled / PACKS[0])
    ran = gomboc(*replay, "--format", "json")
    summary = json.loads(ran.out)
    assert (ran.code, summary["verdicts"].keys()) == (USAGE, {"holds", "unreadable"})
    assert summary["verdicts"]["holds"] + summary["verdicts"]["unreadable"] == 6
    assert all(named["trace"] in ("skip_ring-000000", "skip_ring-000001") for named in summary["named"])


def test_a_message_that_means_nothing_costs_the_traces_in_which_it_is_sent(spoiled, replay):
    path = spoiled / PACKS[0] / "messages.parquet"
    sent = values(spoiled / PACKS[0] / "steps.parquet", "contents")[-1] or [len(values(path, "message")) - 1]
    texts = values(path, "message")
    texts[sent[0]] = b"x"
    change(path, "message", texts)
    ran = gomboc(*replay, "--format", "json")
    assert (ran.code, json.loads(ran.out)["verdicts"]["holds"] >= 4) == (USAGE, True)


def twice(column):
    """The texts of a column, each with its first key and value once more in front."""
    return [re.sub(rb"\A\{(\"[^,]*,)", rb"{\1\1", text) for text in column]


@pytest.mark.parametrize(
    ("name", "column"), [("messages.parquet", "message"), ("states.parquet", "state"), ("traces.parquet", "header")]
)
def test_a_key_that_stands_twice_makes_a_trace_unreadable_to_replay_as_to_check(
    spoiled, replay, tmp_path, name, column
):
    pack = spoiled / SPOILED
    change(pack / name, column, twice(values(pack / name, column)))
    ran = gomboc(*replay, "--format", "json")
    assert (ran.code, json.loads(ran.out)["verdicts"]) == (USAGE, {"holds": 4, "unreadable": 2})
    assert gomboc("export", spoiled, "--output", tmp_path / "lines").code == HOLDS
    checked = [gomboc("check", path).code for path in sorted((tmp_path / "lines").iterdir())]
    assert checked == [HOLDS, HOLDS, USAGE, USAGE, HOLDS, HOLDS]


@pytest.mark.parametrize("seed", range(8))
def test_a_footer_that_is_damaged_anywhere_is_one_sentence_or_does_no_harm(small, tmp_path, seed):
    """Bytes of the text in it, at least: numbers that the library does not expect may end the process."""
    random = Random(seed)
    own = shutil.copytree(small, tmp_path / "own")
    pack = own / SPOILED
    path = pack / f"{random.choice(('states', 'messages', 'steps', 'traces'))}.parquet"
    content = bytearray(path.read_bytes())
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    letters = [index for index in range(footer, len(content) - 8) if chr(content[index]).isalpha()]
    content[random.choice(letters)] = random.choice((0xFF, 0x80, 0x20))
    path.write_bytes(content)
    ran = gomboc("replay", own, "--jobs", 1, "--output", tmp_path / "verdicts")
    assert ran.code in (HOLDS, USAGE, UNKNOWN), ran
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("name", ["manifest.json", "000000.pack/pack.json", "000000.pack/traces.parquet"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(name, spoiled, replay):
    (spoiled / name).unlink()
    os.mkfifo(spoiled / name)
    says = f"gomboc: {spoiled / name}: this is no file: traces and packs are read from files only.\n"
    assert refused(*replay) == says
