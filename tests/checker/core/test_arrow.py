"""PyArrow is used without pandas, which can still be imported."""

import subprocess
import sys

PROGRAM = """
import sys
from gomboc.checker.core.arrow import pa
pa.array(["a", None])
print("pandas" in sys.modules)
import pandas
print(pandas.DataFrame({"x": [1]}).x.sum())
"""


def test_pandas_stays_out_until_somebody_wants_it():
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "1"]
