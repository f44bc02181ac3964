"""PyArrow without pandas: nothing of ours uses the two together, and importing pandas takes a third of a second."""

import sys
from collections.abc import Sequence

import pyarrow as pa

__all__ = ["pa"]


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
