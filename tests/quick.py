"""`python -m tests.quick [BASE]`: lint the files that changed since BASE, and run the tests that mirror them.

BASE is a commit, HEAD by default; where nothing is changed since HEAD, the last commit is looked at.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("spec", "impl", "checker")


def changed(base: str) -> list[str]:
    """The paths, from the repository's root, of the files that differ from a commit, and of those not yet tracked."""
    message = (
        ("diff", "--name-only", "--diff-filter=d", base),
        ("ls-files", "--others", "--exclude-standard"),
    )
    lines = (subprocess.check_output(("git", *words), cwd=ROOT, text=True).splitlines() for words in message)
    return sorted({line for part in lines for line in part})


def mirrors_of(paths: Iterable[str]) -> list[str]:
    """The test files of these paths: those that mirror a source, and those that are changed themselves."""
    return sorted({test for path in paths for test in _mirrors_of(Path(path))})


def _mirrors_of(path: Path) -> Iterator[str]:
    if path.suffix != ".py":
        return
    if path.parts[0] == "tests" and path.name.startswith("test_"):
        yield path.as_posix()
    if path.parts[0] in SOURCES:
        mirror = Path("tests", *path.parent.parts, f"test_{path.name}")
        nearest = next((path for path in (mirror, *mirror.parents) if (ROOT / path).exists()), mirror)
        if nearest == mirror:
            yield mirror.as_posix()
        elif nearest.parts != ("tests",):
            # No test of its own: the tests beside it are those of its folder.
            yield from (path.relative_to(ROOT).as_posix() for path in sorted((ROOT / nearest).glob("test_*.py")))


def main(words: list[str]) -> int:
    """Run the linters and the tests; the exit code of the first that fails."""
    base = words[0] if words else "HEAD"
    paths = changed(base) or changed("HEAD~1")
    sources = [path for path in paths if path.endswith(".py")]
    tests = mirrors_of(paths)
    print(f"{len(paths)} files changed, {len(tests)} test files mirror them.", flush=True)
    ruff = str(Path(sys.executable).with_name("ruff"))
    commands = [
        *([[ruff, "check", *sources], [ruff, "format", "--check", *sources]] if sources else []),
        *([[sys.executable, "-m", "pytest", "-q", "--numprocesses=2", "--dist=loadgroup", *tests]] if tests else []),
    ]
    return next(
        (code for command in commands if (code := subprocess.run(command, cwd=ROOT, check=False).returncode)), 0
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
