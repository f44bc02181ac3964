"""Figure 2 as golden traces: the messages before anything else happens."""

import json

import pytest

from tests.golden.make import folder
from tests.golden.skip_ring.publications import KEYS, OF_PUBLICATIONS, publication


def steps_of(name):
    return [json.loads(line) for line in (folder("skip_ring") / f"{name}.ok.jsonl").read_text().splitlines()][1:]


def chain(name):
    """Sender, kind and labels of each message, from the first timeout on, each answering the one before."""
    steps, messages = steps_of(name), []
    for step in steps:
        about = [message["message"] for message in step["sent"] if message["message"]["kind"] in OF_PUBLICATIONS]
        if step["took"] == "timeout" and messages:
            break
        for message in about:
            labels = [label for label, _ in message.get("tuples", [])] + [
                key[0] for key in message.get("publications", [])
            ]
            messages.append((step["node"], message["kind"], labels, message.get("prefix")))
    return messages


def test_started_at_u_two_messages_are_sent_and_nothing_is_delivered_before_v_begins():
    name = "figure_2_started_at_u"
    assert chain(name) == [("v1", "CheckTrie", [""], None), ("v2", "CheckTrie", ["0", "100"], None)]
    assert not any("delivered" in step for step in steps_of(name)[:3])


def test_started_at_v_four_messages_are_sent_and_p4_is_delivered():
    name = "figure_2_started_at_v"
    assert chain(name) == [
        ("v2", "CheckTrie", [""], None),
        ("v1", "CheckTrie", ["0", "10"], None),
        ("v2", "CheckAndPublish", ["100"], "101"),
        ("v1", "Publish", ["101"], None),
    ]
    assert steps_of(name)[4]["delivered"] == [publication("P4")]


@pytest.mark.parametrize("name", ["figure_2_started_at_u", "figure_2_started_at_v"])
def test_in_the_end_both_have_everything(name):
    last = {step["node"]: step["state"] for step in steps_of(name)}
    everything = [publication(payload) for payload in KEYS]
    assert last["v1"]["publications"] == last["v2"]["publications"] == everything
