"""Implementation of a lamp."""

import msgspec
from msgspec import Raw, Struct

from gomboc.impl import Implementation, PeerError, Received, Send, SetTimer, Timeout, UsageError


class Told(Struct, frozen=True, tag_field="kind", tag="tell", forbid_unknown_fields=True):
    number: int


class Chosen(Struct, frozen=True, tag_field="kind", tag="choose", forbid_unknown_fields=True):
    number: int


class Lamp:
    def __init__(self, name, state):
        self.name, self.number, self.next = name, state["number"], state["next"]

    def snapshot(self):
        return Raw(msgspec.json.encode({"number": self.number, "next": self.next}))

    def handle(self, now, event):
        if isinstance(event, Timeout):
            timer = SetTimer(now + 1.0)
            return [timer, Send(self.next, Told(self.number))] if self.next else [timer]
        if isinstance(event, Received) and self.name == "source":
            return []
        self.number = event.message.number if isinstance(event, Received) else event.command.number
        return []


def reader(kind, error):
    decoder = msgspec.json.Decoder(kind)

    def read(written):
        try:
            return decoder.decode(written)
        except msgspec.DecodeError as wrong:
            raise error(f"This is nothing for a lamp: {wrong}.") from wrong

    return read


IMPLEMENTATION = Implementation(
    name="lamp",
    protocol="lamps",
    make=lambda role, name, state, random: Lamp(name, state),
    decode=reader(Told, PeerError),
    encode=msgspec.json.encode,
    decode_command=reader(Chosen, UsageError),
)
