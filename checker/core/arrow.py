"""PyArrow without pandas: nothing of ours uses the two together, and importing pandas takes a third of a second."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

__all__ = ["pa", "read_parquet"]


class _NoPandas:
    """A finder of modules that says that there is no pandas, and leaves all others to the next finder."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> None:
        """Raise ModuleNotFoundError for pandas."""
        del path, target
        if name == "pandas":
            raise ModuleNotFoundError(name, name=name)


def _keep_pandas_out() -> None:
    """Let PyArrow find no pandas. It looks for it once, at the first array that is made of a list.

    Pandas can be imported afterwards, by Spark for instance; only PyArrow's own conversions to it are lost.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_NoPandas)


_keep_pandas_out()


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """The table in a Parquet file or a folder of them, or some of its columns. Raises ArrowException or OSError.

    PyArrow's own way imports what datasets need, which takes longer than to read a file.
    """
    if path.is_dir():
        return pyarrow.parquet.read_table(path, columns=columns)
    with pyarrow.parquet.ParquetFile(path) as file:
        missing = set(columns or ()).difference(file.schema_arrow.names)
        if missing:
            raise pa.ArrowInvalid(f"{path} has no column {min(missing)}")
        return file.read(columns=columns)
