"""`[tool.gomboc]` of a project's pyproject.toml: its values, and the line of each key."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from gomboc.checker.errors import UsageError

FILE = "pyproject.toml"
ROOT = "tool.gomboc"

STAGES = ("simulate", "check", "replay", "explore", "prove", "errata", "mutants")
"""The tables that may stand below [tool.gomboc], in the order in which they are run."""

OWN: Mapping[str, tuple[str, ...]] = {
    "simulate": (),
    "check": ("traces",),
    "replay": ("corpus", "least"),
    "explore": ("models",),
    "prove": ("lemmas",),
    "errata": ("claims",),
}
"""The keys of each table that are not options of the command of its name."""

Value = Mapping[str, Any]

OptionKind = Literal["true or false", "a number", "no truth value"]
"""The kind of an option's values in a table; a value that is no truth value is read by the command itself."""


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change that must be noticed: in `file`, the text `old` is replaced by `new`."""

    name: str
    file: str
    old: str
    new: str


class Top(msgspec.Struct, frozen=True, rename="kebab"):
    """The keys of [tool.gomboc] itself.

    `protocol` and `implementation` are names, or package.module:NAME; `pythonpath` are the folders where their modules
    are. Results go into the folder `output`. No command may take more than so many `minutes`. `always_legitimate`
    declares that no run needs to show legitimacy false.
    """

    protocol: str
    implementation: str | None = None
    pythonpath: tuple[str, ...] = (".",)
    output: str = "build/gomboc"
    minutes: float = 60.0
    always_legitimate: bool = False


TOP = tuple(field.encode_name for field in msgspec.structs.fields(Top))


class Asked(msgspec.Struct, frozen=True):
    """Settings of a project's gate: the values of [tool.gomboc], those of each stage, and the lines of the file."""

    folder: Path
    top: Top
    stages: Mapping[str, Value]
    mutants: tuple[Mutant, ...]
    lines: tuple[str, ...]

    def line(self, stage: str, key: str = "") -> int:
        """The line of a key in a stage's table; that of the table's head, if there is no such line."""
        return line_of(self.lines, f"{ROOT}.{stage}", key)


def read_table(folder: Path, options: Mapping[str, Mapping[str, OptionKind]]) -> Asked:
    """The settings in the pyproject.toml in `folder`.

    `options` are, for each stage, the options of its command, and the kind of their values. Raises UsageError, with
    file and line, for a missing table, for an unknown key, and for settings under which no failure is possible.
    """
    path = folder / FILE
    text, table = _text_and_table(path)
    if table is None:
        raise UsageError(f"{path}: it has no table [{ROOT}], so nothing is asked for: add one.")
    return _Reader(path, tuple(text.splitlines())).read(table, options)


def read_top(folder: Path) -> Top | None:
    """The values of [tool.gomboc] itself in the pyproject.toml in `folder`; None without that table, or file.

    Raises UsageError, with file and line, for values that make no sense.
    """
    path = folder / FILE
    if not path.exists():
        return None
    text, table = _text_and_table(path)
    return None if table is None else _Reader(path, tuple(text.splitlines())).top(table)


def _text_and_table(path: Path) -> tuple[str, Value | None]:
    """The text of a pyproject.toml, and its table [tool.gomboc], if it has one. Raises UsageError."""
    try:
        text = path.read_bytes().decode()
        whole = tomllib.loads(text)
    except FileNotFoundError as error:
        here = "run gomboc gate in the folder of your project, or name that folder"
        raise UsageError(f"{path}: {error.strerror}: {here}.") from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: it is no TOML: {error}.") from error
    table = whole.get("tool", {}).get("gomboc") if isinstance(whole.get("tool", {}), dict) else None
    return text, table if isinstance(table, dict) else None


def output_of(folder: Path) -> Path:
    """The folder to which the gate of a project writes, if its table can be read; else the default."""
    try:
        named = tomllib.loads((folder / FILE).read_bytes().decode())["tool"]["gomboc"]["output"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        named = None
    return folder / (named if isinstance(named, str) else str(msgspec.structs.fields(Top)[3].default))


class _Reader:
    def __init__(self, path: Path, lines: Sequence[str]) -> None:
        self._path, self._lines = path, tuple(lines)

    def _fail(self, table: str, key: str, what: str) -> UsageError:
        return UsageError(f"{self._path}:{line_of(self._lines, table, key)}: [{table}] {what}.")

    def read(self, table: Value, options: Mapping[str, Mapping[str, OptionKind]]) -> Asked:
        self._check_keys(ROOT, table, (*TOP, *STAGES))
        top = self.top(table)
        if top.minutes <= 0:
            raise self._fail(ROOT, "minutes", f"allows {top.minutes:g} minutes: allow more than 0")
        stages = {
            stage: self._stage(stage, table[stage], options[stage])
            for stage in STAGES
            if stage in table and stage in options
        }
        mutants = self._mutants(table.get("mutants", []))
        self._check_something_is_judged(stages, mutants, "mutants" in table)
        return Asked(self._path.parent, top, stages, mutants, self._lines)

    def top(self, table: Value) -> Top:
        """The values of [tool.gomboc] itself."""
        top: Top = self._converted(ROOT, {key: table[key] for key in table if key in TOP}, Top)
        return top

    def _stage(self, stage: str, values: Any, options: Mapping[str, OptionKind]) -> Value:
        table = f"{ROOT}.{stage}"
        if not isinstance(values, dict):
            raise self._fail(ROOT, stage, f"{stage} is no table: write [{table}]")
        self._check_keys(table, values, (*OWN[stage], *options))
        for key, value in values.items():
            if key not in OWN[stage] and not _is_of(value, options[key]):
                raise self._fail(table, key, f"{key} is {_shown(value)}: it must be {options[key]}")
        for key in OWN[stage]:
            self._check_own(table, key, values)
        return values

    def _check_own(self, table: str, key: str, values: Value) -> None:
        kind: Any = {"least": int, "corpus": str}.get(key, list[str])
        if key in values:
            self._converted(table, {key: values[key]}, dict[str, kind])
            if not values[key]:
                raise self._fail(table, key, f"{key} is {_shown(values[key])}, so nothing is asked for: name something")
        elif key in ("traces", "models"):
            raise self._fail(table, key, f"has no {key}, so nothing is asked for: name some")

    def _mutants(self, values: Any) -> tuple[Mutant, ...]:
        mutants: tuple[Mutant, ...] = self._converted(ROOT, values, tuple[Mutant, ...], "mutants")
        names = [mutant.name for mutant in mutants]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise self._fail(ROOT, "mutants", f"has two mutants called {repeated[0]!r}: rename one")
        return mutants

    def _check_something_is_judged(self, stages: Mapping[str, Value], mutants: Sequence[Mutant], asked: bool) -> None:
        if not set(stages) - {"simulate"}:
            raise self._fail(ROOT, "", f"judges nothing: add [{ROOT}.replay], or another of: {', '.join(STAGES[1:])}")
        if "simulate" in stages and "replay" not in stages:
            raise self._fail(f"{ROOT}.simulate", "", f"is judged by nothing: add [{ROOT}.replay]")
        if "replay" in stages and ("corpus" in stages["replay"]) == ("simulate" in stages):
            raise self._fail(
                f"{ROOT}.replay", "corpus", f"judges either what [{ROOT}.simulate] makes or a corpus: give one of both"
            )
        if asked and not mutants:
            raise self._fail(ROOT, "mutants", "has no mutant, so nothing is asked for: name some")
        if mutants and "simulate" not in stages:
            raise self._fail(ROOT, "mutants", f"has mutants, and nothing runs them: add [{ROOT}.simulate]")

    def _check_keys(self, table: str, values: Value, known: Sequence[str]) -> None:
        unknown = [key for key in values if key not in known]
        if unknown:
            raise self._fail(table, unknown[0], f"has the unknown key {unknown[0]!r}; it may have: {', '.join(known)}")

    def _converted(self, table: str, values: Any, kind: Any, key: str = "") -> Any:
        try:
            return msgspec.convert(values, kind)
        except msgspec.ValidationError as error:
            what, _, position = str(error).partition(" - at `$")
            named = re.search(r"\w+", position)
            only = next(iter(values)) if what.startswith("Expected") and len(values) == 1 else ""
            where = key or (named[0] if named else only)
            raise self._fail(table, where, f"{f'{where}: ' if where else ''}{what}") from error


def _is_of(value: Any, kind: OptionKind) -> bool:
    """Whether the value of a key, or each of several values, is of that kind."""
    if isinstance(value, bool) or kind == "true or false":
        return isinstance(value, bool) and kind == "true or false"
    values = value if isinstance(value, list) else [value]
    return kind != "a number" or all(isinstance(item, int | float) for item in values)


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def line_of(lines: Sequence[str], table: str, key: str = "") -> int:
    """The number of the line with that key of a table, or of the head of that table, or of one above it; else 1."""
    head = re.compile(rf"\s*\[\[?\s*{re.escape(table)}\s*\]\]?")
    wanted = re.compile(rf'\s*"?{re.escape(key)}"?\s*[=.]|\s*\[\[?\s*{re.escape(table)}\.{re.escape(key)}\s*\]')
    head_line, within = 0, False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("["):
            within = head.match(line) is not None
            head_line = head_line or (number if within else 0)
        if key and (within or line.lstrip().startswith("[")) and wanted.match(line):
            return number
    if head_line or table == ROOT:
        return head_line or 1
    return line_of(lines, *table.rsplit(".", 1))
