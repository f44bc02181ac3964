"""The command `gomboc`: one file per subcommand, read when it is called, and one boundary for errors."""

import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from gomboc.checker.cli.boundary import BROKEN_PIPE, let_go_of_the_output, run
from gomboc.checker.processes import ending_in_order

COMMANDS = ("simulate", "ingest", "export", "check", "shrink", "replay", "explore", "prove", "errata", "report", "gate")


class Commands(click.Group):
    """Subcommands, each in the module of its name, so that none pays for what another imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The subcommands, in the order in which one uses them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"gomboc.checker.cli.{cmd_name}").command
        assert isinstance(command, click.Command), f"gomboc.checker.cli.{cmd_name}.command is not a command"
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """What the subcommand returns. click would make a broken pipe a sys.exit(1), which tells nobody why."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            let_go_of_the_output()
            return BROKEN_PIPE


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("gomboc"), prog_name="gomboc")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of a fault of gomboc.")
def gomboc() -> None:
    """Hold implementations of self-stabilising overlays against their specifications.

    Exit codes: 0 it holds, 1 it is violated, 2 usage or unreadable input, 3
    unknown, 70 a fault of gomboc itself.
    """


def main() -> None:
    """Run the command line. What is the caller's fault becomes one sentence and exit code 2."""
    with ending_in_order():
        sys.exit(run(lambda: gomboc.main(standalone_mode=False), sys.argv[1:]))
