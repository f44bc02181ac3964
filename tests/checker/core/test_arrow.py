"""PyArrow is used without pandas, which can still be imported."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from gomboc.checker.core.arrow import pa, read_parquet
pa.parquet.write_table(pa.table({"x": ["a", None], "y": [1, 2]}), sys.argv[1])
print(read_parquet(sys.argv[1], ["x"]).to_pydict())
print("pandas" in sys.modules)
import pandas
print(pandas.DataFrame({"x": [1]}).x.sum())
"""


def test_pandas_stays_out_until_somebody_wants_it(tmp_path):
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "table.parquet")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["{'x': ['a', None]}", "False", "1"]


def test_no_other_module_reads_tables_for_which_pyarrow_looks_for_pandas():
    checker = Path(__file__).resolve().parents[3] / "checker"
    assert [path.name for path in checker.rglob("*.py") if "parquet.read_table(" in path.read_text()] == ["arrow.py"]
