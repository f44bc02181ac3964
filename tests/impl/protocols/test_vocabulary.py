"""Values of `<protocol>/vocabulary.jsonl`, each read as it is written, or refused in the sentence that it `says`.

The first line of a file has the parameters, role, name and state that the other lines change. A `message` or `command`
may be text that is no JSON; `changed` and `without` change the state, and `given` are parameters to be read themselves.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.errors import PeerError, UsageError
from tests.impl.refusing import refusing

FILES = sorted(Path(__file__).parent.glob("*/vocabulary.jsonl"))


def rows() -> Iterator[Any]:
    for path in FILES:
        first, *others = map(msgspec.json.decode, path.read_text(encoding="utf-8").splitlines())
        for number, row in enumerate(others, 2):
            yield pytest.param(path.parent.name, first | row, id=f"{path.parent.name}-{number}")


def text_of(value: object) -> bytes:
    return value.encode() if isinstance(value, str) else msgspec.json.encode(value)


def read_and_written(protocol: str, row: Mapping[str, Any]) -> tuple[object, object]:
    """The value of a row, and the same when it has been read and written again."""
    plain = implementation(protocol)
    assert plain.configured is not None
    if "given" in row:
        return plain.configured(row["given"]).name, protocol
    made = plain.configured(row["parameters"])
    for what, decode in (("message", made.decode), ("command", made.decode_command)):
        if what in row:
            written = text_of(row[what])
            return written, made.encode(decode(written))
    changed = row["state"] | row.get("changed", {})
    state = {key: value for key, value in changed.items() if key not in row.get("without", ())}
    return state, msgspec.json.decode(made.make(row["role"], row["name"], state, Random(1)).snapshot())


def test_every_protocol_has_values() -> None:
    folders = Path(__file__).parents[3] / "impl" / "protocols"
    assert [path.parent.name for path in FILES] == sorted(path.parent.name for path in folders.glob("*/core.py"))


@pytest.mark.parametrize(("protocol", "row"), list(rows()))
def test_a_value_is_written_as_it_was_read_or_refused_in_a_sentence(protocol: str, row: Mapping[str, Any]) -> None:
    if "says" not in row:
        read, written = read_and_written(protocol, row)
        assert read == written
        return
    with refusing(row["says"], PeerError if "message" in row else UsageError):
        read_and_written(protocol, row)


@pytest.mark.parametrize("protocol", [path.parent.name for path in FILES])
def test_the_state_of_a_node_that_knows_no_other_is_one_that_can_be_read(protocol: str) -> None:
    made = implementation(protocol)
    for role, blank in made.blank.items():
        name = {"skip_plus": "0:0", "supervisor": "supervisor"}.get(role if role == "supervisor" else protocol, "a")
        assert msgspec.json.decode(made.make(role, name, blank, Random(1)).snapshot()) == blank
