"""The table of mutants and killers, as Markdown."""

import re
from collections import Counter
from pathlib import Path

from tests.mutants.killers import KILLERS, LOCKSTEP
from tests.mutants.mutants import MUTANTS, SURVIVORS

PATH = Path(__file__).resolve().parent / "TABLE.md"
SURVIVES = "survives"
WIDEST = 220
"""Characters of what a killer saw that are shown."""


def written(verdicts):
    """The table, from what was last seen of each mutant, by name."""
    killed = {name: seen for name, seen in verdicts.items() if seen.saw is not None}
    return "\n".join([*_head(verdicts, killed), *_rows(verdicts), *_survivors(verdicts), *_killers(killed), ""])


def _head(verdicts, killed):
    by_lockstep = sum(seen.killer == LOCKSTEP for seen in killed.values())
    return [
        "# Mutants of the skip ring",
        "",
        "Each changes one line of a rule in `spec/skip_ring`. Written by `python -m tests.mutants`; not by hand.",
        "",
        f"{len(verdicts)} mutants, {len(killed)} killed, {by_lockstep} of them by nothing but the implementation in "
        f"lockstep. {len(verdicts) - len(killed)} survive, and are explained below.",
        "",
        "The killers are tried from cheap to dear, and the first that sees something is named.",
        "",
        "| mutant | change | killer | what it saw |",
        "|---|---|---|---|",
    ]


def _rows(verdicts):
    for mutant in MUTANTS:
        seen = verdicts[mutant.name]
        how = "" if seen.how == "seen" else f" ({seen.how})"
        killer = SURVIVES if seen.saw is None else f"{seen.killer}{how}"
        yield f"| {mutant.name} | {change(mutant)} | {killer} | {shown(seen.saw)} |"


def change(mutant):
    """A mutant's change, as the table has it."""
    lines = "<br>".join(f"`{_cell(line)}`" if line else "nothing" for line in (mutant.before, mutant.after))
    return f"{mutant.file}: {mutant.breaks}<br>{lines}"


def read(text):
    """Each mutant of a table that was written, in order: its name, its change, and its killer or SURVIVES."""
    rows = text.split("## Survivors")[0].splitlines()
    cells = [re.split(r"(?<!\\) \| ", row.removeprefix("| ")) for row in rows if row.startswith("| ")][1:]
    return [(name, change, killer.split(" (")[0]) for name, change, killer, *_ in cells]


def _cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def shown(saw):
    if saw is None:
        return ""
    return _cell(saw if len(saw) <= WIDEST else f"{saw[:WIDEST]}...")


def _survivors(verdicts):
    yield from ("", "## Survivors", "", "| mutant | why nothing sees it |", "|---|---|")
    for name, seen in verdicts.items():
        if seen.saw is None:
            yield f"| {name} | {_cell(SURVIVORS.get(name, 'not explained'))} |"


def _killers(killed):
    times = Counter(seen.killer for seen in killed.values())
    yield from ("", "## Killers", "", "From cheap to dear, and how many mutants each was the first to see.", "")
    yield from ("| killer | what it says | first |", "|---|---|---|")
    for name, killer in KILLERS.items():
        says = " ".join(killer.__doc__.split("Source:")[0].split())
        yield f"| {name} | {_cell(says)} | {times[name]} |"
