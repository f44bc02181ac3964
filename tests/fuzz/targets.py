"""Targets of fuzzing: each reader accepts a text, and keeps all of it, or refuses it in one sentence."""

import atexit
import json
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import click
import msgspec

from gomboc.checker.cli.commands.gate import options_of_stages
from gomboc.checker.cli.parameters import NamedValue
from gomboc.checker.cli.paths import Seconds
from gomboc.checker.cli.planned import CommandAt, NodeCounts
from gomboc.checker.core.errors import UsageError
from gomboc.checker.gate.table import FILE, read_table
from gomboc.checker.judge.naive import DEFAULT, Options, judge
from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.report.formats import FORMATS
from gomboc.checker.report.formats.events import story_of
from gomboc.checker.report.page.sections import sections_of
from gomboc.checker.traces.trace import TraceReader
from gomboc.impl.api.registry import implementations
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.errors import UsageError as ImplementationUsageError
from tests.checker.cli.command import gomboc
from tests.checker.gate.project import SAMPLE

TRACES = Path(__file__).resolve().parents[2] / "traces"
LONGEST_SEED = 20_000
"""Bytes of a golden trace that is taken for a seed, at most: changes of a longer one are seldom near anything."""


class BrokenError(Exception):
    """A reader neither accepted nor refused a text; the error says its behaviour."""


class Target(msgspec.Struct, frozen=True):
    """A reader: texts that it accepts, and how it is called; it returns, or raises one of `refusals`."""

    seeds: Callable[[], list[bytes]]
    read: Callable[[bytes], None]
    refusals: tuple[type[Exception], ...] = (UsageError,)

    def outcome(self, text: bytes) -> str:
        """Whether a text is accepted or refused. Raises BrokenError if it is neither."""
        try:
            self.read(text)
        except self.refusals as error:
            said = error.format_message() if isinstance(error, click.ClickException) else str(error)
            if not said or "\n" in said.strip("\n") or len(said) > 4_000:
                raise BrokenError(f"it refuses with no sentence: {said[:200]!r}") from error
            return "refused"
        except BrokenError:
            raise
        except Exception as error:
            raise BrokenError(f"it raises {type(error).__name__}: {error}"[:300]) from error
        return "accepted"


@cache
def golden() -> list[bytes]:
    """Golden traces that are not long."""
    paths = sorted(TRACES.rglob("*.jsonl"))
    return [path.read_bytes() for path in paths if path.stat().st_size <= LONGEST_SEED]


def read_trace(text: bytes) -> None:
    """A trace is read and judged, and written for other viewers; nothing that it says is passed over."""
    reader = TraceReader(Path("a trace"), BytesIO(text))
    steps = [*reader.steps()]
    said = [json.loads(line, object_pairs_hook=_once) for line in text.splitlines()]
    for said_step, step in zip(said[1:], steps, strict=True):
        _check_kept(said_step, step, ("node", "took", "coin", "at", "received", "delivered"))
    _check_kept(said[0], reader.header, ("roles", "parameters", "bound"))
    judgement = judge(TraceReader(Path("a trace"), BytesIO(text)), Options(bound=3))
    for _, write in FORMATS.values():
        write(_story(text), judgement)


def _story(text: bytes) -> Any:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        path.write_bytes(text)
        return story_of(path)


def _once(pairs: Any) -> dict[str, Any]:
    """An object. Raises BrokenError for a key that is there twice, of which every reader has one only."""
    if len(dict(pairs)) < len(pairs):
        raise BrokenError(f"it accepts a key twice: {[key for key, _ in pairs]}")
    return dict(pairs)


def _check_kept(accepted: Any, read: Any, keys: Sequence[str]) -> None:
    """Raise BrokenError if a line says something that the reader has otherwise, or not at all."""
    kept = json.loads(msgspec.json.encode(read))
    for key in keys:
        if key in accepted and accepted[key] != kept.get(key) and accepted[key] not in ([], None):
            raise BrokenError(f"it reads {key} {accepted[key]!r} as {kept.get(key)!r}")


@cache
def kept_folder() -> Path:
    """A folder that is there as long as this process is."""
    folder = mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def corpus() -> tuple[Path, list[bytes]]:
    """A small corpus, and the lines of its traces."""
    folder = kept_folder() / "corpus"
    words = ("skip_ring", "--nodes", "1", "--traces", "2", "--rounds", "3", "--into", "packs", "--output", folder)
    assert gomboc("simulate", *words).code == 0
    return folder, exported(folder)


def exported(folder: Path) -> list[bytes]:
    """All lines of the traces of a corpus."""
    return [line for pack in open_corpus(folder).packs() for _, lines in Exporter(pack).traces() for line in lines]


def paths_of(folder: Path) -> list[Path]:
    """The files of a corpus, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".gomboc")


def files() -> list[bytes]:
    """The files of the small corpus, each with its number in front."""
    return [bytes([number]) + path.read_bytes() for number, path in enumerate(paths_of(corpus()[0]))]


def read_corpus(text: bytes) -> None:
    """A corpus with one file of that content: it is read as it was written, or refused."""
    folder, lines = corpus()
    with TemporaryDirectory() as index:
        copy = Path(shutil.copytree(folder, Path(index) / "corpus"))
        paths = paths_of(copy)
        path = paths[text[0] % len(paths)] if text else paths[0]
        path.write_bytes(text[1:])
        if exported(copy) != lines:
            raise BrokenError(f"{path.name} is accepted, and the traces are others")


def read_project(text: bytes) -> None:
    """The pyproject.toml of a project."""
    with TemporaryDirectory() as folder:
        (Path(folder) / FILE).write_bytes(text)
        read_table(Path(folder), options_of_stages())


def read_words(text: bytes) -> None:
    """The values of options: an accepted one is accepted again as it is shown."""
    kind, _, word = text.decode("utf-8", "surrogateescape").partition(" ")
    WORDS.get(kind, NodeCounts()).convert(word, None, None)


WORDS: dict[str, click.ParamType[Any]] = {
    "nodes": NodeCounts(),
    "command": CommandAt(),
    "parameter": NamedValue(),
    "seconds": Seconds(),
}
SAID = [b"nodes 1..16", b"nodes 2,4,8", b"command 20:v3:Unsubscribe", b'command 2:v3:{"kind": "Publish", "key": "0"}']
SAID += [b"parameter chunk=64", b'parameter a={"b": [1]}', b"seconds 60", b"seconds 1e-3"]


def read_finding(text: bytes) -> None:
    """JSON output of a command, for the page."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "found.json"
        path.write_bytes(text)
        for _ in sections_of(path, DEFAULT):
            pass


@cache
def findings() -> list[bytes]:
    """JSON outputs of commands."""
    trace = min(TRACES.rglob("*.bad.jsonl"))
    replayed = ("replay", corpus()[0], "--output", kept_folder() / "verdicts", "--overwrite")
    said = [gomboc(*words, "--format", "json").out for words in (("check", trace), replayed)]
    return [text.encode() for text in said]


def messages() -> list[bytes]:
    """Messages and commands, each with the name of its implementation in front."""
    texts: list[bytes] = []
    for text in golden():
        head, *steps = map(json.loads, text.splitlines())
        sent = [message["message"] for line in (head, *steps) for message in line.get("messages", line.get("sent", ()))]
        taken = [step["took"] for step in steps if isinstance(step["took"], dict)]
        texts += [json.dumps([head["protocol"], value]).encode() for value in (*sent[:3], *taken[:2])]
    return sorted(set(texts))


def read_message(text: bytes) -> None:
    """Input of an implementation from a peer or an application: it is read, and written as it was read."""
    try:
        name, value = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError("It is no message of the fuzzer's.") from error
    made = implementations().get(name) if isinstance(name, str) else None
    if made is None:
        raise UsageError("It is no message of the fuzzer's.")
    for read in (made.decode, made.decode_command):
        try:
            value_read = read(json.dumps(value).encode())
        except (PeerError, ImplementationUsageError):
            continue
        if read(msgspec.json.encode(value_read)) != value_read:
            raise BrokenError(f"{value!r} is read, and read otherwise when it is written again")


TARGETS = {
    "trace": Target(golden, read_trace),
    "corpus": Target(files, read_corpus),
    "project": Target(lambda: [(SAMPLE / FILE).read_bytes()], read_project),
    "words": Target(lambda: SAID, read_words, (UsageError, click.UsageError)),
    "finding": Target(findings, read_finding),
    "message": Target(messages, read_message),
}
