"""The base of messages and commands, and the commands of failures that protocols share."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from gomboc.spec.types.fields import NodeName


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of messages, commands and deliveries: in a trace, `kind` is the tag of the class, by default its name."""


class Crash(Kind, frozen=True):
    """The node fails, without any message; its protocol says what it keeps."""


class Restart(Kind, frozen=True):
    """The node starts again after a crash."""


class Suspect(Kind, frozen=True):
    """The failure detector holds `node` to be crashed."""

    node: NodeName


class Trust(Kind, frozen=True):
    """The failure detector no longer holds `node` to be crashed."""

    node: NodeName


def kinds_of(union: Any) -> Mapping[str, type[msgspec.Struct]]:
    """The structs of a union, or of a single type, by the kinds that they have in a trace."""
    types = (kind for kind in get_args(union) or (union,) if isinstance(kind, type))
    return {str(kind.__struct_config__.tag): kind for kind in types if issubclass(kind, msgspec.Struct)}
