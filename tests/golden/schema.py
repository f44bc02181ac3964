"""The shapes of states, messages and commands in `traces/schema`, made from the types of the specifications.

`python -m tests.golden.schema` writes the definitions of each protocol in MADE anew; a test holds them equal.
What surrounds them, such as the parameters in a header, is written by hand.
"""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec

from gomboc.spec.core.registry import find_protocol

SCHEMAS = Path(__file__).resolve().parents[2] / "traces" / "schema"
REFERENCE = "#/$defs/{name}"
WIDTH = 120
MADE = (
    "chord",
    "delta_fault_tolerance",
    "dissemination",
    "hyparview",
    "scribe",
    "skip_plus",
    "skip_ring",
    "topic_directory",
)
"""The protocols whose schemas are made from types."""

UNCHECKED = ("title", "description", "default", "discriminator")
"""Keywords that no line is checked against."""


def path_of(protocol: str) -> Path:
    """The file with the schema of a protocol."""
    return SCHEMAS / f"{protocol}.schema.json"


def definitions(protocol: str) -> dict[str, Any]:
    """The shape of each type of a protocol's values, by its name, and those of its messages and commands together."""
    vocabulary = find_protocol(protocol).vocabulary
    messages, commands, states = get_args(vocabulary.message), get_args(vocabulary.command), vocabulary.roles.values()
    _, components = msgspec.json.schema_components((*messages, *commands, *states), ref_template=REFERENCE)
    shapes = {name: _checked(component) for name, component in components.items()}
    for state in states:
        shapes[state.__name__]["required"] = _written(state)
    return {
        "messages": {"items": {"properties": {"message": {"$ref": REFERENCE.format(name="message")}}}},
        "message": _one_of(messages),
        "command": _one_of(commands),
    } | shapes


def _one_of(kinds: tuple[Any, ...]) -> dict[str, Any]:
    return {"anyOf": [{"$ref": REFERENCE.format(name=kind.__name__)} for kind in kinds]}


def _written(state: Any) -> list[str]:
    """The keys that every state in a trace has: those with a default too, unless it is left out when written."""
    omits = state.__struct_config__.omit_defaults
    return [
        field.encode_name for field in msgspec.structs.fields(state) if not omits or field.default is msgspec.NODEFAULT
    ]


def _checked(component: Any) -> Any:
    """The shape without the keywords that no line is checked against."""
    if isinstance(component, list):
        return [_checked(part) for part in component]
    if not isinstance(component, dict):
        return component
    fields = component.get("properties", {})
    kept = {key: _checked(value) for key, value in component.items() if key not in UNCHECKED}
    return kept | ({"properties": {name: _checked(shape) for name, shape in fields.items()}} if fields else {})


def made(protocol: str) -> dict[str, Any]:
    """The schema of a protocol with its definitions made anew."""
    schema: dict[str, Any] = json.loads(path_of(protocol).read_text())
    return schema | {"$defs": definitions(protocol)}


def text_of(value: Any, indent: str = "", key: str = "") -> str:
    """A value as JSON, after its key: in one line wherever there is room for it."""
    line = key + json.dumps(value, ensure_ascii=False)
    if len(f"{indent}{line},") <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = f"{indent}  "
    if isinstance(value, dict):
        shown = [text_of(item, inner, f"{json.dumps(name)}: ") for name, item in value.items()]
    else:
        shown = [text_of(item, inner) for item in value]
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([key + opened, ",\n".join(inner + item for item in shown), indent + closed])


if __name__ == "__main__":
    for name in MADE:
        path_of(name).write_text(text_of(made(name)) + "\n")
