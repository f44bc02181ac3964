"""Ingesting traces into a pack: accepted and refused traces."""

import errno
import json
import os

import pytest

from gomboc.checker.replay.pack.corpus import PackTarget
from gomboc.checker.replay.pack.format import DELIVERY, NONE
from gomboc.checker.replay.pack.ingest import find_sources, ingest, ingest_piece
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.traces.trace_files import NO_TRACE
from tests.checker import ring
from tests.checker.cli.command import refused
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import GOLDEN, NAMES, corpus, everything_in, quiet, sources


def only_pack(folder, *names):
    (pack,) = open_corpus(corpus(folder, len(names), names)).packs()
    return pack, pack.traces(0).to_pylist()


def steps_of(pack, row):
    steps = pack.steps.to_pylist()
    return [steps[event] for event in row["events"]]


def copy(folder, name="a", **changes):
    """A golden trace with another header."""
    text = (GOLDEN / f"{NAMES[0]}.jsonl").read_text()
    first, rest = text.split("\n", 1)
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps({**json.loads(first), **changes}) + "\n" + rest)
    return path


def test_a_step_by_a_node_that_is_not_there_has_no_role_and_no_state_before(tmp_path):
    pack, (row,) = only_pack(tmp_path / "corpus", "step_by_an_unknown_node.bad")
    (strange,) = [step for step in steps_of(pack, row) if step["node"] == "v3"]
    assert strange["before"] == NONE
    assert pack.states["role"][strange["after"]].as_py() is None


def test_a_delivery_of_a_message_not_sent_yet_has_no_content(tmp_path):
    for name in ("delivered_though_never_sent.bad", "delivered_before_it_was_sent.bad"):
        pack, (row,) = only_pack(tmp_path / name, name)
        inputs = [step["input"] for step in steps_of(pack, row) if step["took"] == DELIVERY]
        assert inputs.count(NONE) == 1


def test_a_message_to_a_node_that_is_not_there_at_the_start_has_no_place(tmp_path):
    lost = {"id": 7, "to": "v9", "message": {"kind": "Subscribe", "subscriber": "v1"}}
    path = copy(tmp_path, messages=[lost])
    ingest(find_sources([path]), tmp_path / "corpus", 1, 1, quiet)
    (pack,) = open_corpus(tmp_path / "corpus").packs()
    assert pack.traces(0)["initial_to"].to_pylist() == [[NONE]]


def test_claims_of_a_step_are_kept_beside_its_true_state(tmp_path):
    pack, (row,) = only_pack(tmp_path / "corpus", "state_changed_between_steps.bad")
    claimed = [(claim, step["before"]) for claim, step in zip(row["claimed"], steps_of(pack, row), strict=True)]
    ((claim, before),) = [pair for pair in claimed if pair[0] != NONE]
    assert claim != before


def test_steps_chain_in_numbers(tmp_path):
    pack, rows = only_pack(tmp_path / "corpus", *NAMES)
    for row in rows:
        now = dict(zip(json.loads(row["header"])["roles"], row["first"], strict=True))
        for step in steps_of(pack, row):
            assert step["before"] == now[step["node"]]
            now[step["node"]] = step["after"]


def test_packs_are_the_same_in_however_many_processes_they_are_made(tmp_path):
    ingest(sources(), tmp_path / "one", 1, 1, quiet)
    ingest(sources(), tmp_path / "two", 1, 2, quiet)
    assert everything_in(tmp_path / "one") == everything_in(tmp_path / "two")


def test_traces_are_found_below_folders_and_named_by_their_paths(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    copy(tmp_path / "a", "y")
    copy(tmp_path / "a" / "b", "x")
    assert [source.name for source in find_sources([tmp_path / "a"])] == ["b/x", "y"]
    y = tmp_path / "a" / "y.jsonl"
    assert sentence(find_sources, [tmp_path / "a", y]) == f"{y}: the trace has the same name as {y}: 'y'."


def test_a_folder_without_a_trace_is_refused(tmp_path):
    assert sentence(find_sources, [tmp_path]) == f"{tmp_path}: {NO_TRACE}"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (("skip_ring", {"n": 3}), "the trace has the parameters {}, and the corpus has {'n': 3}."),
        (("skip_plus", {}), "the trace has the protocol 'skip_ring', and the corpus has 'skip_plus'."),
    ],
)
def test_a_trace_of_another_corpus_is_refused(tmp_path, target, said):
    assert (
        sentence(ingest_piece, PackTarget(str(tmp_path), *target), sources(), 9, 0) == f"{sources()[0].path}:1: {said}"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_trace_that_cannot_be_read_is_refused_with_its_line_and_nothing_is_left(tmp_path):
    path = copy(tmp_path)
    path.write_text(path.read_text() + "{}\n")
    line = len(path.read_text().splitlines())
    said = sentence(ingest, find_sources([path]), tmp_path / "corpus", 1, 1, quiet)
    assert said == f"{path}:{line}: Object missing required field `node`."
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_file_that_is_not_there_is_refused(tmp_path):
    said = sentence(ingest, find_sources([tmp_path / "x.jsonl"]), tmp_path / "corpus", 1, 1, quiet)
    assert said == f"{tmp_path / 'x.jsonl'}: No such file or directory."


def test_a_trace_that_cannot_be_read_to_its_end_is_named_and_not_the_output(tmp_path, monkeypatch):
    def worn_out(ingester, reader, name):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    (tmp_path / "a.jsonl").write_bytes(ring.HOLDS)
    monkeypatch.setattr("gomboc.checker.replay.pack.ingest.Ingester.row", worn_out)
    said = refused("ingest", tmp_path / "a.jsonl", "--output", tmp_path / "corpus", "--jobs", 1)
    assert said == f"gomboc: {tmp_path / 'a.jsonl'}: it cannot be read: Input/output error.\n"
