import msgspec
from msgspec import Raw

from gomboc.impl.publication import Publication
from gomboc.impl.signers import message_with_signers, signed_by, step_with_signers
from gomboc.impl.trace import InFlight, Step

WRITTEN = ["01", "ann", 7, "text", "c2lnbmF0dXJl"]
NAMED = ["01", "ann", 7, "text", "ann"]
FORGED = ["01", "ann", 7, "text", "nobody"]


def signer(topic, publication):
    return publication.publisher if (topic, publication.signature) == ("news", WRITTEN[4]) else None


def as_json(value):
    return msgspec.json.decode(msgspec.json.encode(value))


def test_a_signature_is_written_as_the_name_of_a_node_that_has_signed():
    assert as_json(signed_by(Publication(*WRITTEN), "ann")) == NAMED


def test_a_signature_that_is_of_no_node_is_never_written_as_the_publishers():
    assert as_json(signed_by(Publication(*WRITTEN), None)) == FORGED
    assert signed_by(Publication("01", "nobody", 7, "text", "x"), None).signature == "no-one"


def test_a_step_names_the_signers_wherever_publications_stand():
    sent = [
        InFlight(1, "ben", {"kind": "Publish", "publications": [WRITTEN]}),
        InFlight(2, "ben", {"kind": "PublishNew", "sender": "ann", "publication": WRITTEN}),
        InFlight(3, "ben", {"kind": "Probe", "sender": "ann", "flag": "LIN"}),
    ]
    state = Raw(msgspec.json.encode({"label": None, "publications": [WRITTEN]}))
    step = Step("ann", "timeout", state, sent, (Publication(*WRITTEN),), "ask")
    assert as_json(step_with_signers(step, "news", signer)) == {
        "node": "ann",
        "took": "timeout",
        "state": {"label": None, "publications": [NAMED]},
        "sent": [
            {"id": 1, "to": "ben", "message": {"kind": "Publish", "publications": [NAMED]}},
            {"id": 2, "to": "ben", "message": {"kind": "PublishNew", "sender": "ann", "publication": NAMED}},
            {"id": 3, "to": "ben", "message": {"kind": "Probe", "sender": "ann", "flag": "LIN"}},
        ],
        "delivered": [NAMED],
        "coin": "ask",
    }


def test_what_is_signed_in_another_topic_is_signed_by_no_node():
    sent = InFlight(1, "ben", {"kind": "Publish", "publications": [WRITTEN]})
    assert as_json(message_with_signers(sent, "sport", signer))["message"]["publications"] == [FORGED]
