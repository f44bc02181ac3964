"""The results of the drawn mutants, as Markdown."""

from tests.mutants.beyond.suite import LATE
from tests.mutants.beyond.table import cell
from tests.mutants.change import ROOT
from tests.mutants.drawn.explained import EQUAL, UNNOTICED

PATH = ROOT / "tests/mutants/DRAWN.md"
SURVIVES, UNEXPLAINED = "survives", "not explained"
TITLE = "# Mutants that were drawn: `"
HEAD = ["| place | before | after | noticed by |", "|---|---|---|---|"]


def with_section(text, options, section):
    """A file of sections, one for each draw: this one is put in the place of that with the same options, or last."""
    sections = {part.partition("`")[0]: TITLE + part for part in text.split(TITLE)[1:]}
    return "".join((sections | {options: section}).values())


def written(rows, options, possible):
    """A section: `rows` are (part, mutant, its notice or None), `possible` the number of all mutants by part."""
    lines = [
        f"{TITLE}{options}`",
        "",
        "One place each, changed by rule, drawn by a seed out of all places, and held against the tests that mirror",
        "the file, those of its folder, and those that replay the implementation.",
        f"Written by `python -m tests.mutants.drawn {options}`; not by hand.",
        "",
        "| part | places | drawn | noticed | equal | undecided | not noticed | share noticed, of settled |",
        "|---|---|---|---|---|---|---|---|",
        *(_sum(part, rows, possible[part]) for part in sorted({part for part, _, _ in rows})),
    ]
    for part in sorted({part for part, _, _ in rows}):
        lines += ["", f"## {part}", "", *HEAD]
        lines += [_row(mutant, seen) for part_of_row, mutant, seen in rows if part_of_row == part]
    left = [mutant for _, mutant, seen in rows if seen is None]
    lines += ["", "## Surviving mutants", "", *(f"- {mutant.name}: {why(mutant)}" for mutant in left), ""]
    return "\n".join(lines)


def why(mutant):
    """Why a mutant survives, if it is explained."""
    key = (mutant.path, mutant.before, mutant.after)
    return f"equal: {EQUAL[key]}" if key in EQUAL else UNNOTICED.get(key, UNEXPLAINED)


def is_equal(mutant):
    """Whether it has been explained that the change makes no difference."""
    return (mutant.path, mutant.before, mutant.after) in EQUAL


def is_undecided(seen):
    """Whether the tests of a mutant did not come to their end, so that nothing is known of it."""
    return seen is not None and seen.says.startswith(LATE)


def by(seen):
    """The test or event that noticed a mutant, in words."""
    if seen is None:
        return SURVIVES
    return f"undecided: {seen.says}" if is_undecided(seen) else seen.test if seen.test != "none" else seen.says


def _sum(part, rows, possible):
    own = [(mutant, seen) for part_of_row, mutant, seen in rows if part_of_row == part]
    undecided = sum(is_undecided(seen) for _, seen in own)
    noticed = sum(seen is not None for _, seen in own) - undecided
    equal = sum(seen is None and is_equal(mutant) for mutant, seen in own)
    left = len(own) - noticed - equal - undecided
    share = f"{noticed / (noticed + left):.0%}" if noticed + left else "-"
    return f"| {part} | {possible:,} | {len(own)} | {noticed} | {equal} | {undecided} | {left} | {share} |"


def _row(mutant, seen):
    return f"| {mutant.name} | `{cell(mutant.before)}` | `{cell(mutant.after)}` | {cell(by(seen))} |"
