"""The table of mutants and killers, as Markdown."""

import re
from collections import Counter
from pathlib import Path

from tests.mutants.killers import KILLERS, LOCKSTEP
from tests.mutants.mutants import MUTANTS, SURVIVORS

PATH = Path(__file__).resolve().parent / "TABLE.md"
SURVIVES = "survives"
WIDEST = 220
"""The most characters shown of a killer's observation."""


def written(verdicts, before=""):
    """The table, from the last verdict on each mutant, by name; the rows of the others stay."""
    known = {read_row(row)[0]: row for row in _rows_of(before)}
    rows = [_row(mutant, verdicts) if mutant.name in verdicts else known.get(mutant.name, "") for mutant in MUTANTS]
    rows = [row for row in rows if row]
    killers = Counter(read_row(row)[2] for row in rows)
    survivors = [read_row(row)[0] for row in rows if read_row(row)[2] == SURVIVES]
    return "\n".join([*_head(len(rows), killers), *rows, *_survivors(survivors), *_killers(killers), ""])


def _head(mutants, killers):
    survive = killers[SURVIVES]
    return [
        "# Mutants of the skip ring",
        "",
        "Each changes one line of a rule in `spec/protocols/skip_ring`. Written by `python -m tests.mutants`; "
        "not by hand.",
        "",
        f"{mutants} mutants, {mutants - survive} killed, {killers[LOCKSTEP]} of them by nothing but the implementation "
        f"in lockstep. {survive} survive, and are explained below.",
        "",
        "The killers are tried from cheap to dear, but the one that this table names first; the first that sees "
        "something is named.",
        "",
        "| mutant | change | killer | observation |",
        "|---|---|---|---|",
    ]


def _row(mutant, verdicts):
    seen = verdicts[mutant.name]
    how = "" if seen.how == "seen" else f" ({seen.how})"
    killer = SURVIVES if seen.saw is None else f"{seen.killer}{how}"
    return f"| {mutant.name} | {change(mutant)} | {killer} | {shown(seen.saw)} |"


def change(mutant):
    """A mutant's change, as the table has it."""
    lines = "<br>".join(f"`{_cell(line)}`" if line else "nothing" for line in (mutant.before, mutant.after))
    return f"{mutant.file}: {mutant.breaks}<br>{lines}"


def read(text):
    """Each mutant of a table that was written, in order: its name, its change, and its killer or SURVIVES."""
    return [read_row(row) for row in _rows_of(text)]


def _rows_of(text):
    return [row for row in text.split("## Survivors")[0].splitlines() if row.startswith("| ")][1:]


def read_row(row):
    """The same of one row."""
    name, change, killer, *_ = re.split(r"(?<!\\) \| ", row.removeprefix("| "))
    return name, change, killer.split(" (")[0]


def _cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def shown(saw):
    if saw is None:
        return ""
    return _cell(saw if len(saw) <= WIDEST else f"{saw[:WIDEST]}...")


def _survivors(names):
    yield from ("", "## Survivors", "", "| mutant | why nothing sees it |", "|---|---|")
    for name in names:
        yield f"| {name} | {_cell(SURVIVORS.get(name, 'not explained'))} |"


def _killers(times):
    yield from ("", "## Killers", "", "From cheap to dear, and how many mutants each was the first to see.", "")
    yield from ("| killer | claim | first |", "|---|---|---|")
    for name, killer in KILLERS.items():
        says = " ".join(killer.__doc__.split("Source:")[0].split())
        yield f"| {name} | {_cell(says)} | {times[name]} |"
