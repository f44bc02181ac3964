"""What is kept of a node: told before anything is sent, and the last of it alone brings the node back."""

import msgspec
import pytest

from gomboc.impl.api.content import ContentNode
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.refusals import Refusals
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.detection.heartbeats import PROBE
from gomboc.impl.runtime.transport import Through
from tests.impl.brokers import AGREED, CHEAP, NAMES, Brokers, taken
from tests.impl.refusing import refused


def test_what_is_kept_is_told_when_it_changes_and_before_anything_is_sent():
    there, kept_values = Brokers(), []
    kept, sent = there.crash("a.b"), []
    there.down.remove("a.b")

    class Watched(Through):
        def send(self, to, written):
            sent.append(len(kept_values))
            return super().send(to, written)

    around = NodeContext(Watched(there.network.transport("a.b")), there.clock, there.random)
    there.nodes["a.b"] = node = ContentNode("a.b", there.overlay, around, kept=kept, keep=kept_values.append)
    assert [state["left"]["incarnation"] for state in kept_values] == [1]
    assert sent
    assert min(sent) == 1
    there.run()
    client = node.attach()
    client.subscribe(CHEAP)
    there.run()
    client.unsubscribe(CHEAP)
    there.run()
    states = [[own[1] for own in state["left"]["own"]] for state in kept_values]
    assert states == [[], [], ["subscribing"], ["subscribed"], ["unsubscribing"], []]
    assert [sorted(kept_value["peers"]) for kept_value in kept_values[:2]] == [[], ["a", "a.b.c"]]
    assert kept_values[-1] == node.kept


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"node": "a.d"}, "This was kept of 'a.d', and not of 'a.b': give the value that was kept of 'a.b'."),
        ({"agreement": "x"}, f"This was kept under x, and a.b has {AGREED}: give it the same."),
        ({"more": 1}, "This was not kept of a node: give the `kept` value of a.b."),
        ({"start": -1}, "This was not kept of a node: give the `kept` value of a.b."),
        ({"left": 7}, "No crash leaves this state: Expected `object`, got `int`; give the value that was kept."),
    ],
)
def test_what_was_kept_of_another_node_or_version_is_refused_and_counted(changed, sentence):
    there, refusals = Brokers(), Refusals(Reason)
    kept = {**there.crash("a.b"), **changed}
    assert refused(lambda: there.node("a.b", kept=kept, refusals=refusals)) == (Reason.BAD_KEPT, sentence)
    assert refusals.of_all() == {Reason.BAD_KEPT: 1}


@pytest.mark.parametrize("starts", [1, 2])
def test_a_node_that_comes_back_with_something_old_is_ended_before_it_is_ready(starts):
    there, got = Brokers(), []
    there["a"].attach().subscribe([])
    there.run()
    old = there.crash("a.b")
    for _ in range(starts):
        there.come_back("a.b", [old, *got][-1])
        there.run()
        got.append(there.crash("a.b"))
    reader = there["a"].attach()
    reader.subscribe([])
    deliveries = reader.deliveries()
    again, confirmed = there.come_back("a.b", old), []
    client = again.restored
    over, ready = client.deliveries(), []
    client.publish({"x": 1}, confirmed.append)
    for _ in range(24):
        there.run(1)
        ready.append(again.ready)
    assert (taken(deliveries), confirmed, any(ready), over.over) == ([], [], False, True)
    others = "another" if starts == 1 else "a later"
    says = [
        f"a.b came back as its start 1, and {peer!r} knows of {others} start {starts}: "
        "start it with the last that was kept of it."
        for peer in ("a", "a.b.c")
    ]
    reason, sentence = refused(again.attach)
    assert (reason, sentence in says) == (Reason.BAD_KEPT, True)
    assert refused(client.publish, {"x": 2}) == (Reason.BAD_KEPT, sentence)
    assert again.counters().refused == {Reason.BAD_KEPT: 3}
    assert there["a"].counters().refused.keys() <= {Reason.OUTDATED}
    there.down.add("a.b")
    last = there.come_back("a.b", got[-1])
    there.run()
    assert last.ready
    last.restored.publish({"x": 3}, confirmed.append)
    there.run()
    assert (taken(deliveries), len(confirmed)) == ([{"x": 3}], 1)


def test_peers_that_have_crashed_as_well_still_know_of_the_last_start():
    there = Brokers(("a", "a.b"))
    old = there.crash("a.b")
    there.run()
    there.come_back("a.b", old)
    there.run()
    there.crash("a.b")
    there.come_back("a", there.crash("a"))
    again = there.come_back("a.b", old)
    there.run(10)
    assert refused(again.attach)[0] == Reason.BAD_KEPT
    assert there["a"].counters().refused[Reason.OUTDATED] >= 1


def test_a_node_that_begins_again_with_nothing_is_ended_too():
    there = Brokers()
    there["a"].attach().subscribe([])
    there.run()
    there["a.d"].attach().publish({"x": 1})
    there.run()
    there["a.d"].stop()
    there.nodes["a.d"] = there.node("a.d", names=NAMES)
    there["a.d"].attach().subscribe(CHEAP)
    there.run()
    assert refused(there["a.d"].attach)[0] == Reason.BAD_KEPT


def test_a_notice_to_an_earlier_start_ends_no_later_one():
    there = Brokers()
    kept = there.crash("a.b")
    there.come_back("a.b", kept)
    there.run()
    there.crash("a.b")
    again = there.come_back("a.b", kept)
    there.clock.advance(0.01)
    last = again.kept | {"start": 7}
    again.stop()
    back = there.node("a.b", kept=last)
    there.nodes["a.b"] = back
    there.run()
    assert back.ready
    assert back.counters().refused == {}


def test_no_stranger_ends_a_node_by_what_it_says_of_starts_nor_has_its_own_kept():
    there, heard, told = Brokers(("a", "a.b")), [], []
    there["a"].stop()
    there.nodes["a"] = there.node("a", names=("a", "a.b"), keep=told.append)
    stranger = there.network.transport("zed")
    stranger.listen(lambda parcel: heard.append(parcel.written), lambda to, parcel: None)
    stranger.send("a", PROBE)
    there.run()
    written = len(told)
    number, token = msgspec.json.decode(heard[0].partition(b"\n")[0])[0]
    stranger.send("a", msgspec.json.encode([[0, token], [[number, token], number + 1]]) + b"\n")
    for start in range(9):
        stranger.send("a", msgspec.json.encode([[start, token], None]) + b"\n" + PROBE)
    there.run()
    assert (there["a"].ready, dict(there["a"].counters().refused), len(told)) == (True, {}, written)
