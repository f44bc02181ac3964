"""Which test file covers each module of the product: its mirror, or the one that `mirrors.toml` names.

`python -m tests.tree.mirrors` runs every named file under coverage, and prints the modules of which it runs nothing.
"""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("spec", "impl", "checker")
TABLE = Path(__file__).with_name("mirrors.toml")
"""For a module without a mirror, or for each below a folder, the test file that covers it; the nearest line counts."""

SETTINGS = f"[run]\nsource = {', '.join(PACKAGES)}\npatch = subprocess\n"
"""Settings of coverage under which processes that a test starts count, too."""


def modules() -> list[str]:
    """The modules of the product that hold code of their own, as paths from the root."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return [str(path.relative_to(ROOT)) for path in paths if path.name != "__init__.py"]


def mirror_of(module: str) -> str:
    """The test file that mirrors a module."""
    path = Path(module)
    return str("tests" / path.with_name(f"test_{path.name}"))


def table() -> dict[str, str]:
    """The lines of `mirrors.toml`."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def line_for(module: str, named: dict[str, str]) -> str | None:
    """The key of the line that counts for a module without a mirror; None if there is none."""
    path = Path(module)
    return next((str(key) for key in (path, *path.parents) if str(key) in named), None)


def covering(named: dict[str, str]) -> dict[str, str | None]:
    """For each module the test file that covers it; None if it has neither a mirror nor a line."""
    found: dict[str, str | None] = {}
    for module in modules():
        key = line_for(module, named)
        found[module] = mirror_of(module) if (ROOT / mirror_of(module)).exists() else named[key] if key else None
    return found


def bodies(module: str) -> set[int]:
    """The lines of a module that importing it does not run: those in its functions."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {line for node in functions for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)}


def run_by(test: str) -> dict[str, set[int]]:
    """The lines of each module that a test file runs, in this process's children too."""
    with TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        settings = Path(folder) / "settings"
        settings.write_text(SETTINGS, encoding="utf-8")
        options = ["-q", "-m", "", "-p", "no:cacheprovider", "--cov", f"--cov-config={settings}", "--cov-report="]
        subprocess.run(
            [sys.executable, "-m", "pytest", *options, test],
            cwd=ROOT,
            env={**os.environ, "COVERAGE_FILE": str(data)},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        measured = CoverageData(str(data))
        measured.read()
        return {
            str(Path(file).relative_to(ROOT)): {*(measured.lines(file) or ())} for file in measured.measured_files()
        }


def main() -> int:
    """0 if every module with functions has one that its test file runs."""
    idle = []
    by_test: dict[str, list[str]] = {}
    for module, test in covering(table()).items():
        if test is not None and test != mirror_of(module):
            by_test.setdefault(test, []).append(module)
    for test, covered in by_test.items():
        lines = run_by(test)
        idle += [
            (module, test) for module in covered if bodies(module) and not bodies(module) & lines.get(module, set())
        ]
    for module, test in idle:
        print(f"{module}: no function of it is run by {test}")
    return 1 if idle else 0


if __name__ == "__main__":
    sys.exit(main())
