"""Names of nodes, `id:string`; both parts never change. Ids are ordered as the names are, as text."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from gomboc.spec.types.fields import Ascending, Holds, NodeName

SEPARATOR = ":"


@lru_cache(maxsize=1 << 16)
def string_of(name: str) -> str:
    """The random string of a node: the bits after the last colon of its name.

    Source: Slide 8, "Each node has a random String rs, of sufficient length"
    """
    return name.rpartition(SEPARATOR)[2]


@lru_cache(maxsize=1 << 16)
def prefix_length(one: str, other: str) -> int:
    """The length in bits of the common prefix of the strings of two nodes. Source: Slide 8, pre_i(u)."""
    first, second = string_of(one), string_of(other)
    for position, (bit, beside) in enumerate(zip(first, second, strict=False)):
        if bit != beside:
            return position
    return min(len(first), len(second))


@lru_cache(maxsize=1 << 16)
def is_name(text: str) -> bool:
    """Whether a text is a name: an id, a colon, and at least one bit."""
    identifier, separator, string = text.rpartition(SEPARATOR)
    return bool(identifier and separator and string) and not set(string) - {"0", "1"}


def _not_a_name(parameters: Any, text: str) -> str | None:
    del parameters
    return None if is_name(text) else "an id, a colon and bits"


_FORM = msgspec.Meta(extra_json_schema={"pattern": "^[0-9A-Za-z_.:-]+:[01]+$", "maxLength": 64})

Name = Annotated[NodeName, Holds(_not_a_name, rule="names_are_names", source="Slide 8"), _FORM]
"""The name of a node of Skip+."""

Names = Annotated[
    tuple[Name, ...], Ascending(rule="names_ascend"), msgspec.Meta(extra_json_schema={"uniqueItems": True})
]
"""Names, ascending."""


def misnamed(roles: Mapping[str, str]) -> str | None:
    """The reason, in a sentence, why nodes of these names cannot form a system; None if they can.

    Source: Slide 8; that all strings have the same length is ours
    """
    wrong = [name for name in sorted(roles) if not is_name(name)]
    if wrong:
        return f"{wrong[0]!r} is no name of Skip+: it must be an id, a colon and a string of bits, as in '07:0110'."
    lengths = {len(string_of(name)): name for name in sorted(roles, reverse=True)}
    if len(lengths) > 1:
        (short, one), (long, other) = sorted(lengths.items())[:2]
        return f"The strings of {one!r} and {other!r} have {short} and {long} bits; all must be equally long."
    return None
