"""The boundary of the command line: whatever goes wrong becomes a sentence and an exit code, never a yes or a no."""

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import click

from gomboc.checker.errors import EXTRAS, SparkJobError, UsageError, lacking
from gomboc.checker.exit_codes import UNKNOWN, USAGE

FAULT = 70
"""The exit code of a fault of gomboc itself, as sysexits.h has it; 1 would mean that something is violated."""

BROKEN_PIPE = 141
"""The exit code of a command whose output nobody reads any more, as shells have it."""

INTERRUPTED = 130
"""The exit code of a command that was interrupted, as shells have it."""


def run(command: Callable[[], Any], words: Sequence[str]) -> Any:
    """The exit code of a command that was called with those words."""
    try:
        return command()
    except click.ClickException as error:
        error.show()
        return USAGE
    except BrokenPipeError:
        let_go_of_the_output()
        return BROKEN_PIPE
    except (click.Abort, KeyboardInterrupt):
        return _said("interrupted.", INTERRUPTED)
    except SparkJobError as error:
        return _said(f"the Spark job failed, and nothing is known: {error}", UNKNOWN)
    except SystemExit as error:
        # Ours ends by returning; foreign code that calls sys.exit(0) would make a success of what was never judged.
        return _said(f"foreign code called sys.exit({error.code!r}), so nothing is known: mend it.", USAGE)
    except OSError as error:
        if error.filename is None:
            let_go_of_the_output()
        return _said(f"{error.filename or 'Input or output failed'}: {error.strerror or error}.", USAGE)
    except Exception as error:  # noqa: BLE001  # the last handler: no exception may end as exit code 1
        if "--debug" in words:
            traceback.print_exc()
        return _said(*_explained(error, words))


def _explained(error: Exception, words: Sequence[str]) -> tuple[str, int]:
    """The sentence for an exception that nobody has handled, and its exit code."""
    # Only here: a call that fails in no way pays for none of it.
    from gomboc.spec.registry import UnfitProtocolError

    match error:
        case UsageError():
            return str(error), USAGE
        case UnfitProtocolError():
            return f"{error}.", USAGE
        case ModuleNotFoundError(name=str(name)) if name.split(".")[0] in EXTRAS:
            called = next((word for word in words if not word.startswith("-")), "")
            return lacking(f"gomboc {called}", name.split(".")[0]), USAGE
        case MemoryError():
            return "there is not enough memory for this, and nothing is known: give it less at a time.", USAGE
        case UnicodeEncodeError():
            return f"a text cannot be written as {error.encoding} ({error.reason}): name files in UTF-8.", USAGE
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    if reference := stranger_of(error):
        return f"{reference} failed ({what}), and nothing is known: mend it; gomboc --debug shows where.", USAGE
    return (
        f"this is a fault of gomboc, and nothing is known ({what}): call it again with gomboc --debug, and report it.",
        FAULT,
    )


def stranger_of(error: Exception) -> str | None:
    """Which protocol or implementation of the caller's own raised an exception, here or in another process."""
    # Only here: whoever needs no implementation does not pay for it.
    from gomboc.checker.simulate.under_test import named_implementations
    from gomboc.spec.registry import strangers

    told = "".join(traceback.format_exception(error))
    own = (*named_implementations(), *strangers())
    files = {each: getattr(sys.modules.get(each.partition(":")[0]), "__file__", None) for each in own}
    return next((reference for reference, file in files.items() if file and f'File "{file}"' in told), None)


def _said(sentence: str, code: int) -> int:
    with suppress(OSError):
        click.echo(f"gomboc: {sentence}", err=True)
    return code


def let_go_of_the_output() -> None:
    """Have what is still to be written go nowhere: the interpreter would complain once more when it closes the pipe."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
