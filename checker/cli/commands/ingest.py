"""`gomboc ingest`: put traces in JSON Lines into a corpus of packs."""

import os
from pathlib import Path

import click

from gomboc.checker.cli.paths import EXISTING, TRACE
from gomboc.checker.cli.written import say_written
from gomboc.checker.core.apart import check_apart
from gomboc.checker.core.progress import progress
from gomboc.checker.core.protocol_option import protocol_option
from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.stacks.recorded import stacks_below


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, type=TRACE, metavar="PATH...")
@click.option("--output", required=True, type=EXISTING, metavar="DIR", help="The folder for the corpus.")
@click.option("--overwrite", is_flag=True, help="Replace the corpus that is there.")
@click.option("--pack-size", type=click.IntRange(min=1), metavar="TRACES", help="Traces in a pack. [default: 10000]")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes. [default: one per core]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(
    paths: tuple[Path, ...], output: Path, overwrite: bool, pack_size: int | None, jobs: int | None, form: str
) -> int:
    """Put traces of one protocol, files or folders, into a corpus of packs; - is standard input.

    A bad trace is taken as it is; a trace that cannot be read is refused, and nothing is written.
    Runs of a stack below one folder become a corpus for each layer.
    """
    from gomboc.checker.replay.pack.corpus import PACK_SIZE
    from gomboc.checker.replay.pack.ingest import find_sources, ingest

    if len(paths) == 1 and paths[0].is_dir() and stacks_below(paths[0]):
        from gomboc.checker.stacks.pack import ingest_stacks

        check_apart(output, paths)
        with progress("reading pieces") as report:
            written = ingest_stacks(
                paths[0], output, pack_size or PACK_SIZE, jobs or os.cpu_count() or 1, report, overwrite
            )
        say_written("ingest", form, output, traces=written.traces, packs=written.packs, steps=written.steps)
        return HOLDS
    sources = find_sources(paths)
    check_apart(output, (Path(source.path) for source in sources))
    with progress("reading pieces") as report:
        manifest = ingest(sources, output, pack_size or PACK_SIZE, jobs or os.cpu_count() or 1, report, overwrite)
    counts = manifest.counts
    say_written("ingest", form, output, traces=counts.traces, packs=len(manifest.packs), steps=counts.events)
    return HOLDS
