"""`gomboc report`: make one page for a browser of traces or verdicts."""

from pathlib import Path

import click

from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.document import json_document
from gomboc.checker.cli.paths import EXISTING, TRACE
from gomboc.checker.cli.without_effect import refuse
from gomboc.checker.core.apart import check_apart
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import new_file, write_whole
from gomboc.checker.core.protocol_option import protocol_option
from gomboc.checker.judge.naive import Options
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.traces.trace_files import STANDARD_INPUT


@click.command("report")
@click.argument("paths", nargs=-1, required=True, type=TRACE, metavar="PATH...")
@click.option(
    "--output", required=True, type=EXISTING, metavar="FILE", help="The page, with a name that ends in .html; or .svg."
)
@click.option("--overwrite", is_flag=True, help="Replace the file that is there.")
@completion.variant_option("Judge traces by a rule as printed.")
@click.option("--bound", type=click.IntRange(min=0), help="Rounds within which a run must become legitimate.")
@click.option("--step", type=click.IntRange(min=0), help="Show the steps of a long trace around this one.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(
    paths: tuple[Path, ...],
    output: Path,
    overwrite: bool,
    variant: str | None,
    bound: int | None,
    step: int | None,
    form: str,
) -> int:
    """Make one HTML file of a trace, a folder of traces, the verdicts of a replay, or the JSON of another command.

    PATH may be - for standard input. It needs no network. Of a long trace, it shows the steps around the first
    violation, or around --step. Of one trace, an output that ends in .svg is a picture in four frames instead.

    Exit codes: 0 it is written, with any verdicts, 2 usage.
    """
    if output.suffix not in (".html", ".svg"):
        raise UsageError(f"{output}: a report is a page or a picture; let its name end in .html or .svg.")
    check_apart(output, paths)
    with new_file(output, overwrite):
        text, verdict = _drawn(paths, output, Options(variant, bound), step)
        write_whole(output, text.encode())
    content = {"output": str(output), "of": verdict}
    click.echo(json_document("report", None, content) if form == "json" else f"{output}: {verdict}.")
    return HOLDS


def _drawn(paths: tuple[Path, ...], output: Path, options: Options, step: int | None) -> tuple[str, str]:
    """The text of the file, and the worst verdict on its contents."""
    from gomboc.checker.report.page.page import page, worst
    from gomboc.checker.report.page.sections import sections_of
    from gomboc.checker.report.page.stills import strip_of

    if output.suffix == ".svg":
        if len(paths) != 1 or not (paths[0] == STANDARD_INPUT or paths[0].is_file()):
            raise UsageError(f"{output}: a picture is of one trace; name one, or let the output end in .html.")
        if step is not None:
            raise UsageError(f"{output}: a picture has no steps to choose; leave out --step, or write an .html.")
        return strip_of(paths[0], options), "four frames"
    sections = [section for path in paths for section in sections_of(path, options, step)]
    if not any(section.shows_a_trace for section in sections):
        refuse(("variant", "bound", "step"), "where no trace is shown, and verdicts are as they were given")
    return page(sections, [str(path) for path in paths]), worst(sections)
