"""Mutants drawn by a seed out of all that can be made by rule, so that no author prefers easily noticed ones."""

from functools import cache
from pathlib import Path
from random import Random

import msgspec

from tests.mutants.change import ROOT
from tests.mutants.drawn.operators import Spot, spots

PARTS = {
    "spec": ("spec",),
    "impl": ("impl",),
    "checker": ("checker/judge", "checker/replay", "checker/explore", "checker/shrink", "checker/gate", "checker/cli"),
}
"""Where mutants are drawn: specifications, implementations, and the code of verdicts and exit codes."""

EDGES = {
    "edges": (
        *(f"{side}/protocols/{name}" for side in ("spec", "impl") for name in ("chord", "delta_fault_tolerance", "skip_plus")),
        *(f"{side}/protocols/{name}" for side in ("spec", "impl") for name in ("dissemination", "topic_directory")),
        *(f"impl/api/{name}.py" for name in ("content", "joining", "lower_layers")),
        *(f"impl/runtime/{name}.py" for name in ("failures", "kept", "starts")),
    ),
}
"""Chord, Skip+ with its layers, and delta, with the nodes, starts and failure detector around them: `--part edges`."""
ALL_PARTS = PARTS | EDGES

ALSO = {
    "spec/protocols/skip_ring": ("tests/lockstep/test_skip_ring.py",),
    "impl/protocols/skip_ring": ("tests/lockstep/test_skip_ring.py", "tests/lockstep/test_publications.py"),
    "spec/protocols/chord": ("tests/lockstep/test_chord.py", "tests/traces/test_chord.py"),
    "spec/protocols/skip_plus": ("tests/traces/test_skip_plus.py",),
    "spec/protocols/delta_fault_tolerance": (
        "tests/traces/test_delta_fault_tolerance.py",
        "tests/paper/test_two_readings_of_delta_fault_tolerance.py",
    ),
    "impl/protocols/chord": ("tests/lockstep/test_chord.py",),
    "impl/protocols/delta_fault_tolerance": (
        "tests/paper/test_two_readings_of_delta_fault_tolerance.py",
        "tests/impl/api/test_content.py",
    ),
    "impl/protocols/skip_plus": ("tests/impl/test_any_application.py",),
    "checker/judge": ("tests/traces/test_golden.py",),
    "checker/replay/kernel": ("tests/checker/replay/kernel",),
}
"""Tests that are tried, too, where a file lies below: those that replay it, or traces of it."""


class Drawn(msgspec.Struct, frozen=True):
    """A place in the file at `path`, and the change that is made there."""

    path: str
    spot: Spot

    @property
    def name(self):
        return f"{self.path}:{self.spot.line}:{self.spot.start}"

    @property
    def before(self):
        return _lines(self.path)[self.spot.line - 1].strip()

    @property
    def after(self):
        return self.text().split("\n")[self.spot.line - 1].strip()

    @property
    def tests(self):
        """The tests that are nearest to the file: its mirror is tried before, by `tests_of`."""
        folder = Path("tests") / Path(self.path).parent
        while not (ROOT / folder).is_dir():
            folder = folder.parent
        also = (test for prefix, tests in ALSO.items() if self.path.startswith(prefix) for test in tests)
        return tuple(dict.fromkeys([str(folder), *also]))

    def text(self):
        """The file, changed."""
        lines = _lines(self.path)
        line = lines[self.spot.line - 1]
        lines[self.spot.line - 1] = line[: self.spot.start] + self.spot.new + line[self.spot.end :]
        return "\n".join(lines)


def _lines(path):
    return (ROOT / path).read_text(encoding="utf-8").split("\n")


PASSED_OVER = {"models.py", "errata.py", "errata"}
"""Files and folders with results that are pinned, and with rules that are wrong on purpose."""


@cache
def possible(part):
    """All mutants of a part, in order."""
    paths = sorted(path for root in ALL_PARTS[part] for path in _modules(ROOT / root))
    spots_of_files = ((str(path.relative_to(ROOT)), spots(path.read_text(encoding="utf-8"))) for path in paths)
    return tuple(Drawn(name, spot) for name, those in spots_of_files for spot in those)


def _modules(root):
    """The modules at or below a path, without those that are passed over."""
    modules = [root] if root.is_file() else root.rglob("*.py")
    return (path for path in modules if PASSED_OVER.isdisjoint(path.parts))


def draw(part, count, seed):
    """So many mutants of a part, without two of one line."""
    every = [*possible(part)]
    Random(f"{part} {seed}").shuffle(every)
    chosen = {}
    for mutant in every:
        chosen.setdefault((mutant.path, mutant.spot.line), mutant)
        if len(chosen) == count:
            break
    return [*chosen.values()]
