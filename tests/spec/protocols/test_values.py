"""Values of `<protocol>/values.jsonl`: each is written as in a trace, and its names and faults are those of its row.

The first line of a file has the parameters of all others, which may change them. `names` are the nodes to which a value
refers; `malformed` and `found` are what each of its faults expects and finds; an `unreadable` value is of no kind.
Other rows have `roles` of nodes, and the sentence in which these are `misnamed`, or parameters `refused` in one.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol, protocol_names
from gomboc.spec.types.kinds import kinds_of

ABSENT = msgspec.Raw(b"")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value, which is a message, a command, or a state of a `role`, as its text."""

    message: msgspec.Raw = ABSENT
    command: msgspec.Raw = ABSENT
    state: msgspec.Raw = ABSENT
    role: str = ""
    parameters: Mapping[str, Any] | None = None
    names: list[str] | None = None
    malformed: list[str] | None = None
    found: list[Any] | None = None
    unreadable: bool = False
    roles: Mapping[str, str] | None = None
    misnamed: str | None = None
    refused: str = ""

    def text(self) -> bytes:
        return bytes(self.message) or bytes(self.command) or bytes(self.state)

    def kind(self, protocol: Protocol) -> Any:
        """The type of the value."""
        vocabulary = protocol.vocabulary
        if self.role:
            return vocabulary.roles[self.role]
        return vocabulary.message if bytes(self.message) else vocabulary.command


def rows_of(protocol: str) -> list[Row]:
    """The rows of a protocol, each with its parameters."""
    path = Path(__file__).parent / protocol / "values.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else ["{}"]
    first, *others = (msgspec.json.decode(line, type=Row) for line in lines)
    return [replace(row, parameters=first.parameters if row.parameters is None else row.parameters) for row in others]


def rows_with(wanted: Callable[[Row], object]) -> pytest.MarkDecorator:
    """The mark of a test of such rows of all protocols."""
    rows = ((name, line, row) for name in protocol_names() for line, row in enumerate(rows_of(name), 2))
    chosen = [pytest.param(name, row, id=f"{name}-{line}") for name, line, row in rows if wanted(row)]
    return pytest.mark.parametrize(("name", "row"), chosen)


@rows_with(Row.text)
def test_a_value_is_written_as_it_was_read_and_its_names_and_faults_are_those_of_its_row(name, row):
    protocol = configured(find_protocol(name), row.parameters)
    if row.unreadable:
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(row.text(), type=row.kind(protocol))
        return
    value = msgspec.json.decode(row.text(), type=row.kind(protocol))
    assert msgspec.json.encode(value) == row.text()
    faults = protocol.naming.malformed(value)
    assert {fault.rule for fault in faults} <= {"canonical"}
    assert row.names is None or {*protocol.naming.named(value)} == {*row.names}
    assert row.malformed is None or [fault.expected for fault in faults] == row.malformed
    assert row.found is None or msgspec.json.decode(msgspec.json.encode([fault.found for fault in faults])) == row.found


@rows_with(lambda row: row.roles is not None)
def test_names_that_do_not_fit_are_refused_in_the_sentence_of_their_row(name, row):
    assert configured(find_protocol(name), row.parameters).naming.misnamed(row.roles) == row.misnamed


@rows_with(lambda row: row.refused)
def test_parameters_that_make_no_sense_are_refused_in_the_sentence_of_their_row(name, row):
    with pytest.raises(ValueError, match=f"^{re.escape(row.refused)}$"):
        configured(find_protocol(name), row.parameters)


@pytest.mark.parametrize("name", protocol_names())
def test_every_kind_of_state_message_and_command_has_a_row_with_the_nodes_that_it_names(name):
    protocol = find_protocol(name)
    rows = [row for row in rows_of(name) if row.names is not None]
    kinds = {type(msgspec.json.decode(row.text(), type=row.kind(protocol))) for row in rows}
    vocabulary = protocol.vocabulary
    unions = (vocabulary.message, vocabulary.command)
    assert kinds == {*vocabulary.roles.values(), *(kind for union in unions for kind in kinds_of(union).values())}
