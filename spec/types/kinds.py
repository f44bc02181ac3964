"""The base of messages and commands, and the commands of failures that protocols share."""

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
