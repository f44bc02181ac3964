"""Traces as tests: `pytest --gomboc-traces DIR` makes a test of each trace, or of a corpus and each of its clusters."""

import os
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

if TYPE_CHECKING:
    from gomboc.checker.report.clusters import Cluster


class NotRightError(Exception):
    """What the judge says of a trace that does not hold."""


class TraceItem(pytest.Item):
    """One trace, or one kind of failure of a corpus. It fails with the judge's explanation, unless the trace holds."""

    def __init__(self, *, says: str | None = None, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._says = says

    def runtest(self) -> None:
        """Judge the trace, or say what was found when the corpus was judged."""
        says = _judged(self.path) if self._says is None else self._says
        if says:
            raise NotRightError(says)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The explanation, without the stack of calls that led to it."""
        if isinstance(excinfo.value, NotRightError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it is."""
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


class CorpusDirectory(pytest.Directory):
    """A corpus: a test of the whole, and one of each kind of failure."""

    def collect(self) -> Iterator[TraceItem]:
        """The tests."""
        from gomboc.checker.errors import UsageError

        try:
            yield from _corpus(self, self.path)
        except UsageError as error:
            raise self.CollectError(f"--gomboc-traces: {error}") from error


def pytest_configure(config: pytest.Config) -> None:
    """Have pytest collect the folders that are named, unless a test in them is asked for by its id."""
    folders = _folders(config)
    if not folders:
        return
    from gomboc.checker.errors import UsageError

    try:
        for folder in folders:
            _check_folder(folder)
        _read_table(config.rootpath)
    except UsageError as error:
        raise pytest.UsageError(f"--gomboc-traces: {error}") from error
    asked = [Path(config.invocation_params.dir, arg.partition("::")[0]).resolve() for arg in config.args]
    config.args += [
        str(folder)
        for folder in folders
        if not any(folder.is_relative_to(path) or path.is_relative_to(folder) for path in asked)
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Nothing in a folder that is named is ignored, nor is a folder that leads there."""
    folders = _folders(config)
    leads = any(folder.is_relative_to(collection_path) for folder in folders)
    return False if leads or _is_named(collection_path, config) else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A trace in a folder that is named."""
    if file_path.suffix == ".jsonl" and _is_named(file_path, parent.config):
        return TraceFile.from_parent(parent, path=file_path)
    return None


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A corpus in a folder that is named."""
    if _is_named(path, parent.config) and (path / "manifest.json").exists():
        return CorpusDirectory.from_parent(parent, path=path)
    return None


def _folders(config: pytest.Config) -> list[Path]:
    named = config.getoption("--gomboc-traces")
    return [Path(config.invocation_params.dir, folder).resolve() for folder in named]


def _is_named(path: Path, config: pytest.Config) -> bool:
    return any(path.resolve().is_relative_to(folder) for folder in _folders(config))


def _check_folder(folder: Path) -> None:
    """Raise UsageError if there is no trace in a folder."""
    from gomboc.checker.errors import UsageError
    from gomboc.checker.folder import files_below

    if not (folder / "manifest.json").exists() and not files_below(folder, ".jsonl"):
        raise UsageError(f"{folder.name}: there is no trace in it; traces are files that end in .jsonl.")


def _read_table(root: Path) -> None:
    """Have the protocol that [tool.gomboc] names be known, whatever other tests import."""
    from gomboc.checker.cli.strangers import add_protocol

    path = root / "pyproject.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("gomboc", {}) if path.exists() else {}
    if ":" in table.get("protocol", ""):
        sys.path[:0] = [str(root / folder) for folder in table.get("pythonpath", ["."])]
        add_protocol(table["protocol"])


def _item(parent: pytest.Collector, path: Path, name: str, says: str | None = None) -> TraceItem:
    item = TraceItem.from_parent(parent, name=name, path=path, says=says)
    assert isinstance(item, TraceItem), "from_parent makes what it is called on"
    return item


def _judged(path: Path) -> str:
    """What is wrong with a trace, in the words of the judge; "" if it holds."""
    from gomboc.checker.again import check_again
    from gomboc.checker.errors import UsageError
    from gomboc.checker.judge.naive import DEFAULT

    try:
        return _explained(path, check_again(path, DEFAULT))
    except UsageError as error:
        return str(error)


def _explained(path: Path, again: str) -> str:
    from gomboc.checker.judge.naive import judge_file
    from gomboc.checker.report.scene import scenes
    from gomboc.checker.report.text import lines

    judgement = judge_file(path)
    if not judgement.exit_code():
        return ""
    wrong = [each.step for each in judgement.violations() if each.node]
    return "\n".join(lines(judgement, again, scenes(path, wrong)))


def _corpus(parent: pytest.Collector, folder: Path) -> list[TraceItem]:
    """A test that the corpus holds and covers enough, and one for each kind of failure in it."""
    from gomboc.checker.again import stranger_words
    from gomboc.checker.judge.naive import DEFAULT
    from gomboc.checker.replay.run.local import Local
    from gomboc.checker.replay.run.replay import How, replay_corpus
    from gomboc.checker.report.table import table

    again = shlex.join(["gomboc", "replay", *stranger_words(), os.path.relpath(folder)])
    with TemporaryDirectory() as target:
        summary = replay_corpus(folder, DEFAULT, How(Path(target) / "verdicts"), Local(1))
        clusters = [
            _item(parent, folder, _name(each), _explained(Path(each.witness), again))
            for each in summary.clusters
            if each.witness
        ]
    whole = table(msgspec.structs.replace(summary, clusters=(), example=None), "one process")
    says = f"{whole}\n  again: {again}" if summary.exit_code() else ""
    return [_item(parent, folder, "corpus", says), *clusters]


def _name(cluster: "Cluster") -> str:
    return " ".join(filter(None, (cluster.rule, cluster.conjunct)))
