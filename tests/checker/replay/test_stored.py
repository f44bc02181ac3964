"""Verdicts are stored as the rows that they are, by whichever engine."""

import msgspec
import pyarrow as pa

from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.replay.stored import IN_PACKS, OF_ROWS, as_batch, in_spark
from gomboc.checker.summary.verdict_row import Row, judge_to_row
from tests.checker import ring

KINDS = {str: pa.types.is_string, str | None: pa.types.is_string, int | None: pa.types.is_integer}


def test_the_columns_are_the_fields_of_a_row_in_their_order_and_of_their_types():
    fields = {field.name: KINDS[field.type] for field in msgspec.structs.fields(Row)}
    assert OF_ROWS.names == [*fields]
    assert all(is_right(OF_ROWS.field(name).type) for name, is_right in fields.items())
    assert [field for field in IN_PACKS if field.name in fields] == [*OF_ROWS]


def test_spark_is_told_of_the_same_columns():
    output = [field.split(" ") for field in in_spark(OF_ROWS).split(", ")]
    assert [name for name, _ in output] == OF_ROWS.names
    assert {name: kind for name, kind in output if kind != "string"} == {
        "members": "int",
        "rounds": "int",
        "rounds_after": "int",
        "steps": "bigint",
        "step": "bigint",
    }


def test_a_row_survives_its_way_through_columns(tmp_path):
    path = tmp_path / "t.jsonl"
    rows = []
    for content in (ring.HOLDS, ring.VIOLATED, ring.UNREADABLE, ring.UNKNOWN):
        path.write_bytes(content)
        rows.append(judge_to_row(str(path), DEFAULT))
    assert [msgspec.convert(row, Row) for row in as_batch(rows).to_pylist()] == rows
    assert as_batch([]).schema == OF_ROWS
