"""Columns of stored verdicts: those of a `Row`, and further ones for a trace in a pack."""

from collections.abc import Iterable

import msgspec

from gomboc.checker.core.arrow import pa
from gomboc.checker.summary.verdict_row import Row

OF_ROWS = pa.schema(
    [
        ("trace", pa.string()),
        ("verdict", pa.string()),
        ("spec", pa.string()),
        ("protocol", pa.string()),
        ("members", pa.int32()),
        ("steps", pa.int64()),
        ("conformance", pa.string()),
        ("closure", pa.string()),
        ("convergence", pa.string()),
        ("rounds", pa.int32()),
        ("rounds_after", pa.int32()),
        ("step", pa.int64()),
        ("rule", pa.string()),
        ("error", pa.string()),
        ("judgement", pa.string()),
    ]
)
"""The fields of `Row`."""

IN_PACKS = pa.schema([*OF_ROWS, ("conjunct", pa.string()), ("steps_until", pa.int64()), ("pack", pa.string())])
"""The columns of `Row`, the false conjunct, the steps from the start or last command to legitimacy, and the pack."""

IN_SPARK = {pa.string(): "string", pa.int32(): "int", pa.int64(): "bigint"}


def in_spark(schema: pa.Schema) -> str:
    """A schema in Spark's notation."""
    return ", ".join(f"{field.name} {IN_SPARK[field.type]}" for field in schema)


def as_batch(rows: Iterable[Row]) -> pa.RecordBatch:
    """Rows in columns."""
    return pa.RecordBatch.from_pylist([msgspec.structs.asdict(row) for row in rows], schema=OF_ROWS)
