"""The mutants by hand: single changes of the product, each with the tests that must notice it.

They stand in `rows/`, a file for each area: `rows/spec/protocols/chord.toml` has those of `spec/protocols/chord`,
`rows/impl/api.toml` those of `impl/api`. A table is headed by the changed file and the name of the mutant.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests/mutants/rows"
PAGE = ROOT / "tests/mutants/README.md"
BY_MACHINE = "What follows is written by `python -m tests.mutants`; not by hand."
"""The line of the page below which that is so."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """In `file`, the line `old` becomes `new`, which does what `why` says. Lines are not indented.

    `old` may be several lines, of which `new` then has as many. Each of `tests` must notice the change; there are none
    if it `survives`, for the reason that stands there.
    """

    file: str
    name: str
    old: str
    new: str
    why: str = ""
    tests: tuple[str, ...] = ()
    survives: str = ""

    @property
    def area(self) -> str:
        """The folder of the file: a floor of its package, or a protocol's folder."""
        parts = Path(self.file).parent.parts
        return "/".join(parts[: 3 if parts[1:2] == ("protocols",) else 2])

    def lines(self) -> list[int]:
        """The numbers, from 0, at which `old` begins in the file: one, unless the row is out of date."""
        lines, old = [line.strip() for line in _lines(self.file)], self.old.split("\n")
        return [number for number in range(len(lines)) if lines[number : number + len(old)] == old]

    def text(self) -> str:
        """The file, changed. Raises ValueError unless `old` occurs once."""
        (first,) = self.lines()
        lines = _lines(self.file)
        for number, (old, new) in enumerate(zip(self.old.split("\n"), self.new.split("\n"), strict=True), first):
            lines[number] = lines[number].replace(old, new)
        return "\n".join(lines)


def _lines(file: str) -> list[str]:
    return (ROOT / file).read_text(encoding="utf-8").split("\n")


def areas() -> list[str]:
    """The areas that have a file of rows, in order."""
    return sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.toml"))


def path_of(area: str) -> Path:
    """The file with the rows of an area."""
    return FOLDER / f"{area}.toml"


def read(text: str) -> list[Row]:
    """The rows of a file's text, in order."""
    tables = tomllib.loads(text).items()
    return [
        msgspec.convert({"file": file, "name": name, **row}, Row) for file, rows in tables for name, row in rows.items()
    ]


def every_row() -> list[Row]:
    """The rows of all areas."""
    return [row for area in areas() for row in read(path_of(area).read_text(encoding="utf-8"))]


def file_rows(rows: Sequence[Row]) -> None:
    """Write all rows, each to the file of its area, in the order of the changed files; and the page about them."""
    of_area: dict[str, list[Row]] = {}
    for row in sorted(rows, key=attrgetter("file")):
        of_area.setdefault(row.area, []).append(row)
    for area in set(areas()) - of_area.keys():
        path_of(area).unlink()
    for area, those in of_area.items():
        path_of(area).parent.mkdir(parents=True, exist_ok=True)
        path_of(area).write_text(written(those), encoding="utf-8")
    PAGE.write_text(page(every_row(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def written(rows: Sequence[Row]) -> str:
    """The text of a file with these rows."""
    return "\n".join(map(_table, rows))


def _table(row: Row) -> str:
    values = {"old": row.old, "new": row.new, "why": row.why, "tests": row.tests, "survives": row.survives}
    lines = [f"{key} = {_value(value)}" for key, value in values.items() if value or key == "new"]
    return "\n".join([f'["{row.file}".{row.name}]', *lines, ""])


def _value(value: str | Sequence[str]) -> str:
    """A value in TOML: code as it stands in its file wherever TOML can, so that it is found by searching for it."""
    if not isinstance(value, str):
        return f"[{', '.join(map(_value, value))}]" if len(value) < 2 else f"[\n{''.join(map(_item, value))}]"
    if "\n" in value:
        return f"'''\n{value}'''"
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return f"'{value}'" if "'" not in value else json.dumps(value, ensure_ascii=False)


def _item(value: str) -> str:
    return f"  {_value(value)},\n"


def page(rows: Sequence[Row], text: str) -> str:
    """The page about the rows: how many each area has, and the survivors with their reasons; `text` is there now."""
    counts, survivors = Counter(row.area for row in rows), [row for row in rows if row.survives]
    return "\n".join(
        [
            text.partition(BY_MACHINE)[0] + BY_MACHINE,
            "",
            f"{len(rows)} rows, {len(rows) - len(survivors)} noticed.",
            "",
            "| area | rows |",
            "|---|---|",
            *(f"| `{area}` | {count} |" for area, count in sorted(counts.items())),
            "",
            "## Surviving mutants",
            "",
            *(f"- {row.name}, `{row.file}`: {row.survives}" for row in survivors),
            "",
        ]
    )
