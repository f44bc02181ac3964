"""Traces as tests: `pytest --gomboc-traces DIR` makes a test of each trace, or of a corpus and each of its clusters."""

import shlex
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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each trace of the folders that are named, before any are deselected."""
    for folder in config.getoption("--gomboc-traces"):
        items.extend(_items(session, Path(folder)))


def _items(session: pytest.Session, folder: Path) -> Iterator[TraceItem]:
    from gomboc.checker.errors import UsageError
    from gomboc.checker.folder import files_below

    try:
        if folder.is_dir() and (folder / "manifest.json").exists():
            found = _corpus(session, folder)
        else:
            found = [_item(session, path, str(path)) for path in files_below(folder, ".jsonl")]
    except UsageError as error:
        raise pytest.UsageError(f"--gomboc-traces: {error}") from error
    if not found:
        raise pytest.UsageError(
            f"--gomboc-traces: {folder}: there is no trace in it; traces are files that end in .jsonl."
        )
    yield from found


def _item(session: pytest.Session, path: Path, name: str, says: str | None = None) -> TraceItem:
    item = TraceItem.from_parent(session, name=name, nodeid=name, path=path, says=says)
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


def _corpus(session: pytest.Session, folder: Path) -> list[TraceItem]:
    """A test that the corpus holds and covers enough, and one for each kind of failure in it."""
    from gomboc.checker.again import stranger_words
    from gomboc.checker.judge.naive import DEFAULT
    from gomboc.checker.replay.run.local import Local
    from gomboc.checker.replay.run.replay import How, replay_corpus
    from gomboc.checker.report.table import table

    again = shlex.join(["gomboc", "replay", *stranger_words(), str(folder)])
    with TemporaryDirectory() as target:
        summary = replay_corpus(folder, DEFAULT, How(Path(target) / "verdicts"), Local(1))
        clusters = [
            _item(session, folder, f"{folder}::{_name(each)}", _explained(Path(each.witness), again))
            for each in summary.clusters
            if each.witness
        ]
    whole = table(msgspec.structs.replace(summary, clusters=(), example=None), "one process")
    says = f"{whole}\n  again: {again}" if summary.exit_code() else ""
    return [_item(session, folder, str(folder), says), *clusters]


def _name(cluster: "Cluster") -> str:
    return " ".join(filter(None, (cluster.rule, cluster.conjunct)))
