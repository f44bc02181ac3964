"""The boundary of the command line: every error becomes a sentence and an exit code, never a verdict."""

import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Never

import click

from gomboc.checker.core.errors import EXTRAS, SparkJobError, UsageError, lacking
from gomboc.checker.core.exit_codes import UNKNOWN, USAGE

FAULT = 70
"""The exit code of a fault of gomboc itself, as sysexits.h has it; 1 would mean that something is violated."""

BROKEN_PIPE = 141
"""The exit code of a command after the reader of its output has closed the pipe, as in shells."""

INTERRUPTED = 130
"""The exit code of a command that was interrupted, as in shells."""


def run(command: Callable[[], Any], words: Sequence[str]) -> Any:
    """The exit code of a command that was called with those words."""
    try:
        with _exits_heard():
            return command()
    except click.ClickException as error:
        error.show()
        return USAGE
    except BrokenPipeError:
        let_go_of_the_output()
        return BROKEN_PIPE
    except (click.Abort, KeyboardInterrupt):
        return _print_error("interrupted.", INTERRUPTED)
    except SparkJobError as error:
        return _print_error(f"the Spark job failed, and nothing is known: {error}", UNKNOWN)
    except SystemExit as error:
        # Our commands end by returning; user code that calls sys.exit(0) would turn a trace without verdict into a
        # success.
        return _print_error(f"your module called sys.exit({error.code!r}): no verdict; remove that call.", USAGE)
    except OSError as error:
        if error.filename is None:
            let_go_of_the_output()
        return _print_error(f"{error.filename or 'Input or output failed'}: {error.strerror or error}.", USAGE)
    except BaseException as error:  # noqa: BLE001  # the last handler: no exception may end as exit code 1
        if "--debug" in words:
            traceback.print_exc()
        return _print_error(*_explained(error, words))


@contextmanager
def _exits_heard() -> Iterator[None]:
    """Turn os._exit into an exception within the body: user code could end this process with it without a message."""
    leave = os._exit

    def refuse(status: int) -> Never:
        raise SystemExit(status)

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave


def _explained(error: BaseException, words: Sequence[str]) -> tuple[str, int]:
    """The sentence for an unhandled exception, and its exit code."""
    # Imported here: a call without errors does not need them.
    from gomboc.spec.core.guarded import ProtocolFaultError
    from gomboc.spec.core.registry import UnfitProtocolError

    match error:
        case UsageError():
            return str(error), USAGE
        case UnfitProtocolError():
            return f"{error}.", USAGE
        case ProtocolFaultError():
            return f"{error}; nothing is known, and gomboc --debug shows where.", USAGE
        case ModuleNotFoundError(name=str(name)) if name.split(".")[0] in EXTRAS:
            called = next((word for word in words if not word.startswith("-")), "")
            return lacking(f"gomboc {called}", name.split(".")[0]), USAGE
        case MemoryError():
            return "there is not enough memory for this, and nothing is known: give it less at a time.", USAGE
        case UnicodeEncodeError():
            return f"a text cannot be written as {error.encoding} ({error.reason}): name files in UTF-8.", USAGE
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    if reference := _stranger_of(error):
        return f"{reference} failed ({what}), and nothing is known: fix it; gomboc --debug shows where.", USAGE
    return (
        f"this is a fault of gomboc, and nothing is known ({what}): call it again with gomboc --debug, and report it.",
        FAULT,
    )


def _stranger_of(error: BaseException) -> str | None:
    """The user's protocol or implementation that raised an exception, here or in another process; None if none did."""
    # Imported here: calls that use no implementation need not load it.
    from gomboc.checker.simulate.under_test import named_implementations
    from gomboc.spec.core.registry import strangers

    trace = "".join(traceback.format_exception(error))
    own = (*named_implementations(), *strangers())
    files = {name: getattr(sys.modules.get(name.partition(":")[0]), "__file__", None) for name in own}
    return next((reference for reference, file in files.items() if file and f'File "{file}"' in trace), None)


def _print_error(sentence: str, code: int) -> int:
    with suppress(OSError):
        click.echo(f"gomboc: {sentence}", err=True)
    return code


def let_go_of_the_output() -> None:
    """Discard output that is still buffered: the interpreter would report the broken pipe again when it closes it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
