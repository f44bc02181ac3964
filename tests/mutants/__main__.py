"""`python -m tests.mutants`: try mutants, by hand or drawn, and record in each row which tests notice it."""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from tests.mutants.drawn import draw
from tests.mutants.rows import ROOT, Row, areas, every_row, file_rows, path_of, read, written
from tests.mutants.trial import Project, failing, noticing, project


def main() -> int:
    """0 if every mutant is noticed, by all the tests that must, or its survival explained; else 1.

    2 if a test fails without any mutant.
    """
    arguments = _arguments()
    file_rows(every_row())
    rows = every_row()
    if arguments.drawn:
        seed, count = arguments.drawn
        known = {(row.file, row.old, row.new): row for row in rows}
        drawn = draw(seed, count, arguments.names or ["spec", "impl", "checker"])
        chosen = [known.get((row.file, row.old, row.new), row) for row in drawn]
    else:
        chosen = [row for row in rows if not arguments.names or _is_named(row, arguments.names)]
    with project() as copy:
        tests = sorted({test for row in chosen for test in row.tests})
        if tests and (fails := failing(copy, tests, seconds=-1)):
            print(f"{fails[0]} fails without any mutant")
            return 2
        unnoticed = [row for row in chosen if not _try(copy, row, arguments.drawn)]
    file_rows(every_row())
    for row in unnoticed:
        print(f"{row.name} in {row.file} is not noticed" + "".join(f" by {test}" for test in row.tests))
    return 1 if unnoticed else 0


def _try(copy: Project, row: Row, drawn: Any) -> bool:
    """Whether a row is noticed as it must be. A drawn one is printed.

    Another test is recorded where the row had one or none. Of several tests that must notice it, one that does not is
    a failure, so they stay.
    """
    began = time.monotonic()
    tests = noticing(copy, row)
    print(f"# {row.name}: {', '.join(tests) or 'survives'} ({time.monotonic() - began:.0f} s)", flush=True)
    if drawn:
        print(written([replace(row, tests=tests)]), flush=True)
    elif tests != row.tests and len(tests) >= len(row.tests):
        # After each, so that a run that was ended has not been for nothing.
        path = path_of(row.area)
        others = read(path.read_text(encoding="utf-8"))
        path.write_text(
            written([replace(row, tests=tests) if other.name == row.name else other for other in others]),
            encoding="utf-8",
        )
    return len(tests) >= len(row.tests) and bool(tests or row.survives)


def _is_named(row: Row, names: Sequence[str]) -> bool:
    return row.name in names or any(f"{row.file}/".startswith(f"{name.rstrip('/')}/") for name in names)


def _arguments() -> Any:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="AREA | NAME", help="a folder, a file or a row (default: all)")
    parser.add_argument(
        "--drawn",
        nargs=2,
        type=int,
        metavar=("SEED", "COUNT"),
        help="draw so many from the product, or from the folders that are named, and print them as rows",
    )
    arguments = parser.parse_args()
    known = {row.name for row in every_row()} | {*areas()}
    unknown = [name for name in arguments.names if name not in known and not (ROOT / name).exists()]
    if unknown:
        parser.error(f"there is no area, file or row {unknown[0]!r}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
