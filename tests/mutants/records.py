"""`python -m tests.mutants.records SEED COUNT`: mutants of rules and conjuncts, against the records of exploration.

Each is drawn by the seed. In a copy of the project with it, some records are settled on local states, or stay open; and
two oracles try to break them: a search of exact channels for a violation, and random fair runs, which become legitimate
and stay so, or do not. A record that is broken and settled is a wrong verdict; there must be none. That a mutant leaves
all records settled is no fault of it: it may change what these records do not ask.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.product.settle import Settled, answers
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch, silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.target import find_targets
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.domain import sample
from gomboc.spec.core.instance import Instance, bounded_model, first_world, is_admitted
from gomboc.spec.core.network import World, is_legitimate
from gomboc.spec.core.protocol import Start
from tests.mutants.drawn import draw
from tests.mutants.trial import changed, project

RECORDS = {
    "skip_ring": ("two_hearsay", "two_crash", "two"),
    "chord": ("three", "four_that_meet", "named_outside"),
    "topic_directory": ("two", "one_outside"),
}
"""Records that take seconds, by protocol."""

RULES = ("rules", "legitimacy", "lists", "build_list", "build_ring", "subscriber", "supervisor", "agreement", "labels")
"""The names of the modules with rules and conjuncts."""

SECONDS = 300
STARTS, ROUNDS, STAYING, MOST = 4, 60, 3, 400
"""Random runs: their number, their rounds at most, those in which they stay legitimate, and the messages at most."""


def main(seed: int, count: int) -> int:
    """1 if a record that is broken is settled, else 0."""
    folders = [f"spec/protocols/{protocol}" for protocol in RECORDS]
    wrong = 0
    with project() as copy:
        for row in draw(seed, count, folders, lambda file: Path(file).stem in RULES):
            protocol = Path(row.file).parent.name
            with changed(copy, row):
                told = _tried(copy.folder, protocol)
            wrong += "WRONG" in told
            print(f"{row.file}: {row.old.splitlines()[-1]} -> {row.new.splitlines()[-1]}\n{told}", flush=True)
    return int(wrong > 0)


def _tried(folder: Path, protocol: str) -> str:
    path = os.pathsep.join((str(folder / ".package"), str(folder)))
    command = [sys.executable, "-m", "tests.mutants.records", protocol]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"  no end after {SECONDS} seconds"
    return done.stdout.rstrip() or f"  {done.stderr.strip().splitlines()[-1]}"


def verdicts(protocol: str) -> Iterator[str]:
    """What is settled of each record of a protocol, and what breaks it, in a line."""
    for name in RECORDS[protocol]:
        (target,) = find_targets(protocol, name)
        assert isinstance(target.model, Instance)
        try:
            yield f"  {name}: {_verdict(target.model)}"
        except (UsageError, AttributeError, TypeError, ValueError, LookupError) as error:
            yield f"  {name}: refused: {str(error)[:100]}"


def _verdict(instance: Instance) -> str:
    known = answers(instance, Question(), BoundWatch(Bounds(seconds=90)))
    is_settled = isinstance(known.convergence, Settled)
    broken = refuted(instance) | ({"convergence"} if diverges(instance, Random(1)) else set())
    wrong = broken & (known.safe | ({"convergence"} if is_settled else set()))
    told = f"settled, as are {', '.join(sorted(known.safe)) or 'no others'}" if is_settled else "open"
    return f"{told}; broken: {', '.join(sorted(broken)) or 'nothing'}{'; WRONG' if wrong else ''}"


def refuted(instance: Instance) -> set[str]:
    """The promises that a search of exact channels finds violated: its violations are real, whatever lies beyond."""
    exact = replace(instance, coalesce=False, copies=2, most=max(3, instance.in_flight))
    findings = explore(exact, "table", Question(bounds=Bounds(most_states=25_000, seconds=60)), silent).findings
    return {finding.promise for finding in findings if isinstance(finding.verdict, Violated)}


def diverges(instance: Instance, random: Random) -> bool:
    """Whether a random fair run in channels without bounds does not become legitimate, and stay so for some rounds."""
    exact = replace(instance, coalesce=False, copies=MOST, most=None)
    return any(not _converges(exact, first_world(exact, start), random) for start in _starts(instance, random))


def _starts(instance: Instance, random: Random) -> Iterator[Start]:
    roles = tuple((name, role) for name, role, _ in instance.locals)
    for _ in range(STARTS):
        states = tuple((name, sample(domain, random)) for name, _, domain in instance.locals)
        start = Start(roles, states, (sample(instance.messages, random),) if instance.in_flight else ())
        if is_admitted(instance, start):
            yield start


def _converges(instance: Instance, world: World, random: Random) -> bool:
    stayed = 0
    for _ in range(ROUNDS):
        world = _after_round(bounded_model(instance), world, random)
        stayed = stayed + 1 if is_legitimate(instance.protocol, world) else 0
        if stayed == STAYING or len(world.channels.in_flight) > MOST:
            break
    return stayed == STAYING


def _after_round(model: Any, world: World, random: Random) -> World:
    """The world after every step that is owed now, in any order, as far as it is still possible then."""
    picks = list(dict.fromkeys(model.pick(act) for act in model.enabled(world) if model.fair(act)))
    random.shuffle(picks)
    for pick in picks:
        acts = [act for act in model.enabled(world) if model.pick(act) == pick]
        world = model.step(world, random.choice(acts)) if acts else world
    return world


if __name__ == "__main__":
    if sys.argv[1] in RECORDS:
        print("\n".join(verdicts(sys.argv[1])))
    else:
        sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
