"""What a member can make all others hold: `keep` publications in each of its names, and with keys it has one."""

import msgspec
import pytest

from gomboc.impl.api.layers.everywhere import EVERYWHERE
from gomboc.impl.api.signatures import Ed25519, Identity, public_key, signed_overlay
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.publication import Publication, content
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.topics import sealed
from tests.impl.members import NAMES, Members

KEEP, BITS = 3, 32
EVE = NAMES[1]
PRIVATE = {name: bytes([place]) * 32 for place, name in enumerate(NAMES[:3])}
PUBLIC = {name: public_key(key) for name, key in PRIVATE.items()}
TOPIC = "news"


def told(name, publication):
    """The message of this overlay by which a member passes a publication on, and the topic of its envelope."""
    match name:
        case "skip_ring":
            return TOPIC, {"kind": "PublishNew", "sender": EVE, "publication": publication}
        case "skip_plus":
            return TOPIC, {"kind": "Broadcast", "publication": publication, "low": None, "high": None}
        case "scribe":
            return TOPIC, {"kind": "Publish", "sender": EVE, "publications": [publication]}
        case _:
            return EVERYWHERE, {"kind": "Broadcast", "sender": EVE, "item": [TOPIC, publication]}


class Signed(Members):
    """Members of a topic, each with its key if they are `signed`."""

    def __init__(self, name, *, signed):
        self.name, self.signed = name, signed
        super().__init__(name, 3, keep=KEEP)

    def start(self, name, incarnation=1):
        own = signed_overlay(self.overlay, Identity(name, PRIVATE[name], PUBLIC)) if self.signed else None
        return super().start(name, incarnation, own=own)

    def say(self, publisher, number, payload):
        """Tell both others of a publication as Eve signs it."""
        written = content(publisher, number, payload)
        signature = Ed25519(Identity(EVE, PRIVATE[EVE], PUBLIC), TOPIC).sign(EVE, written) if self.signed else publisher
        said = Publication(key_of(publisher, number, payload, BITS), publisher, number, payload, signature)
        topic, message = told(self.name, said)
        for to in (NAMES[0], NAMES[2]):
            self.network.send(EVE, to, sealed(topic, self.overlay.agreement, msgspec.json.encode(message)))

    def held(self):
        return [len(self[index].history(TOPIC)) for index in (0, 2)]


@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
@pytest.mark.parametrize("name", ["skip_ring", "skip_plus", "scribe", "hyparview"])
def test_a_member_makes_others_hold_as_much_as_is_kept_for_each_name_that_they_believe(name, signed):
    there = Signed(name, signed=signed)
    there[0].publish(TOPIC, "honest")
    there.run()
    for number in range(20):
        there.say(EVE, number, "one name")
        there.say(EVE, 7, f"one number, payload {number}")
        there.say(f"ghost{number % 10}", number, "another name")
    there.run()
    ghosts = 0 if signed else 10 * 2
    assert there.held() == [1 + KEEP + ghosts] * 2
    assert there[0].history(TOPIC, publisher=NAMES[0])[0].payload == "honest"
    refused = {reason for _, _, reason in there[0].refused_peers()}
    assert refused <= {Reason.FORGED, Reason.EXPIRED}
    assert (Reason.FORGED in refused) == signed
