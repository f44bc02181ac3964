"""Messages and commands of all protocols have one base, and each failure is one type."""

from typing import get_args

import pytest

from gomboc.spec.core.registry import find_protocol, protocol_names
from gomboc.spec.types import kinds


@pytest.mark.parametrize("name", protocol_names())
def test_each_message_and_command_is_a_kind_and_each_failure_the_shared_one(name: str) -> None:
    vocabulary = find_protocol(name).vocabulary
    for kind in (*get_args(vocabulary.message), *get_args(vocabulary.command)):
        assert issubclass(kind, getattr(kinds, kind.__name__, kinds.Kind))
        assert kind.__struct_config__.forbid_unknown_fields
        assert kind.__struct_config__.tag_field == "kind"
