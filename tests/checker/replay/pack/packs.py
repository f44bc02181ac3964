"""Packs for tests: two honest traces of the skip ring and a false one, and ways to spoil them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from gomboc.checker.core.output import MARKER
from gomboc.checker.replay.pack.ingest import Source, ingest

GOLDEN = Path(__file__).parents[4] / "traces" / "skip_ring"
PLAIN = b'"parameters":{},'
FILES = tuple(sorted(path for path in GOLDEN.glob("*.jsonl") if PLAIN in path.read_bytes()))
"""Those without parameters: a corpus has the same for all of its traces."""

NAMES = ("one_subscriber_from_an_empty_database.ok", "state_changed_between_steps.bad", "altered_in_flight.bad")


def quiet(done: int, total: int) -> None:
    """Progress that is not shown."""


def sources(names: Sequence[str] = NAMES) -> list[Source]:
    return [Source(str(GOLDEN / f"{name}.jsonl"), name) for name in names]


def corpus(folder: Path, size: int = 2, names: Sequence[str] = NAMES) -> Path:
    """A corpus of the traces of those names, with so many in a pack."""
    ingest(sources(names), folder, size, 1, quiet)
    return folder


def everything_in(folder: Path) -> dict[str, bytes]:
    """Every file below the folder but the marker, and its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != MARKER)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def change(path: Path, column: str, values: Any, kind: Any = None) -> None:
    """Replace a column of a table."""
    table = pyarrow.parquet.read_table(path)
    index = table.schema.get_field_index(column)
    array = pa.array(values, kind or table.schema.field(column).type)
    pyarrow.parquet.write_table(table.set_column(index, column, array), path)


def values(path: Path, column: str) -> Any:
    return pyarrow.parquet.read_table(path)[column].to_pylist()


def put(path: Path, *keys: str | int, to: Any) -> None:
    """Replace the values of those keys in a JSON file."""
    whole = json.loads(path.read_text())
    inner = whole
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = to
    path.write_text(json.dumps(whole))


def recount(corpus: Path) -> None:
    """Let the manifest have the counts of the packs that it names, and their sum."""
    manifest = json.loads((corpus / "manifest.json").read_text())
    for entry in manifest["packs"]:
        entry["counts"] = json.loads((corpus / entry["name"] / "pack.json").read_text())["counts"]
    manifest["counts"] = {
        column: sum(entry["counts"][column] for entry in manifest["packs"]) for column in manifest["counts"]
    }
    (corpus / "manifest.json").write_text(json.dumps(manifest))
