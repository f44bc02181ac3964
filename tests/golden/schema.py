"""The shapes of states, messages and commands in `traces/schema`, made from the types of the specifications.

`python -m tests.golden.schema` writes the definitions of each protocol in BY_HAND anew where they differ, but for those
that say more than a type does; a test holds them equal. The other schemas have definitions of their own, such as
patterns of labels.
"""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec

from gomboc.spec.core.registry import find_protocol

SCHEMAS = Path(__file__).resolve().parents[2] / "traces" / "schema"
BY_HAND = {
    "delta_fault_tolerance": (
        *("Entry", "Forward", "Node", "Predicate", "Publication", "Publish", "Value"),
        *("command", "message", "messages"),
    ),
    "dissemination": (),
    "topic_directory": ("Entry",),
}
"""The protocols whose schemas are made from types, each with the definitions that are not."""


PROSE = ("title", "description", "default")


def path_of(protocol: str) -> Path:
    """The file with the schema of a protocol."""
    return SCHEMAS / f"{protocol}.schema.json"


def definitions(protocol: str) -> dict[str, Any]:
    """The shape of each type of a protocol's values, by its name."""
    vocabulary = find_protocol(protocol).vocabulary
    kinds = (*get_args(vocabulary.message), *get_args(vocabulary.command), *vocabulary.roles.values())
    _, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {name: _without_prose(component) for name, component in components.items()}


def _without_prose(component: Any) -> Any:
    """The shape without titles, descriptions and defaults, which no line is checked against."""
    if isinstance(component, list):
        return [_without_prose(part) for part in component]
    if not isinstance(component, dict):
        return component
    fields = component.get("properties", {})
    kept = {key: _without_prose(value) for key, value in component.items() if key not in PROSE}
    return kept | ({"properties": {name: _without_prose(shape) for name, shape in fields.items()}} if fields else {})


def made(protocol: str) -> dict[str, Any]:
    """The schema of a protocol with its definitions made anew."""
    schema: dict[str, Any] = json.loads(path_of(protocol).read_text())
    by_hand = {name: schema["$defs"][name] for name in BY_HAND[protocol]}
    return schema | {"$defs": definitions(protocol) | by_hand}


if __name__ == "__main__":
    for name in BY_HAND:
        if json.loads(path_of(name).read_text()) != made(name):
            path_of(name).write_text(json.dumps(made(name), indent=2, ensure_ascii=False) + "\n")
