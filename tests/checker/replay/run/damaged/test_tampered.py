"""A pack in which numbers were changed, and that can still be read, is judged as the lines are that it is exported to.

Source: checker/README.md, Factored replay
"""

import shutil
from random import Random

import msgspec
import pyarrow.parquet
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.replay.pack.export import export
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan, PlannedCommand
from tests.checker.replay.pack.packs import change, quiet, values
from tests.checker.replay.run.corpora import naive_rows, replayed, rows_in

COLUMNS = {
    "steps.parquet": ("node", "before", "input", "after", "contents", "received", "coin"),
    "traces.parquet": ("first", "initial", "initial_to", "initial_content", "events", "took", "sent", "header"),
    "states.parquet": ("state", "role"),
    "messages.parquet": ("message",),
}
COMMANDS = (PlannedCommand(2, "v1", "Unsubscribe"), PlannedCommand(4, "v1", "Subscribe"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Six honest traces in one pack."""
    folder = tmp_path_factory.mktemp("made") / "corpus"
    plan = Plan("skip_ring", "skip_ring", (2, 3), 6, seed=5, settle=1, commands=COMMANDS)
    simulate_packs(plan, folder, 6, local(1), quiet)
    return folder


def tamper(pack, random):
    """Copy one entry of a column to another entry of it."""
    name = random.choice(sorted(COLUMNS))
    column = random.choice(COLUMNS[name])
    rows = values(pack / name, column)
    row = random.randrange(len(rows))
    if isinstance(rows[row], list) and rows[row]:
        others = random.choice([entry for entry in rows if entry])
        rows[row][random.randrange(len(rows[row]))] = random.choice(others)
    else:
        rows[row] = random.choice(rows)
    kind = pyarrow.parquet.read_schema(pack / name).field(column).type
    change(pack / name, column, rows, "string" if column in ("node", "role") else kind)
    if column in ("node", "role"):
        table = pyarrow.parquet.read_table(pack / name)
        index = table.schema.get_field_index(column)
        pyarrow.parquet.write_table(table.set_column(index, column, table[column].dictionary_encode()), pack / name)


@pytest.mark.usefixtures("nothing_demanded")
@pytest.mark.parametrize("seed", range(20))
def test_a_pack_that_was_tampered_with_is_refused_or_judged_as_its_lines(made, tmp_path, seed):
    corpus, random = shutil.copytree(made, tmp_path / "corpus"), Random(seed)
    for _ in range(random.choice((1, 1, 2))):
        tamper(corpus / "000000.pack", random)
    try:
        export(corpus, (), tmp_path / "lines")
    except UsageError:
        with pytest.raises(UsageError):
            replayed(corpus, tmp_path / "verdicts")
        return
    summary = replayed(corpus, tmp_path / "verdicts")
    rows, naive = rows_in(tmp_path / "verdicts"), naive_rows(tmp_path / "lines", DEFAULT)
    for name, wanted in naive.items():
        output = {key: value for key, value in msgspec.structs.asdict(wanted).items() if key not in UNLIKE}
        assert {key: rows[name][key] for key in output} == output
    assert all(cluster.confirmed for cluster in summary.clusters)


UNLIKE = {"trace", "judgement", "error"}
"""The path in the message."""
