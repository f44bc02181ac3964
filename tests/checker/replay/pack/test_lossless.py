"""JSON Lines into packs and back: not a byte of any trace is lost."""

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings

from gomboc.checker.replay.pack.export import Exporter, export
from gomboc.checker.replay.pack.ingest import Ingester, find_sources, ingest
from gomboc.checker.replay.pack.read import open_corpus, open_pack
from gomboc.checker.replay.pack.write import writing_pack
from gomboc.checker.traces.trace import TraceReader
from tests.checker.refusing import sentence
from tests.checker.replay.pack.lines import trace, written
from tests.checker.replay.pack.packs import FILES, GOLDEN, NAMES, change, corpus, quiet, values
from tests.sampling import share


def there_and_back(*texts):
    """The traces after a round trip through one pack."""
    with TemporaryDirectory() as name:
        path = Path(name) / "000000.pack"
        with writing_pack(path, "skip_ring", {}) as writer:
            for number, text in enumerate(texts):
                row = Ingester(writer.dictionary).row(TraceReader(Path("a trace"), io.BytesIO(text)), str(number))
                writer.add(row)
        return [b"".join(lines) for _, lines in Exporter(open_pack(path)).traces()]


def test_every_golden_trace_comes_back_byte_for_byte(tmp_path):
    assert len(FILES) > 20
    ingest(find_sources(FILES), tmp_path / "corpus", 7, 1, quiet)
    assert export(tmp_path / "corpus", (), tmp_path / "traces") >= len(FILES)
    for file in FILES:
        assert (tmp_path / "traces" / file.name).read_bytes() == file.read_bytes()


@given(trace(), trace())
@settings(max_examples=share(60))
def test_every_readable_trace_comes_back_byte_for_byte(one, other):
    assert there_and_back(one, other, one) == [one, other, one]


def test_every_optional_key_is_among_those_that_come_back():
    keys = {key for file in FILES for line in file.read_text().splitlines()[1:] for key in json.loads(line)}
    assert keys >= {"before", "received", "coin", "delivered"}


def test_a_trace_that_is_written_otherwise_comes_back_with_the_same_values():
    lines = [json.loads(line) for line in (GOLDEN / f"{NAMES[1]}.jsonl").read_text().splitlines()]
    lines[1]["at"] = 3
    odd = "".join(json.dumps(dict(reversed(line.items())), indent=None) + "\n" for line in lines)
    (back,) = there_and_back(odd.encode())
    assert [json.loads(line) for line in back.splitlines()] == lines


def test_only_the_traces_that_are_named_are_exported(tmp_path):
    assert export(corpus(tmp_path / "corpus"), (NAMES[2],), tmp_path / "traces") == 1
    assert [path.name for path in (tmp_path / "traces").iterdir()] == [f"{NAMES[2]}.jsonl"]
    assert export(tmp_path / "corpus" / "000000.pack", (), tmp_path / "more") == 2


def test_a_trace_can_be_named_wherever_it_stands_in_its_pack(tmp_path, monkeypatch):
    monkeypatch.setattr("gomboc.checker.replay.pack.write.ROW_GROUP_EVENTS", 1)
    (pack,) = open_corpus(corpus(tmp_path / "corpus", 3)).packs()
    assert pack.row_groups == 3
    for name in NAMES:
        assert b"".join(Exporter(pack).trace(name)) == (GOLDEN / f"{name}.jsonl").read_bytes()


def test_a_name_that_is_not_there_is_said(tmp_path):
    assert (
        sentence(export, corpus(tmp_path / "corpus"), ("x",), tmp_path / "traces")
        == f"{tmp_path / 'corpus'}: there is no trace 'x' in it."
    )


def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path):
    path = tmp_path / "000000.pack"
    with writing_pack(path, "skip_ring", {}) as writer:
        reader = TraceReader(Path("a trace"), io.BytesIO(FILES[0].read_bytes()))
        writer.add(Ingester(writer.dictionary).row(reader, "../x"))
    assert (
        sentence(export, path, (), tmp_path / "traces")
        == f"{tmp_path / 'traces'}: the trace '../x' would be written outside of it."
    )


def test_an_empty_trace_is_a_trace():
    header = written([json.loads(FILES[0].read_text().splitlines()[0])])
    assert there_and_back(header) == [header]


def test_a_trace_with_other_parameters_than_its_pack_is_no_trace_to_either_judge(tmp_path):
    """As a trace by itself it would be judged by those, and in its pack it is unreadable: so it is not exported."""
    made = corpus(tmp_path / "corpus")
    path = made / "000000.pack" / "traces.parquet"
    headers = values(path, "header")
    change(path, "header", [headers[0].replace(b'"parameters":{}', b'"parameters":{"key_bits":8}'), *headers[1:]])
    name = values(path, "name")[0]
    says = f"the trace {name!r} has the parameters {{'key_bits': 8}}, and its pack has {{}}."
    assert sentence(export, made, (name,), tmp_path / "lines") == f"{made / '000000.pack'}: {says}"
    assert list((tmp_path / "lines").iterdir()) == []
