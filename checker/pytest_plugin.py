"""Traces as tests: `pytest --gomboc-traces DIR` makes a test of each trace, or of a corpus and each of its clusters."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

if TYPE_CHECKING:
    from gomboc.checker.summary.clusters import Cluster


PROTOCOLS = "GOMBOC_PROTOCOLS"
"""The environment variable with the protocols that the caller has named, as the registry reads it."""

MANIFEST = "manifest.json"
"""The file that makes a folder a corpus."""

NAMED = pytest.StashKey[str]()
"""The value of that variable when pytest began."""


class TraceViolationError(Exception):
    """The judge's explanation of a trace that does not hold."""


class TraceItem(pytest.Item):
    """One trace, or one kind of failure of a corpus. It fails with the judge's explanation, unless the trace holds."""

    def __init__(self, *, says: str | None = None, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._says = says

    def runtest(self) -> None:
        """Judge the trace, or report the failure that was found when the corpus was judged."""
        says = self._says
        if says is None:
            with _only_named(self.config):
                says = _judged(self.path, self.config.invocation_params.dir)
        if says:
            raise TraceViolationError(says)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The explanation, without the stack of calls that led to it."""
        if isinstance(excinfo.value, TraceViolationError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The location of the test."""
        return self.path, 0, self.name


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that names a folder of traces, or a corpus."""
    group = parser.getgroup("gomboc")
    group.addoption(
        "--gomboc-traces", metavar="DIR", action="append", default=[], help="Make a test of each trace in DIR."
    )


class TraceFile(pytest.File):
    """A trace: one test."""

    def collect(self) -> Iterator[TraceItem]:
        """The test of the trace."""
        yield _item(self, self.path, "trace")


class CorpusFile(pytest.File):
    """The manifest of a corpus: a test of the whole, and one of each kind of failure.

    It is a file because pytest cannot select a single test of a folder by its id.
    """

    def collect(self) -> Iterator[TraceItem]:
        """The tests."""
        from gomboc.checker.core.errors import UsageError

        try:
            with _only_named(self.config):
                items = _corpus(self, self.path.parent)
            yield from items
        except UsageError as error:
            raise self.CollectError(f"--gomboc-traces: {error}") from error


def pytest_configure(config: pytest.Config) -> None:
    """Make pytest collect the named folders, unless a test is selected by its id."""
    folders = _folders(config)
    if not folders:
        return
    from gomboc.checker.core.errors import UsageError

    try:
        for folder in folders:
            _check_folder(folder)
        for folder in folders:
            _read_table(folder, config.rootpath)
    except UsageError as error:
        raise pytest.UsageError(f"--gomboc-traces: {error}") from error
    config.stash[NAMED] = os.environ.get(PROTOCOLS, "")
    if any("::" in arg for arg in config.args):
        return
    asked = [Path(config.invocation_params.dir, arg.partition("::")[0]).resolve() for arg in config.args]
    config.args += [
        str(folder)
        for folder in folders
        if not any(folder.is_relative_to(path) or path.is_relative_to(folder) for path in asked)
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect every file in a named folder, and the folders that lead there, even if pytest would ignore them."""
    folders = _folders(config)
    leads = any(folder.is_relative_to(collection_path) for folder in folders)
    return False if leads or _is_named(collection_path, config) else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A trace, or a corpus, in a named folder."""
    if not _is_named(file_path, parent.config):
        return None
    if file_path.name == MANIFEST:
        return CorpusFile.from_parent(parent, path=file_path)
    from gomboc.checker.traces.trace_files import is_trace

    return TraceFile.from_parent(parent, path=file_path) if is_trace(file_path.name) else None


def _folders(config: pytest.Config) -> list[Path]:
    named = config.getoption("--gomboc-traces")
    return [Path(config.invocation_params.dir, folder).resolve() for folder in named]


def _is_named(path: Path, config: pytest.Config) -> bool:
    return any(path.resolve().is_relative_to(folder) for folder in _folders(config))


def _check_folder(folder: Path) -> None:
    """Raise UsageError if there is no trace in a folder."""
    from gomboc.checker.core.errors import UsageError
    from gomboc.checker.traces.trace_files import NO_TRACE, traces_below

    if not (folder / MANIFEST).exists() and not traces_below(folder):
        raise UsageError(f"{folder.name}: {NO_TRACE}")


def _read_table(traces: Path, root: Path) -> None:
    """Register the protocol of the nearest [tool.gomboc] above some traces, or else that of the root.

    Raises UsageError if the table makes no sense, or if its protocol cannot be used.
    """
    from gomboc.checker.core.protocol_option import add_protocol
    from gomboc.checker.gate.table import read_top

    for folder in _above(traces, root):
        top = read_top(folder)
        if top is not None:
            if ":" in top.protocol:
                sys.path[:0] = [str(folder / name) for name in top.pythonpath]
                add_protocol(top.protocol)
            return


def _above(traces: Path, root: Path) -> Iterator[Path]:
    """The folder of some traces and those above it, up to the root folder of pytest or of the repository; the root."""
    for folder in (traces, *traces.parents):
        yield folder
        if folder == root or (folder / ".git").exists():
            break
    yield root


@contextmanager
def _only_named(config: pytest.Config) -> Iterator[None]:
    """Restore the protocols that were named when pytest began, without those that a test has named since."""
    from gomboc.spec.core.registry import forget

    now = os.environ.get(PROTOCOLS, "")
    try:
        os.environ[PROTOCOLS] = config.stash[NAMED]
        forget()
        yield
    finally:
        os.environ[PROTOCOLS] = now
        forget()


def _item(parent: pytest.Collector, path: Path, name: str, says: str | None = None) -> TraceItem:
    item = TraceItem.from_parent(parent, name=name, path=path, says=says)
    assert isinstance(item, TraceItem), "from_parent makes what it is called on"
    return item


def _judged(path: Path, here: Path) -> str:
    """The judge's explanation of a trace that does not hold; "" if it holds."""
    from gomboc.checker.core.errors import UsageError
    from gomboc.checker.judge.naive import DEFAULT
    from gomboc.checker.summary.repro_command import check_again

    try:
        return _explained(path, check_again(os.path.relpath(path, here), DEFAULT))
    except UsageError as error:
        return str(error)


def _explained(path: Path, again: str) -> str:
    from gomboc.checker.judge.naive import judge_file
    from gomboc.checker.report.scene import scenes
    from gomboc.checker.report.text import lines

    judgement = judge_file(path)
    if not judgement.exit_code():
        return ""
    wrong = [violation.step for violation in judgement.violations() if violation.node]
    return "\n".join(lines(judgement, again, scenes(path, wrong)))


def _corpus(parent: pytest.Collector, folder: Path) -> list[TraceItem]:
    """A test that the corpus holds and covers enough, and one for each kind of failure in it."""
    from gomboc.checker.judge.naive import DEFAULT
    from gomboc.checker.replay.run.local import LocalPool
    from gomboc.checker.replay.run.replay import How, replay_corpus
    from gomboc.checker.report.table import table
    from gomboc.checker.summary.repro_command import stranger_words

    here = parent.config.invocation_params.dir
    again = shlex.join(["gomboc", "replay", *stranger_words(), os.path.relpath(folder, here)])
    with TemporaryDirectory() as target:
        summary = replay_corpus(folder, DEFAULT, How(Path(target) / "verdicts"), LocalPool(1))
        clusters = [
            _item(parent, folder, _name(cluster), _explained(Path(cluster.witness), again))
            for cluster in summary.clusters
            if cluster.witness
        ]
    whole = table(msgspec.structs.replace(summary, clusters=(), example=None), "one process")
    says = f"{whole}\n  reproduce: {again}" if summary.exit_code() else ""
    return [_item(parent, folder, "corpus", says), *clusters]


def _name(cluster: "Cluster") -> str:
    return " ".join(filter(None, (cluster.rule, cluster.conjunct)))
