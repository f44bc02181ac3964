"""Small corpora of the skip ring: simulated, and with lies hidden in them."""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random

from checker.campaign.plan import Plan
from checker.campaign.simulate import simulate_trace
from checker.pack.ingest import find_sources, ingest
from checker.row import judge_to_row
from tests.checker import toy

TRACES = 24


@cache
def honest(folder, index):
    """An honest trace, as JSON values."""
    plan = Plan("skip_ring", "skip_ring", (2, 3, 4), TRACES, seed=11, settle=2)
    return [json.loads(line) for line in Path(simulate_trace(plan, folder, index).path).read_text().splitlines()]


def lines_folder(tmp_path, lies=()):
    """A folder of JSON Lines; `lies` has (index, mutilation) pairs."""
    folder = tmp_path / "lines"
    folder.mkdir()
    (tmp_path / "made").mkdir(exist_ok=True)
    for index in range(TRACES):
        trace = deepcopy(honest(tmp_path / "made", index))
        for where, lie in lies:
            if where == index:
                lie(trace, Random(index))
        (folder / f"trace-{index:02d}.jsonl").write_bytes(toy.written(*trace))
    return folder


def corpus_of(folder, output, pack_size=7):
    """Those traces as packs."""
    ingest(find_sources((folder,)), output, pack_size, 1, lambda done, total: None, False)
    return output


def naive_rows(folder, options):
    """What the naive judge says, by name of the trace."""
    rows = [judge_to_row(str(path), options) for path in sorted(folder.glob("*.jsonl"))]
    return {Path(row.trace).stem: row for row in rows}
