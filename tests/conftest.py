"""Setup shared by the tests: the effort of Hypothesis, and the one Spark session."""

import gc
import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

from tests import browsing
from tests.sampling import THOROUGH, share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# No deadline: on a machine that does other work too, how long one example takes says nothing.
settings.register_profile("default", deadline=None, print_blob=True, max_examples=share(100))
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
# Where it matters only whether a test fails, the first example that makes it fail is enough.
settings.register_profile("first", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate))
settings.load_profile("ci" if os.environ.get("CI") else "default")

# What a test judges is not known from another one, unless it says so.
os.environ["GOMBOC_NO_STORE"] = "1"

# Nothing of what is imported and collected is garbage: the collector of cycles begins with the first test.
gc.disable()

# Whoever runs tests in the background may have them ignore these, and so would all that they start.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


@pytest.hookimpl(tryfirst=True)  # before the plugin that distributes tests reads the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give a file's tests to one process, which makes their shared fixtures once; and all that need Spark to another.

    Files that share slow fixtures say so, by a group of their own. Slow tests are left to `make thorough`.
    Files that are long begin early, so that no process works on one alone while the others have nothing left.
    """
    browsing.mark(items)
    if not THOROUGH:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("dear")])
        items[:] = [item for item in items if not item.get_closest_marker("dear")]
    for item in items:
        needs_spark = item.get_closest_marker("spark") is not None or "spark" in getattr(item, "fixturenames", ())
        if needs_spark or item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group("spark" if needs_spark else str(item.path)))
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """All that was collected stays until the end: the garbage collector need not look at it again and again.

    Of the objects that a test makes, models above all, few are garbage in cycles: they are looked at less often, too.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests ran in a browser."""
    if line := browsing.summary(terminalreporter.stats):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    """The session that all tests share: a process holds one at a time, and it takes ten seconds to start."""
    from gomboc.checker.replay.spark import spark_session

    with spark_session("local[2]", quick=True) as session:
        yield session
