"""`python -m tests.mutants.closure SEED COUNT [--all]`: mutants of rules and conjuncts, against closure for every n.

Each is drawn by the seed. In a copy of the project with it, every step from the legitimate states of small systems is
taken, to see whether one leads out of them, or raises an error. If so, the lemmas on closure of that protocol are
settled, with the samples that compare them with the specification, until an obligation fails. A mutant that breaks
closure of a small system and that no lemma notices is a wrong proof; there must be none. With `--all`, lemmas are
settled for the others too, which takes a minute each: one that they notice may break closure of larger systems only.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.closure import examine
from gomboc.checker.judge.verdict import Unknown, Violated
from gomboc.checker.prove.corners import samples
from gomboc.checker.prove.lemma import Lemma, Statement
from gomboc.checker.prove.registry import find_lemmas
from gomboc.checker.prove.runner import ABOUT_NOTHING, settle
from gomboc.checker.prove.settlement import Proved
from tests.mutants.drawn import draw
from tests.mutants.rows import Row
from tests.mutants.small import SYSTEMS
from tests.mutants.trial import changed, project

ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What a rule or a conjunct with a mistake may raise."""

FILES = {
    "chord": ("rules", "routing", "legitimacy"),
    "skip_plus": ("rules", "ranges", "legitimacy"),
    "skip_ring": (
        *("rules", "legitimacy", "build_list", "build_ring", "subscriber", "supervisor", "agreement", "publish"),
        *("exchange", "comparison", "answers"),
    ),
}
"""The modules with rules and conjuncts, by protocol; the last three are of the layer that publishes."""

FOLDERS = ("spec/protocols/chord", "spec/protocols/skip_plus", "spec/protocols/skip_ring", "spec/publishing")

OF_RING = ("closure_of_subscribers_for_every_n", "closure_of_the_supervisor_for_every_n")
PUBLISHING = "closure_of_publishing_for_every_n"

LEMMAS = {
    "chord": (
        "closure_for_every_n",
        "closure_for_every_n_with_fingers",
        "closure_for_every_n_with_meet",
    ),
    "skip_plus": (
        "closure_of_skip_plus_for_every_n",
        "neighbours_are_symmetric",
        "neighbours_suffice_for_ranges",
        "others_lie_between_those_that_are_no_neighbours",
    ),
    "skip_ring": (*OF_RING, PUBLISHING),
}
"""The lemmas on closure of each protocol, and the axioms that they rest on."""

CASES_ABOUT_NOTHING = {OF_RING[1]: 1, "closure_of_skip_plus_for_every_n": 1}
"""How many cases of a lemma no legitimate system has: all others must have a step."""

KEPT, ALL = "kept", "--all"

SAMPLES, SECONDS = 40, 900
"""How many samples of each lemma are compared; the seconds of a processor for one statement."""


def protocol_of(file: str) -> str:
    """The protocol that a mutated file is tried with."""
    return "skip_ring" if file.startswith("spec/publishing") else Path(file).parent.name


def counts(file: str) -> bool:
    """Whether a file has rules or conjuncts."""
    return Path(file).stem in FILES[protocol_of(file)]


def main(seed: int, count: int, every: bool) -> int:
    """1 if a mutant breaks closure of a small system and no lemma notices it, else 0; `every`: prove all the same."""
    wrong = 0
    with project() as copy:
        for row in draw(seed, count, FOLDERS, counts):
            with changed(copy, row):
                judged = tried(copy.folder, row, every)
            wrong += judged.startswith("broken") and judged.endswith("proved")
            print(f"{row.file}: {row.old.splitlines()[-1]} -> {row.new.splitlines()[-1]}\n  {judged}", flush=True)
    return int(wrong > 0)


def tried(folder: Path, row: Row, every: bool = False) -> str:
    """What small systems and lemmas say of a mutant in that copy of the project."""
    path = os.pathsep.join((str(folder / ".package"), str(folder)))
    command = [sys.executable, "-m", "tests.mutants.closure", row.file, *((ALL,) if every else ())]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() or f"broken: {done.stderr.strip().splitlines()[-1]}; noticed: nothing can be imported"


def verdict(file: str, every: bool) -> str:
    """Whether small systems with the file as it is now stay legitimate, and what lemmas say of them."""
    protocol = protocol_of(file)
    explored = explored_by_steps(protocol)
    return f"{explored}; {_proved(protocol, file)}" if every or explored != KEPT else KEPT


def explored_by_steps(protocol: str) -> str:
    """How a step leads out of the legitimate states of small systems of a protocol, or that none does."""
    for system in SYSTEMS[protocol]:
        try:
            (finding,) = examine(system()).findings
        except ERRORS as error:
            return f"broken: {type(error).__name__}: {str(error)[:80]}"
        if isinstance(finding.verdict, Violated):
            return f"broken: {finding.verdict.says.rpartition('ends it: ')[2]}"
    return KEPT


def _proved(protocol: str, file: str) -> str:
    return next(filter(None, _noticed(protocol, file)), "proved")


def _noticed(protocol: str, file: str) -> Iterator[str]:
    try:
        lemmas = {lemma.name: lemma for lemma in find_lemmas()}
    except (UsageError, *ERRORS) as error:
        yield f"noticed: {type(error).__name__}: {str(error)[:80]}"
        return
    chosen = [lemmas[name] for name in LEMMAS[protocol] if name in lemmas]
    if len(chosen) < len(LEMMAS[protocol]):
        yield "noticed: lemmas cannot be imported"
    yield from map(_differs, chosen)
    yield from (_fails(lemma) for lemma in chosen if lemma.name != PUBLISHING or _publishes(file))


def _publishes(file: str) -> bool:
    """Whether a ring without publications may not read a file."""
    return file.startswith("spec/publishing") or Path(file).stem in ("agreement", "publish", "rules")


def _differs(lemma: Lemma) -> str:
    try:
        differ = any(sample.encoded != sample.specified for sample in samples(lemma.agrees_with_spec, SAMPLES))
    except ERRORS as error:
        return f"noticed: {lemma.name}: a sample raises {type(error).__name__}"
    return f"noticed: {lemma.name}: samples differ" if differ else ""


def _fails(lemma: Lemma) -> str:
    """The first obligation of a lemma that is refuted or open, or about nothing as none was; empty if it is proved."""
    about_nothing = 0
    for obligation in lemma.statement.obligations():
        result = settle(Statement(lemma.name, lambda one=obligation: (one,)), SECONDS).result  # type: ignore[misc]
        if isinstance(result, Unknown) and result.why == ABOUT_NOTHING:
            about_nothing += 1
        elif not isinstance(result, Proved):
            why = str(getattr(result, "why", "")) or f"{obligation.what} is refuted"
            return f"noticed: {lemma.name}: {why[:160]}"
    more = about_nothing > CASES_ABOUT_NOTHING.get(lemma.name, 0)
    return f"noticed: {lemma.name}: {about_nothing} cases are about nothing" if more else ""


if __name__ == "__main__":
    prove_all = ALL in sys.argv
    if sys.argv[1].endswith(".py"):
        print(verdict(sys.argv[1], prove_all))
    else:
        sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), prove_all))
