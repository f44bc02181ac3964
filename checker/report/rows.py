"""Verdicts that were written as Parquet."""

from pathlib import Path

import msgspec

from gomboc.checker.summary.verdict_row import Row


def read_rows(folder: Path) -> list[Row]:
    """The verdicts in a folder of Parquet files."""
    from gomboc.checker.core.arrow import read_parquet

    return [msgspec.convert(row, Row) for row in read_parquet(folder).to_pylist()]
