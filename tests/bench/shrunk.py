"""`python -m tests.bench.shrunk`: how small mutilated traces, golden lies and witnesses of printed rules become.

Of each that is shrunk, the judge reads the text anew: it must say the same violation, and nothing may be larger.
"""

import argparse
import sys
import time
from collections import defaultdict
from io import BytesIO
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from gomboc.checker.judge.naive import DEFAULT, judge
from gomboc.checker.shrink.case import NOWHERE, TraceCase, judged, read_case
from gomboc.checker.shrink.kind import is_same, kind_of
from gomboc.checker.shrink.shrink import DONE, shrink
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.redone import redo_of
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.checker.traces.trace import TraceReader
from gomboc.impl.api.registry import implementations
from tests.checker.replay.kernel.mutilation import KINDS
from tests.copying import copied

TRACES = Path(__file__).resolve().parents[2] / "traces"
STEPS_AT_MOST = 250
HEAD = "| fault | traces | steps before | after | nodes before | after | median share of the steps | seconds each |"


class Row(msgspec.Struct, frozen=True):
    """Result of shrinking one trace, and the processor's time that it took, in seconds."""

    steps: int
    left: int
    nodes: int
    nodes_left: int
    seconds: float
    to_the_end: bool


def shrunk(case: TraceCase) -> Row | None:
    """A trace shrunk, and judged anew; None if nothing is violated in it. Raises AssertionError as the module says."""
    kind = kind_of(verdict) if (verdict := judged(case, DEFAULT)) is not None else None
    if kind is None:
        return None
    began = time.process_time()
    small = shrink(case, redo=redo_of(case.header))
    took = time.process_time() - began
    again = judge(TraceReader(NOWHERE, BytesIO(small.case.text())), DEFAULT)
    was, now = case.size(), small.case.size()
    assert is_same(kind, again), f"{kind.says()} became {again.violations()[:1]}"
    assert now.steps <= was.steps
    assert now.nodes <= was.nodes
    assert now.bytes <= was.bytes
    return Row(was.steps, now.steps, was.nodes, now.nodes, took, small.why == DONE)


def mutilated(folder: Path, protocol: str, members: int, seed: int) -> dict[str, TraceCase]:
    """A run of the implementation, once for each kind of mutilation."""
    plan = Plan(protocol, protocol, (members,), 1, seed, rounds=6, settle=2)
    honest = read_case(Path(simulate_trace(plan, folder, 0).path))
    cases = {}
    for mutilate in KINDS:
        lines = copied([honest.header, *honest.steps[:STEPS_AT_MOST]])
        mutilate(lines, Random(f"{seed} {mutilate.__name__}"))
        cases[mutilate.__name__.replace("_", " ")] = TraceCase(lines[0], tuple(lines[1:]))
    return cases


def line(what: str, rows: list[Row]) -> str:
    """Medians of some rows."""
    share = median(row.left / row.steps for row in rows if row.steps)
    figures = (
        [f"{median(getattr(row, key) for row in rows):g}" for key in keys]
        for keys in (("steps", "left"), ("nodes", "nodes_left"))
    )
    cells = [what, str(len(rows)), *(figure for pair in figures for figure in pair)]
    return f"| {' | '.join(cells)} | {share:.1%} | {median(row.seconds for row in rows):.1f} |"


def main() -> None:
    """Print a table: mutilated traces by kind, all of them, golden lies, and witnesses of printed rules."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.shrunk", description=__doc__)
    parser.add_argument("--traces", type=int, default=200, help="mutilated traces that are violated (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first run (default: 1)")
    options = parser.parse_args()
    print(f"{HEAD}\n|---|---|---|---|---|---|---|---|", flush=True)
    with TemporaryDirectory() as folder:
        kinds = _of_mutilated(Path(folder), options.traces, options.seed)
        for kind, rows in sorted(kinds.items()):
            print(line(kind, rows), flush=True)
        every = [row for rows in kinds.values() for row in rows]
        print(line("**all mutilated**", every), flush=True)
        lies = {path: shrunk(read_case(path)) for path in sorted(TRACES.rglob("*.bad.jsonl"))}
        golden = [row for row in lies.values() if row is not None]
        print(line("golden lies", golden), flush=True)
        printed = [row for row in _of_printed(Path(folder)) if row is not None]
        print(line("runs of printed rules", printed), flush=True)
    done = sum(row.to_the_end for row in (*every, *golden, *printed))
    print(f"\n{done} of {len(every) + len(golden) + len(printed)} to where nothing smaller was found.")


def _of_mutilated(folder: Path, wanted: int, seed: int) -> dict[str, list[Row]]:
    kinds: dict[str, list[Row]] = defaultdict(list)
    runs = ((protocol, members) for members in (3, 4, 5, 6, 8) for protocol in ("skip_ring", "skip_plus", "chord"))
    for number, (protocol, members) in enumerate(runs):
        for kind, case in mutilated(folder, protocol, members, seed + number).items():
            row = shrunk(case)
            if row is not None:
                kinds[kind].append(row)
                print(f"{sum(map(len, kinds.values()))} of {wanted}", end="\r", file=sys.stderr, flush=True)
            if sum(map(len, kinds.values())) >= wanted:
                return kinds
    return kinds


def _of_printed(folder: Path) -> list[Row | None]:
    """Runs of each printed rule that there is an implementation of, from n = 16 where it has no parameters."""
    variants = [variant for variant in implementations().values() if "." in variant.name]
    cases = []
    for variant in variants:
        for seed in (1, 2, 3):
            plan = Plan(variant.protocol, variant.name, (16,), 1, seed, rounds=6, settle=0)
            cases.append(shrunk(read_case(Path(simulate_trace(plan, folder, 0).path))))
    return cases


if __name__ == "__main__":
    main()
