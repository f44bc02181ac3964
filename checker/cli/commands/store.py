"""`gomboc store`: how much is known of steps that were judged before."""

from pathlib import Path

import click

from gomboc.checker.cli.appearance import say
from gomboc.checker.cli.paths import EXISTING
from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.verdict import HOLDS


@click.command("store")
@click.argument("folder", type=EXISTING, required=False, metavar="[DIR]")
@click.option("--clear", "clears", is_flag=True, help="Forget it all.")
def command(folder: Path | None, clears: bool) -> int:
    """Say how large a store of judged steps is, and how often something was found in it.

    `gomboc replay` keeps the digests of steps that a specification allows, so that it judges each of them once. DIR is
    the folder that it was given as --store; without one, that in your cache.
    """
    from gomboc.checker.replay.store.store import check_private, clear, default_folder, hits, size

    place = folder or default_folder()
    if clears:
        check_private(place)
        clear(place)
    files, bytes_ = size(place)
    found = counted(hits(place), "value or step", "values and steps")
    say(f"{place}: {counted(files, 'file')}, {bytes_:,} bytes; {found} found so far.")
    return HOLDS
