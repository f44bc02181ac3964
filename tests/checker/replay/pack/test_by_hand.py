"""A pack can be read with only pyarrow and the page on packs.

Source: traces/README.md, Packs and corpora
"""

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from gomboc.checker.replay.pack.export import export
from gomboc.checker.replay.pack.format import NULLABLE, SCHEMAS
from gomboc.checker.replay.pack.ingest import find_sources, ingest
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan, PlannedCommand
from tests.checker.replay.pack.packs import FILES, everything_in, quiet

PAGE = (Path(__file__).parents[4] / "traces" / "README.md").read_text()
TYPES = {
    "dictionary of string": pa.dictionary(pa.int32(), pa.string()),
    "binary": pa.binary(),
    "string": pa.string(),
    "int8": pa.int8(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
}


def told(table):
    """The columns of a table as the page tells them: names, types, and whether they may be null."""
    section = PAGE.partition(f"**`{table}`**")[2].partition("\n**`")[0]
    for names, kinds in re.findall(r"^\| (`.*?`) \| (.*?) \|", section, re.MULTILINE):
        columns = [name.strip("`") for name in names.split(", ")]
        nullable = kinds.endswith(", or null")
        types = kinds.removesuffix(", or null").split(", ")
        for column, kind in zip(columns, types * (len(columns) // len(types)), strict=True):
            plain = TYPES[kind.removeprefix("list of ")]
            yield column, pa.list_(plain) if kind.startswith("list of ") else plain, nullable


@pytest.mark.parametrize("table", SCHEMAS)
def test_the_page_names_every_column_and_its_type(table):
    result = list(told(table))
    assert pa.schema([(name, kind) for name, kind, _ in result]) == SCHEMAS[table]
    nullable = {name for name, _, may_be in result if may_be}
    assert nullable | ({"role"} if table == "states.parquet" else set()) == set(NULLABLE[table])


def rows(pack, table):
    return parquet.read_table(pack / f"{table}.parquet").to_pylist()


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def by_hand(corpus):
    """Every trace of a corpus, as the page says that a line is written again."""
    for name in (pack["name"] for pack in json.loads((corpus / "manifest.json").read_text())["packs"]):
        states, messages, steps, traces = (
            rows(corpus / name, entry) for entry in ("states", "messages", "steps", "traces")
        )
        state = [entry["state"].decode() for entry in states]
        message = [entry["message"].decode() for entry in messages]
        for trace in traces:
            ids = iter(trace["sent"])
            lines = [trace["header"].decode()]
            for index, number in enumerate(trace["events"]):
                step = steps[number]
                took = ('"timeout"', str(trace["took"][index]), message[step["input"]])[step["took"]]
                sends = zip(step["targets"], step["contents"], strict=True)
                sent = [f'{{"id":{next(ids)},"to":{text(to)},"message":{message[content]}}}' for to, content in sends]
                line = {"node": text(step["node"]), "took": took, "state": state[step["after"]]}
                line["sent"] = f"[{','.join(sent)}]"
                if step["delivered"] is not None:
                    line["delivered"] = step["delivered"].decode()
                if step["coin"] is not None:
                    line["coin"] = text(step["coin"])
                if trace["claimed"] is not None and trace["claimed"][index] != -1:
                    line["before"] = state[trace["claimed"][index]]
                if step["received"] is not None:
                    line["received"] = message[step["received"]]
                if trace["at"] is not None and trace["at"][index] is not None:
                    line["at"] = text(trace["at"][index])
                lines.append("{" + ",".join(f'"{key}":{value}' for key, value in line.items()) + "}")
            yield trace["name"], "".join(f"{line}\n" for line in lines).encode()


def test_the_golden_traces_are_read_by_hand_byte_for_byte(tmp_path):
    ingest(find_sources(FILES), tmp_path / "corpus", 9, 1, quiet)
    traces = dict(by_hand(tmp_path / "corpus"))
    assert traces == {path.name.removesuffix(".jsonl"): path.read_bytes() for path in FILES}


COMMANDS = (PlannedCommand(2, "v1", "Unsubscribe"), PlannedCommand(4, "v1", "Subscribe"))


def test_simulated_packs_are_read_by_hand_as_they_are_exported(tmp_path):
    plan = Plan("skip_ring", "skip_ring", (1, 2, 3), 9, seed=8, settle=1, commands=COMMANDS)
    simulate_packs(plan, tmp_path / "corpus", 4, local(1), quiet)
    export(tmp_path / "corpus", (), tmp_path / "traces")
    assert {f"{name}.jsonl": lines for name, lines in by_hand(tmp_path / "corpus")} == everything_in(
        tmp_path / "traces"
    )


def test_ingesting_and_exporting_is_the_identity_there_and_back(tmp_path):
    """Packs that were simulated, exported and ingested again are the same, byte for byte, and so are their lines."""
    plan = Plan("skip_ring", "skip_ring", (2, 3), 8, seed=2, settle=1, commands=COMMANDS)
    simulate_packs(plan, tmp_path / "packs", 4, local(1), quiet)
    export(tmp_path / "packs", (), tmp_path / "lines")
    ingest(find_sources([tmp_path / "lines"]), tmp_path / "again", 4, 1, quiet)
    assert everything_in(tmp_path / "again") == everything_in(tmp_path / "packs")
    export(tmp_path / "again", (), tmp_path / "lines again")
    assert everything_in(tmp_path / "lines again") == everything_in(tmp_path / "lines")
