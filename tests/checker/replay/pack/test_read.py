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
from tests.checker.replay.pack.packs import change, corpus, put, values


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


def replaced(path, column, beyond):
    """The values of a column, in which the first one that can be is now `beyond`."""
    rows = values(path, column)
    first = next(number for number, row in enumerate(rows) if row or isinstance(row, int))
    rows[first] = [beyond, *rows[first][1:]] if isinstance(rows[first], list) else beyond
    return rows


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
    change(path, column, replaced(path, column, number))
    assert said(folder) == f"{path}: the column {column!r} holds {number}, and there are {there} {what}."


def test_a_way_to_take_a_step_that_there_is_not(folder, pack):
    path = pack / "steps.parquet"
    change(path, "took", replaced(path, "took", 3))
    assert said(folder) == f"{path}: the column 'took' holds 3, and there are 3 ways to take a step."


def test_a_command_without_content(folder, pack):
    path = pack / "steps.parquet"
    took, inputs = values(path, "took"), values(path, "input")
    row = took.index(0)
    took[row] = 2
    change(path, "took", took)
    assert inputs[row] == -1
    assert said(folder) == f"{path}: a command has no content in row {row}."


def test_received_without_a_message_that_is_taken(folder, pack):
    path = pack / "steps.parquet"
    took, received = values(path, "took"), values(path, "received")
    row = took.index(0)
    received[row] = 0
    change(path, "received", received)
    assert said(folder) == f"{path}: a step says what was received, and takes no message, in row {row}."


@pytest.mark.parametrize("column", ["sent", "took"])
def test_an_id_of_a_message_that_is_too_large(folder, pack, column):
    path = pack / "traces.parquet"
    change(path, column, replaced(path, column, 2**53))
    assert said(folder) == f"{path}: the column {column!r} holds {2**53}, and there are {2**53} ids of messages."


@pytest.mark.parametrize("time", [float("nan"), float("inf"), float("-inf")])
def test_a_time_that_no_line_could_have(folder, pack, time):
    path = pack / "traces.parquet"
    change(path, "at", [[time] * len(row) for row in values(path, "events")])
    assert said(folder) == f"{path}: the column 'at' holds {time}, which is no time."


def test_a_null(folder, pack):
    path = pack / "states.parquet"
    change(path, "state", [None, *values(path, "state")[1:]])
    assert said(folder) == f"{path}: the column 'state' holds a null."


def test_a_null_in_a_list(folder, pack):
    path = pack / "traces.parquet"
    change(path, "took", replaced(path, "took", None))
    assert said(folder) == f"{path}: the column 'took' holds a null."


def test_lists_that_are_not_equally_long(folder, pack):
    path = pack / "traces.parquet"
    name = values(path, "name")[0]
    change(path, "took", [row[1:] for row in values(path, "took")])
    assert said(folder) == f"{path}: the lists 'events' and 'took' are not equally long in trace {name!r}."


def test_sends_without_a_content(folder, pack):
    path = pack / "steps.parquet"
    contents = values(path, "contents")
    row = next(number for number, entry in enumerate(contents) if entry)
    contents[row] = []
    change(path, "contents", contents)
    assert said(folder) == f"{path}: the lists 'targets' and 'contents' are not equally long in row {row}."


def test_messages_sent_without_an_id(folder, pack):
    path = pack / "traces.parquet"
    sent = values(path, "sent")
    change(path, "sent", [sent[0], sent[1][1:]])
    name = values(path, "name")[1]
    says = "the list 'sent' does not have an id for each message that the steps send"
    assert said(folder) == f"{path}: {says} in trace {name!r}."


def test_a_delivery_without_an_id(folder, pack):
    path = pack / "traces.parquet"
    change(path, "took", [[-1 for _ in row] for row in values(path, "took")])
    says = "the column 'took' does not have an id for exactly the steps that take a message"
    assert said(folder) == f"{path}: {says}."


def test_a_message_at_the_start_to_a_node_that_its_trace_does_not_have(tmp_path):
    folder = corpus(tmp_path / "corpus", 1, ("three_subscribers_with_messages_in_flight.ok",))
    path = folder / "000000.pack" / "traces.parquet"
    change(path, "initial_to", replaced(path, "initial_to", 4))
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


def test_a_local_step_from_a_state_of_one_role_to_one_of_another(folder, pack):
    roles, path = values(pack / "states.parquet", "role"), pack / "steps.parquet"
    before, after = values(path, "before"), values(path, "after")
    row = next(number for number, state in enumerate(before) if state >= 0)
    other = next(state for state, role in enumerate(roles) if role != roles[before[row]])
    change(path, "after", [*after[:row], other, *after[row + 1 :]])
    assert said(folder) == f"{path}: the states before and after are of different roles in row {row}."


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
