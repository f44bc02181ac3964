"""`gomboc new-protocol`: write a working skeleton of a protocol."""

from pathlib import Path

import click

from gomboc.checker.core.phrases import counted
from gomboc.checker.skeleton.write import is_checkout, write


@click.command("new-protocol")
@click.argument("name")
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write into; in a checkout of gomboc, each part goes to its folder. [default: NAME]",
)
def command(name: str, into: Path | None) -> int:
    """Write a protocol NAME that works: specification, implementation, a golden trace, a model, a claim, and tests.

    Exit codes: 0 written, 2 usage.
    """
    root = into or Path(name)
    written = write(name, root)
    click.echo(f"{root}: {counted(len(written), 'file')}. Next:")
    install = "make setup" if is_checkout(root) else f"pip install -e {root}"
    tests = next(path.parent for path in written if path.name.startswith("test_"))
    click.echo(f"  {install}\n  pytest {tests}")
    return 0
