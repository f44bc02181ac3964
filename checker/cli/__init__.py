"""The command `gomboc`: one file per subcommand, read when it is called, and one boundary for errors."""

import os
import sys
from importlib import import_module
from importlib.metadata import version

import click

from checker.errors import SparkJobError, UsageError
from checker.judge.verdict import UNKNOWN, USAGE

BROKEN_PIPE = 141
"""The exit code of a command whose output nobody reads any more, as shells have it."""

COMMANDS = ("simulate", "ingest", "export", "check", "replay", "explore", "prove", "errata")


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
        command = import_module(f"checker.cli.{cmd_name}").command
        assert isinstance(command, click.Command), f"checker.cli.{cmd_name}.command is not a command"
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("gomboc"), prog_name="gomboc")
def gomboc() -> None:
    """Hold implementations of self-stabilising overlays against their specifications.

    Exit codes: 0 it holds, 1 it is violated, 2 usage or unreadable input, 3 unknown.
    """


def main() -> None:
    """Run the command line. What is the caller's fault becomes one sentence and exit code 2."""
    try:
        code = gomboc.main(standalone_mode=False)
    except UsageError as error:
        click.echo(f"gomboc: {error}", err=True)
        code = USAGE
    except SparkJobError as error:
        click.echo(f"gomboc: the Spark job failed, and nothing is known: {error}", err=True)
        code = UNKNOWN
    except click.ClickException as error:
        error.show()
        code = USAGE
    except BrokenPipeError:
        # Whoever read the output has enough; the interpreter would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = BROKEN_PIPE
    except (click.Abort, KeyboardInterrupt):
        click.echo("gomboc: interrupted.", err=True)
        code = 130
    sys.exit(code)
