"""The table of changes outside of the ring's rules and the tests that notice them, as Markdown."""

from tests.mutants.beyond.changes import PARTS, SURVIVORS
from tests.mutants.beyond.suite import Noticed
from tests.mutants.change import ROOT

PATH = ROOT / "tests/mutants/BEYOND.md"
SURVIVES, UNTRIED = "survives", "not tried"


def written(verdicts):
    """The table, from the verdicts on the changes, by name."""
    killed = sum(seen is not None for seen in verdicts.values())
    return "\n".join(
        [
            "# Changes beyond the ring's rules",
            "",
            "One line each, in a copy of the project, against the tests that mirror the file and those it names too.",
            "Written by `python -m tests.mutants.beyond`; not by hand.",
            "",
            f"{len(verdicts)} changes, {killed} noticed. {len(verdicts) - killed} survive, and are explained below.",
            *(line for title, part in PARTS.items() for line in _part(title, part, verdicts)),
            "",
            "## Survivors",
            "",
            *(f"- {name}: {SURVIVORS.get(name, 'not explained')}" for name, seen in verdicts.items() if seen is None),
            "",
        ]
    )


def _part(title, part, verdicts):
    yield from ("", f"## {title}", "", "| change | breakage | noticed by |", "|---|---|---|")
    for change in part:
        seen = verdicts.get(change.name, Noticed(UNTRIED))
        by = SURVIVES if seen is None else seen.test if seen.test != "none" else seen.says
        yield f"| {change.name} | {cell(f'{change.path}: {change.breaks}')} | {cell(by)} |"


def cell(text):
    """Text that may stand in a cell."""
    return text.replace("|", "\\|").replace("\n", " ")


def rows():
    """Each row that was written: a change's name, its breakage, and the test that noticed it."""
    lines = PATH.read_text(encoding="utf-8").splitlines() if PATH.exists() else []
    cells = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines if line.startswith("| ")]
    return [row for row in cells if row[0] != "change"]


def read():
    """The written verdict on each change, by name."""
    return {name: None if by == SURVIVES else Noticed(by) for name, _, by in rows() if by != UNTRIED}
