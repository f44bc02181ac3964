"""Values as a reader sees them: a local state as variables, and texts that are not longer than a page can bear."""

from typing import Any

import msgspec

LONGEST = 2_000
"""Characters of a value that a page shows at most."""

STATE = "state"
"""The only variable of a local state without fields."""


def variables(state: Any) -> dict[str, str]:
    """The variables of a local state, as JSON texts by name; `a.b` is field b of the record a."""
    flat: dict[str, str] = {}
    _flatten(msgspec.to_builtins(state, str_keys=True, order="deterministic"), "", flat)
    return flat


def _flatten(value: Any, path: str, flat: dict[str, str]) -> None:
    if isinstance(value, dict) and value:
        for name, part in value.items():
            _flatten(part, f"{path}.{name}" if path else name, flat)
    else:
        flat[path or STATE] = text_of(value)


def text_of(value: Any) -> str:
    """A value as its trace writes it, cut where it is longer than a page can bear."""
    text = msgspec.json.encode(value, order="deterministic").decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"
