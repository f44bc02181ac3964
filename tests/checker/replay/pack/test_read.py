"""Every fault of a pack or a corpus is reported in one sentence, on first access."""

import shutil

import pyarrow as pa
import pyarrow.parquet
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.pack.format import SCHEMAS, Counts
from gomboc.checker.replay.pack.read import open_corpus, open_pack
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import NAMES, change, corpus, put, values


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return corpus(tmp_path_factory.mktemp("packs") / "corpus")


@pytest.fixture
def folder(made, tmp_path):
    """A corpus that a test may spoil."""
    return shutil.copytree(made, tmp_path / "corpus")


@pytest.fixture
def pack(folder):
    """A pack that a test may spoil."""
    return folder / "000000.pack"


def read_everything(path):
    for pack in open_corpus(path).packs():
        for _, lines in Exporter(pack).traces():
            list(lines)


def said(folder):
    return sentence(read_everything, folder)


def test_an_intact_corpus_is_read(folder):
    read_everything(folder)
    manifest = open_corpus(folder).manifest
    assert [entry.name for entry in manifest.packs] == ["000000.pack", "000001.pack"]
    assert (manifest.counts.traces, manifest.protocol) == (3, "skip_ring")


def test_tables_have_the_columns_that_the_format_says(pack):
    for name, schema in SCHEMAS.items():
        assert pyarrow.parquet.read_schema(pack / name).equals(schema)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_table_that_is_not_there(folder, pack, name):
    (pack / name).unlink()
    assert said(folder) == f"{pack / name}: there is no such file."


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("kept", [0, 0.5, 0.99])
def test_a_table_that_is_cut_off(folder, pack, name, kept):
    whole = (pack / name).read_bytes()
    (pack / name).write_bytes(whole[: int(kept * len(whole))])
    assert said(folder) == f"{pack / name}: the file cannot be read; it is cut off or damaged, or no Parquet file."


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_table_with_a_byte_changed_in_its_first_page(folder, pack, name):
    damaged = bytearray((pack / name).read_bytes())
    start = pyarrow.parquet.read_metadata(pack / name).row_group(0).column(0).dictionary_page_offset or 4
    damaged[start + 40] ^= 0xFF
    (pack / name).write_bytes(damaged)
    assert said(folder) == f"{pack / name}: the file cannot be read; it is cut off or damaged, or no Parquet file."


def test_a_column_of_the_wrong_type(folder, pack):
    path = pack / "steps.parquet"
    change(path, "after", [str(column) for column in values(path, "after")], pa.string())
    assert said(folder) == f"{path}: the column 'after' has the type string, not int32."


def test_a_column_too_few_and_a_column_too_many(folder, pack):
    path = pack / "messages.parquet"
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.append_column("x", table["message"]), path)
    assert said(folder) == f"{path}: the format has no column 'x'."
    pyarrow.parquet.write_table(table.rename_columns(["x"]), path)
    assert said(folder) == f"{path}: the column 'message' is missing."


BEYOND = 10_000


def first(beyond):
    """A change of a column: the first value that can be is now `beyond`."""

    def spoil(rows):
        number, row = next((number, row) for number, row in enumerate(rows) if row or isinstance(row, int))
        return at(number, [beyond, *row[1:]] if isinstance(row, list) else beyond)(rows)

    return spoil


def at(number, value):
    """A change of a column: that value in the row of that number."""
    return lambda rows: [*rows[:number], value, *rows[number + 1 :]]


def each(change_row):
    return lambda rows: list(map(change_row, rows))


IDS = f"and there are {2**53} ids of messages"
RECEIVED = "a step says what was received, and takes no message, in row 0"
CONTENTS = "the lists 'targets' and 'contents' are not equally long in row 0"
EVENTS = f"the lists 'events' and 'took' are not equally long in trace {NAMES[0]!r}"
ROLES = "the states before and after are of different roles in row 0"
DELIVERIES = "the column 'took' does not have an id for exactly the steps that take a message"
SENT = f"the list 'sent' does not have an id for each message that the steps send in trace {NAMES[1]!r}"
NO_TIMES = "nan", "inf", "-inf"
SPOILED = {
    "a way": ("steps", "took", first(3), "the column 'took' holds 3, and there are 3 ways to take a step"),
    "a command without content": ("steps", "took", at(0, 2), "a command has no content in row 0"),
    "a message that is not taken": ("steps", "received", at(0, 0), RECEIVED),
    "sends without a content": ("steps", "contents", at(0, []), CONTENTS),
    "another role": ("steps", "after", at(0, 0), ROLES),
    "a null": ("states", "state", at(0, None), "the column 'state' holds a null"),
    "a null in a list": ("traces", "took", first(None), "the column 'took' holds a null"),
    "a large id sent": ("traces", "sent", first(2**53), f"the column 'sent' holds {2**53}, {IDS}"),
    "a large id taken": ("traces", "took", first(2**53), f"the column 'took' holds {2**53}, {IDS}"),
    "short lists": ("traces", "took", each(lambda row: row[1:]), EVENTS),
    "a send without an id": ("traces", "sent", lambda rows: [rows[0], rows[1][1:]], SENT),
    "a delivery without an id": ("traces", "took", each(lambda row: [-1] * len(row)), DELIVERIES),
} | {
    time: ("traces", "at", at(1, [float(time)] * 86), f"the column 'at' holds {time}, which is no time")
    for time in NO_TIMES
}


@pytest.mark.parametrize(("name", "column", "spoil", "says"), SPOILED.values(), ids=SPOILED)
def test_a_column_that_is_spoiled(folder, pack, name, column, spoil, says):
    path = pack / f"{name}.parquet"
    change(path, column, spoil(values(path, column)))
    assert said(folder) == f"{path}: {says}."


@pytest.mark.parametrize(
    ("name", "column", "what"),
    [
        ("steps", "before", "states"),
        ("steps", "after", "states"),
        ("steps", "input", "messages"),
        ("steps", "contents", "messages"),
        ("steps", "received", "messages"),
        ("traces", "first", "states"),
        ("traces", "events", "steps"),
        ("traces", "claimed", "states"),
    ],
)
@pytest.mark.parametrize("number", [BEYOND, -2])
def test_an_id_that_the_dictionary_lacks(tmp_path, name, column, what, number):
    folder = corpus(tmp_path / "corpus", 3)
    pack = folder / "000000.pack"
    path = pack / f"{name}.parquet"
    there = len(values(pack / f"{what}.parquet", {"states": "state", "messages": "message", "steps": "node"}[what]))
    change(path, column, first(number)(values(path, column)))
    assert said(folder) == f"{path}: the column {column!r} holds {number}, and there are {there} {what}."


def test_a_message_at_the_start_to_a_node_that_its_trace_does_not_have(tmp_path):
    folder = corpus(tmp_path / "corpus", 1, ("three_subscribers_with_messages_in_flight.ok",))
    path = folder / "000000.pack" / "traces.parquet"
    change(path, "initial_to", first(4)(values(path, "initial_to")))
    assert said(folder) == f"{path}: the column 'initial_to' holds a node that its trace does not have."


@pytest.mark.parametrize("name", ["traces", "states", "messages", "steps"])
def test_a_pack_that_miscounts_its_tables(folder, pack, name):
    count, total = getattr(open_pack(pack).counts, name), getattr(open_corpus(folder).manifest.counts, name)
    put(pack / "pack.json", "counts", name, to=count + 1)
    put(folder / "manifest.json", "packs", 0, "counts", name, to=count + 1)
    put(folder / "manifest.json", "counts", name, to=total + 1)
    says = f"it says that {name}.parquet has {count + 1} rows, and it has {count}"
    assert said(folder) == f"{pack / 'pack.json'}: {says}."


def test_a_pack_that_miscounts_its_steps(folder, pack):
    events = open_pack(pack).counts.events
    put(pack / "pack.json", "counts", "events", to=events + 1)
    assert sentence(list, open_pack(pack).trace_batches()) == (
        f"{pack / 'pack.json'}: it says that the traces have {events + 1} steps, and they have {events}."
    )


@pytest.mark.parametrize("name", Counts.__struct_fields__)
def test_a_manifest_that_disagrees_with_a_pack(folder, pack, name):
    counts, total = open_pack(pack).counts, open_corpus(folder).manifest.counts
    put(folder / "manifest.json", "packs", 0, "counts", name, to=getattr(counts, name) + 1)
    put(folder / "manifest.json", "counts", name, to=getattr(total, name) + 1)
    has, says = (
        ", ".join(f"{entry}: {getattr(counts, entry) + more * (entry == name)}" for entry in Counts.__struct_fields__)
        for more in (0, 1)
    )
    assert said(folder) == f"{pack}: the pack has {has}, and the manifest says {says}."


def test_a_manifest_that_cannot_add(folder):
    counts = open_corpus(folder).manifest.counts
    rest = f"states: {counts.states}, messages: {counts.messages}, steps: {counts.steps}"
    put(folder / "manifest.json", "counts", "events", to=1)
    assert said(folder) == (
        f"{folder / 'manifest.json'}: the sum of the counts is traces: 3, events: {counts.events}, {rest}, "
        f"and it says traces: 3, events: 1, {rest}."
    )


def test_packs_that_the_manifest_lacks_or_has_too_many_of(folder, pack):
    path = folder / "manifest.json"
    shutil.copytree(pack, folder / "x.pack")
    assert said(folder) == f"{path}: the manifest does not fit the folder: x.pack is there and not named."
    shutil.rmtree(folder / "x.pack")
    shutil.rmtree(pack)
    assert said(folder) == f"{path}: the manifest does not fit the folder: 000000.pack is not there."


def test_a_pack_that_is_named_twice(folder):
    entries = [{"name": "000000.pack", "counts": {}}, {"name": "000001.pack", "counts": {}}]
    put(folder / "manifest.json", "packs", to=[*entries, entries[0]])
    assert said(folder) == f"{folder / 'manifest.json'}: a pack is named twice."


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("protocol", "skip_plus", "the pack has the protocol 'skip_plus', and the corpus has 'skip_ring'"),
        ("parameters", {"n": 1}, "the pack has the parameters {'n': 1}, and the corpus has {}"),
    ],
)
def test_packs_of_different_protocols(folder, key, value, says):
    put(folder / "000001.pack" / "pack.json", key, to=value)
    assert said(folder) == f"{folder / '000001.pack'}: {says}."


def test_the_rest_of_a_corpus_can_be_read_without_a_pack_that_cannot(folder, pack):
    (pack / "pack.json").unlink()
    opened = open_corpus(folder)
    assert opened.pack("000001.pack").names() == ["altered_in_flight.bad"]
    with pytest.raises(UsageError):
        opened.pack("000000.pack")


@pytest.mark.parametrize(("file", "what"), [("manifest.json", "corpus"), ("000000.pack/pack.json", "pack")])
def test_another_version_another_format_and_invalid_json(folder, file, what):
    path = folder / file
    put(path, "version", to=2)
    assert said(folder) == f"{path}: the {what} has version 2, and this gomboc reads version 1."
    put(path, "format", to="x")
    assert said(folder) == f"{path}: the format is 'x', not 'gomboc-{what}'."
    path.write_text("{")
    assert said(folder) == f"{path}: Input data was truncated."
    path.unlink()
    assert said(folder) == f"{path.parent}: this is no {what}: it has no {path.name}."


def test_a_key_that_the_format_does_not_have(folder):
    put(folder / "manifest.json", "x", to=1)
    assert said(folder) == f"{folder / 'manifest.json'}: Object contains unknown field `x`."
