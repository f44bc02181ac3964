"""Values for readers: a local state as variables, and texts of limited length."""

from typing import Any

import msgspec

LONGEST = 2_000
"""Maximal number of characters of a value on a page."""

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
    """A value as its trace writes it, cut to the maximal length."""
    text = msgspec.json.encode(value, order="deterministic").decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"
