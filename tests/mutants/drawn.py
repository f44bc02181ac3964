"""Mutants drawn by a seed out of all that can be made by rule, so that no author prefers easily noticed ones."""

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from tests.mutants.operators import Spot, spots
from tests.mutants.rows import ROOT, Row


def possible(folders: Iterable[str]) -> list[tuple[str, Spot]]:
    """All places of the modules in these folders of the product where a rule changes the text: (file, spot)."""
    files = sorted({path for folder in folders for path in _modules(ROOT / folder)})
    return [(file, spot) for file in files for spot in spots((ROOT / file).read_text(encoding="utf-8"))]


def _modules(path: Path) -> set[str]:
    return {str(module.relative_to(ROOT)) for module in (path.rglob("*.py") if path.is_dir() else [path])}


def any_file(file: str) -> bool:
    """Every file counts."""
    del file
    return True


def draw(seed: int, count: int, folders: Iterable[str], counts: Callable[[str], bool] = any_file) -> list[Row]:
    """So many mutants of the files of these folders that count, without two of one line."""
    every = [(file, spot) for file, spot in possible(folders) if counts(file)]
    Random(seed).shuffle(every)
    chosen: dict[tuple[str, int], Spot] = {}
    for file, spot in every:
        chosen.setdefault((file, spot.line), spot)
        if len(chosen) == count:
            break
    return [_row(file, spot) for (file, _), spot in chosen.items()]


def _row(file: str, spot: Spot) -> Row:
    """The row of a place: its line, and so many before it that there are no others like them in the file."""
    lines = (ROOT / file).read_text(encoding="utf-8").split("\n")
    last = spot.line
    line = lines[last - 1]
    name = f"line_{last}_{spot.start}"
    for first in range(last - 1, -1, -1):
        before = [text.strip() for text in lines[first : last - 1]]
        changed = (line[: spot.start] + spot.new + line[spot.end :]).strip()
        row = Row(file, name, "\n".join([*before, line.strip()]), "\n".join([*before, changed]))
        if len(row.lines()) == 1:
            return row
    raise AssertionError(f"{file} as a whole is not unique")
