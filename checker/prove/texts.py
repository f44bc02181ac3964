"""Files of texts: TOML in which a line break within a text is a blank."""

import tomllib
from pathlib import Path
from typing import Any

from gomboc.checker.core.errors import UsageError


def read_texts(path: Path) -> dict[str, Any]:
    """The tables of a file, with each text in one line. Raises UsageError if it cannot be read."""
    try:
        tables: dict[str, Any] = _in_one_line(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read as TOML ({error}): fix it.") from error
    return tables


def _in_one_line(value: Any) -> Any:
    match value:
        case str():
            return value.strip().replace("\n", " ")
        case list():
            return [_in_one_line(part) for part in value]
        case dict():
            return {key: _in_one_line(part) for key, part in value.items()}
    return value
