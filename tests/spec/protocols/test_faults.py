"""Right systems of `<protocol>/faults.jsonl`, changed: the conditions of legitimacy, or of the premise, that fail.

The first line of a file has a right system. A row changes variables in `states`, or has messages `in_flight`, each with
its target. To a node that is `gone` every message is harmless.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.model import InFlight
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol, protocol_names

FILES = sorted(Path(__file__).parent.glob("*/faults.jsonl"))

Variables = Mapping[str, Any]


class System(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A right system of a configured protocol, and a crashed node if there is one."""

    parameters: Variables
    roles: Mapping[str, str]
    states: Mapping[str, Variables]
    gone: Mapping[str, Variables] = {}

    def changed(self, protocol: Protocol, changes: Mapping[str, Variables]) -> dict[str, Any]:
        """The states of all nodes, with those changes."""
        roles, member = protocol.vocabulary.roles, protocol.vocabulary.member
        states = {node: {**self.states.get(node, {}), **changes.get(node, {})} for node in {**self.states, **changes}}
        return {node: msgspec.convert(state, roles[self.roles.get(node, member)]) for node, state in states.items()}


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change to the right system, and the names of the conditions that fail, once for each fault."""

    states: Mapping[str, Variables] = {}
    in_flight: tuple[tuple[str, Variables], ...] = ()
    faults: list[str] | None = None
    premise: list[str] | None = None


def every_row() -> Iterator[Any]:
    for path in FILES:
        first, *rows = path.read_text(encoding="utf-8").splitlines()
        system, name = msgspec.json.decode(first, type=System), path.parent.name
        for line, row in enumerate(rows, 2):
            yield pytest.param(name, system, msgspec.json.decode(row, type=Row), id=f"{name}-{line}")


@pytest.mark.parametrize(("name", "system", "row"), [*every_row()])
def test_a_system_has_the_faults_of_its_row_and_none_by_messages_to_a_crashed_node(name, system, row):
    protocol = configured(find_protocol(name), system.parameters)
    states = system.changed(protocol, row.states)
    in_flight = tuple((to, msgspec.convert(message, protocol.vocabulary.message)) for to, message in row.in_flight)
    if row.faults is not None:
        assert [fault.rule for fault in legitimacy_faults(protocol, states, in_flight)] == row.faults
        for gone in system.gone:
            to_it: InFlight = tuple((gone, message) for _, message in in_flight)
            assert not to_it or not legitimacy_faults(protocol, system.changed(protocol, system.gone), to_it)
    if row.premise is not None:
        assert [fault.rule for fault in premise_faults(protocol, states, in_flight)] == row.premise


def test_every_protocol_has_rows():
    assert tuple(path.parent.name for path in FILES) == protocol_names()
