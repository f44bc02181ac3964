"""Right graphs and rounds of Skip+, for tests: whole rounds on plain dictionaries, without any network."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from gomboc.spec.protocols.skip_plus.legitimacy import anchor, message_faults, node_faults, right_state, share
from gomboc.spec.protocols.skip_plus.state import ABSENT


def named(*strings: Any) -> tuple[Any, ...]:
    """Names with those strings, in the order of their ids."""
    return tuple(f"{index:02d}:{string}" for index, string in enumerate(strings))


def every_naming(nodes: int, bits: Any) -> list[Any]:
    """Every way to give that many nodes strings of that many bits."""
    strings = ["".join(bits_of_one) for bits_of_one in product("01", repeat=bits)]
    return [named(*chosen) for chosen in product(strings, repeat=nodes)]


def right(names: Sequence[str], absent: tuple[Any, ...] = ()) -> dict[str, Any]:
    """The right states of the nodes that take part, and those that do not."""
    live = tuple(name for name in names if name not in absent)
    return {name: right_state(live, name) if name in live else ABSENT for name in names}


def faults(states: Mapping[str, Any], inbox: Any) -> Any:
    """Everything that is wrong."""
    live = anchor({name: share(local) for name, local in states.items()})
    faults_found = [fault for name, local in states.items() for fault in node_faults(live, name, local)]
    return faults_found + [
        fault for name, sent in inbox.items() for message in sent for fault in message_faults(live, name, message)
    ]
