"""PyArrow is used without pandas, which can still be imported."""

import subprocess
import sys
from pathlib import Path

import pytest

from gomboc.checker.core.arrow import pa, read_parquet

PROGRAM = """
import sys
from pathlib import Path
from gomboc.checker.core.arrow import pa, read_parquet
pa.parquet.write_table(pa.table({"x": ["a", None], "y": [1, 2]}), sys.argv[1])
print(read_parquet(Path(sys.argv[1]), ["x"]).to_pydict())
print("pandas" in sys.modules, "pyarrow.dataset" in sys.modules)
import pandas
print(pandas.DataFrame({"x": [1]}).x.sum())
"""


def test_pandas_stays_out_until_somebody_wants_it(tmp_path):
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "table.parquet")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["{'x': ['a', None]}", "False False", "1"]


def test_a_file_and_a_folder_of_files_are_read_alike(tmp_path):
    table = pa.table({"x": ["a", None], "y": [1, 2]})
    pa.parquet.write_table(table, tmp_path / "table.parquet")
    for path in (tmp_path, tmp_path / "table.parquet"):
        assert read_parquet(path).equals(table)
        assert read_parquet(path, ["y"]).to_pydict() == {"y": [1, 2]}
        with pytest.raises(pa.ArrowException, match="z"):
            read_parquet(path, ["y", "z"])


@pytest.mark.parametrize(("content", "error"), [(None, OSError), (b"", pa.ArrowException), (b"no", pa.ArrowException)])
def test_a_file_that_is_no_table_is_an_error(content, error, tmp_path):
    path = tmp_path / "table.parquet"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error):
        read_parquet(path)


def test_no_other_module_reads_tables_for_which_pyarrow_looks_for_pandas():
    checker = Path(__file__).resolve().parents[3] / "checker"
    assert [path.name for path in checker.rglob("*.py") if "parquet.read_table(" in path.read_text()] == ["arrow.py"]
