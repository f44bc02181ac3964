"""`gomboc export`: traces of a pack or a corpus as JSON Lines, and any trace in the forms that other viewers read."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from gomboc.checker.cli.paths import EXISTING, TRACE
from gomboc.checker.cli.written import say_written
from gomboc.checker.core.apart import check_outside
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import only_writer, write_whole
from gomboc.checker.core.protocol_option import protocol_option
from gomboc.checker.judge.naive import DEFAULT, judge_file
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.traces.trace_files import STANDARD_INPUT, trace_name, traces_below

LINES = "jsonl"


@click.command("export")
@click.argument("source", type=TRACE, metavar="CORPUS|PACK|TRACE")
@click.argument("names", nargs=-1, metavar="[TRACE]...")
@click.option("--output", required=True, type=EXISTING, metavar="DIR", help="The folder for the traces.")
@click.option(
    "--as",
    "kind",
    type=click.Choice([LINES, "itf", "shiviz", "mermaid", "perfetto"]),
    default=LINES,
    show_default=True,
    help="As traces, or for the viewers of Quint and Apalache, ShiViz, Mermaid, or Perfetto.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(source: Path, names: tuple[str, ...], output: Path, kind: str, form: str) -> int:
    """Write traces of a corpus, or of one pack, as the recorder would have written them: those named, or all.

    With --as they are written for another viewer instead; SOURCE may then be one trace, or - for standard
    input. Mermaid has 40 steps of it, around the violation. Each file is whole or absent; one of the same name is
    replaced.
    """
    check_outside(output, source)
    if kind == LINES:
        written = _exported(source, names, output)
    else:
        with TemporaryDirectory() as folder, only_writer(output):
            written = sum(_convert(path, output, kind) for path in _traces(source, names, Path(folder)))
    say_written("export", form, output, traces=written)
    return HOLDS


def _exported(source: Path, names: tuple[str, ...], output: Path) -> int:
    from gomboc.checker.replay.pack.export import export

    return export(source, names, output)


def _traces(source: Path, names: tuple[str, ...], folder: Path) -> Iterator[Path]:
    """The traces to convert: a file, or those of a corpus, which are exported into the folder first."""
    if source == STANDARD_INPUT or source.is_file():
        if names:
            raise UsageError(f"{source}: it is one trace, so none can be chosen of it: give no names.")
        yield source
        return
    _exported(source, names, folder)
    yield from traces_below(folder)


def _convert(path: Path, output: Path, kind: str) -> int:
    from gomboc.checker.report.formats import FORMATS
    from gomboc.checker.report.formats.events import story_of

    ending, write = FORMATS[kind]
    text = write(story_of(path), judge_file(path, DEFAULT))
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{output}: {error.strerror}.") from error
    write_whole(output / f"{trace_name(path.name)}{ending}", text.encode())
    return 1
