"""The command `gomboc`: one file per subcommand, imported when it is called, and one boundary for errors."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

import click

from gomboc import __version__
from gomboc.checker.core.phrases import suggestion

COMMANDS = {
    "simulate": "Run an implementation, and record traces.",
    "ingest": "Put traces into a corpus of packs.",
    "export": "Write traces of a corpus as JSON Lines, or for another viewer.",
    "check": "Judge single traces, and explain failures.",
    "shrink": "Look for a smaller trace with the same violation.",
    "replay": "Judge every trace below a folder, and summarise.",
    "store": "Say how much is known of steps judged before, or forget it.",
    "explore": "Explore every state and schedule of a small model.",
    "prove": "Prove lemmas with z3.",
    "errata": "Settle the claims of a paper anew.",
    "report": "Make a page or picture of traces or verdicts.",
    "gate": "Run the checks that a project asks for, for CI.",
    "new-protocol": "Write a working skeleton of a protocol.",
}
"""Each subcommand with its line of help, so that listing them imports none of them."""

COMPLETE = "_GOMBOC_COMPLETE"
"""The environment variable by which a shell asks click for completions."""


class Commands(click.Group):
    """Subcommands, each in the module of its name, imported only when it is called, for the sake of a quick start."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The subcommands, in the order of use."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = f"gomboc.checker.cli.commands.{cmd_name.replace('-', '_')}"
        command = import_module(module).command
        assert isinstance(command, click.Command), f"{module}.command is not a command"
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The subcommand and its arguments; an unknown one is refused with the nearest name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"No such command '{args[0]}'.{suggestion(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands from COMMANDS."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Completions of the subcommand's name, and of options."""
        from click.shell_completion import CompletionItem

        items = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Call the subcommand. click itself would turn a broken pipe into sys.exit(1) without a reason."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            from gomboc.checker.cli.boundary import BROKEN_PIPE, let_go_of_the_output

            let_go_of_the_output()
            return BROKEN_PIPE


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gomboc")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of a fault of gomboc.")
def gomboc() -> None:
    """Check implementations of self-stabilising overlays against their specifications.

    Exit codes: 0 it holds, 1 it is violated, 2 usage or unreadable input, 3
    unknown, 70 a fault of gomboc itself.
    """


def main() -> None:
    """Run the command line. An error of the caller becomes one sentence and exit code 2."""
    if COMPLETE in os.environ:
        # A shell asks for completions: click answers and exits by itself.
        gomboc.main(prog_name="gomboc")
    # Imported here: a shell that asks for completions needs none of it.
    from gomboc.checker.cli.boundary import run
    from gomboc.checker.core.processes.collecting import collect_rarely

    collect_rarely()
    # Nothing here multiplies matrices of numbers, and numpy begins a thread for that on each core when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    with _ending_in_order():
        sys.exit(run(lambda: gomboc.main(standalone_mode=False), sys.argv[1:]))


def _ending_in_order() -> AbstractContextManager[None]:
    """How signals end this process: in order, if a subcommand is called; help and version have nothing to tidy up."""
    if COMMANDS.keys().isdisjoint(sys.argv[1:]):
        return nullcontext()
    from gomboc.checker.core.processes.signals import ending_in_order

    return ending_in_order()
