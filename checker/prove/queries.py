"""The queries of z3 as a file in SMT-LIB, with the answer of each, so that another solver can check them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.lemma import Journal

UNSAID = "(set-info :status unknown)"
"""The place of the answer in what z3 writes."""


@contextmanager
def journal(folder: Path | None, name: str) -> Iterator[Journal | None]:
    """Writes each query to `<name>.smt2` in a folder, after `reset` and with its status; None without a folder.

    Raises UsageError if the file cannot be written.
    """
    if folder is None:
        yield None
        return
    path = folder / f"{name}.smt2"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as file:
            yield lambda status, query: print(
                f"(reset)\n{query.replace(UNSAID, f'(set-info :status {status})')}", file=file
            )
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error}): name another folder.") from error
