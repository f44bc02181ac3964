"""Runs pytest again and again in forks of one process, which has imported the packages that tests need.

To import them is half of the work of a short run. The project itself is imported in each fork, as it is then.
"""

import gc
import json
import os
import resource
import sys
from importlib import import_module
from typing import NoReturn

import pytest

for name in (
    *("_hypothesis_pytestplugin", "concurrent.futures.thread", "hypothesis.internal.conjecture.optimiser"),
    *("msgspec.inspect", "pdb", "pytest_cov.plugin", "xdist.looponfail", "xdist.plugin", "z3"),
    *(f"_pytest.{plugin}" for plugin in ("faulthandler", "junitxml", "threadexception", "tracemalloc", "unittest")),
):
    import_module(name)  # for the forks

IMPORTED = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"


def main() -> None:
    """Take an order a line from standard input, and write the exit code of its run."""
    gc.freeze()  # no fork copies pages because its collector of cycles has been there
    for line in sys.stdin:
        order = json.loads(line)
        if (child := os.fork()) == 0:
            _run(**order)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _run(arguments: list[str], out: str, err: str, seconds: int, memory: int) -> NoReturn:
    """Run pytest with these arguments, its outputs in two files, with so much of the processor and of memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    for number, path in ((0, os.devnull), (1, out), (2, err)):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
    code = pytest.main(["-W", IMPORTED, *arguments])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
