"""The fields of the values of the skip ring: what is no node, label or key is a payload. The values are rows."""

import msgspec

from gomboc.spec.protocols.skip_ring.state import Claim, Command, Entry, Message, Subscriber, Supervisor


def test_every_text_but_a_payload_declares_its_meaning():
    kinds = (*Message.__args__, *Command.__args__, Claim, Entry, Supervisor, Subscriber)
    fields = {field.name for kind in kinds for field in msgspec.structs.fields(kind) if field.type in (str, str | None)}
    assert fields == {"payload"}
