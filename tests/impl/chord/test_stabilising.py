"""Questions of a node, its use of answers, and the nodes that it forgets, step by step."""

from random import Random

import pytest

from gomboc.impl.automaton import SetTimer, Timeout, Traced
from tests.impl.chord.systems import (
    ALONE,
    delivered_by,
    node,
    numbered,
    obey,
    receive,
    sent_by,
    state_of,
    time_out,
)

PLAIN = numbered(fingers=False)
MEETING = numbered(fingers=False, meet=True)


def ask(sender="n10"):
    return {"kind": "StabilizeRequest", "sender": sender}


def answer(sender, predecessor, *successors):
    return {"kind": "StabilizeReply", "sender": sender, "predecessor": predecessor, "successors": list(successors)}


def test_the_head_is_asked_and_the_predecessor_pinged():
    core = node("n10", PLAIN, predecessor="n5", successors=["n20", "n30"])
    assert time_out(core) == [("n20", ask()), ("n5", {"kind": "Ping", "sender": "n10"})]


def test_the_next_timeout_is_due_in_a_period():
    assert SetTimer(8.5) in node("n10").handle(7.5, Timeout())


def test_a_node_that_is_alone_asks_no_node_and_with_a_predecessor_that():
    assert time_out(node("n10", PLAIN)) == []
    assert time_out(node("n10", PLAIN, predecessor="n5")) == [("n5", ask()), ("n5", {"kind": "Ping", "sender": "n10"})]


def test_a_question_is_answered_with_ones_state():
    core = node("n10", predecessor="n5", successors=["n20", "n30"])
    assert sent_by(receive(core, **ask("n7"))) == [("n7", answer("n10", "n5", "n20", "n30"))]


def test_a_ping_is_harmless():
    core = node("n10", predecessor="n5")
    assert receive(core, kind="Ping", sender="n7") == []
    assert state_of(core) == {**ALONE, "predecessor": "n5"}


def test_the_heads_list_is_taken_over_and_it_is_notified():
    core = node("n10", successors=["n20", "n30"])
    sends = sent_by(receive(core, **answer("n20", "n10", "n31", "n40", "n50")))
    assert state_of(core)["successors"] == ["n20", "n31", "n40"]
    assert sends == [("n20", {"kind": "Notify", "sender": "n10"})]


@pytest.mark.parametrize("predecessor", [None, "n10", "n9", "n25"])
def test_a_head_whose_predecessor_is_not_nearer_is_notified(predecessor):
    sends = sent_by(receive(node("n10", successors=["n20"]), **answer("n20", predecessor)))
    assert sends == [("n20", {"kind": "Notify", "sender": "n10"})]


def test_a_nearer_node_is_asked_and_not_adopted():
    core = node("n10", successors=["n20"])
    assert sent_by(receive(core, **answer("n20", "n15", "n30"))) == [("n15", ask())]
    assert state_of(core)["successors"] == ["n20", "n30"]


def test_a_nearer_node_is_adopted_once_it_has_answered():
    core = node("n10", successors=["n20", "n30"])
    sends = sent_by(receive(core, **answer("n15", "n10", "n20", "n30")))
    assert state_of(core)["successors"] == ["n15", "n20", "n30"]
    assert sends == [("n15", {"kind": "Notify", "sender": "n10"})]


@pytest.mark.parametrize("sender", ["n30", "n5", "n10"])
def test_an_answer_from_any_node_else_changes_nothing(sender):
    core = node("n10", successors=["n20", "n30"])
    before = core.snapshot()
    assert receive(core, **answer(sender, None, "n40")) == []
    assert core.snapshot() == before


def test_a_node_that_has_no_successor_uses_an_answer_from_any_node():
    core = node("n10", predecessor="n5")
    assert sent_by(receive(core, **answer("n5", None, "n7", "n10"))) == [("n5", {"kind": "Notify", "sender": "n10"})]
    assert state_of(core)["successors"] == ["n5", "n7"]


@pytest.mark.parametrize(
    ("neighbours", "kept"),
    [
        (["n30", "n10", "n12"], ["n20", "n30"]),
        (["n10"], ["n20"]),
        (["n40", "n30"], ["n20", "n40", "n30"]),
        (["n2", "n9", "n12"], ["n20", "n2", "n9"]),
    ],
)
def test_a_list_ends_at_oneself(neighbours, kept):
    core = node("n10", successors=["n20"])
    receive(core, **answer("n20", "n10", *neighbours))
    assert state_of(core)["successors"] == kept


@pytest.mark.parametrize(
    ("predecessor", "sender", "adopted"),
    [
        (None, "n50", "n50"),
        ("n50", "n60", "n60"),
        ("n50", "n3", "n3"),
        ("n50", "n50", "n50"),
        ("n50", "n40", "n50"),
        ("n3", "n60", "n3"),
        (None, "n10", None),
    ],
)
def test_a_notifier_is_adopted_if_it_is_nearer_or_the_first(predecessor, sender, adopted):
    core = node("n10", predecessor=predecessor)
    assert sent_by(receive(core, kind="Notify", sender=sender)) == []
    assert state_of(core)["predecessor"] == adopted


@pytest.mark.parametrize("word", ["message", "command"])
def test_a_node_that_is_gone_is_dropped_wherever_it_stands_but_among_the_peers(word):
    fingers = [[4, "n30"], [5, "n50"]]
    core = node("n10", predecessor="n30", successors=["n20", "n30", "n40"], fingers=fingers, peers=["n30"])
    if word == "message":
        receive(core, kind="Dead", node="n30")
    else:
        obey(core, kind="Suspect", node="n30")
    left = {"successors": ["n20", "n40"], "fingers": [[5, "n50"]], "peers": ["n30"]}
    assert state_of(core) == {**ALONE, **left}


def test_a_ring_that_was_told_of_is_delivered_once_it_changes_and_not_before():
    core = node("n10", successors=["n20"])
    expected = {"kind": "Neighbours", "predecessor": None, "successors": ["n20", "n30"]}
    assert delivered_by(receive(core, **answer("n20", None, "n30"))) == [expected]
    assert delivered_by(receive(core, **answer("n20", None, "n30"))) == []
    assert delivered_by(receive(core, kind="Notify", sender="n5")) == [{**expected, "predecessor": "n5"}]
    assert delivered_by(core.handle(0.0, Timeout())) == []


def asked(variables, times=400):
    """The nodes that a node asks with `meet`, by the coin that it reports."""
    core = node("n10", MEETING, Random(1), **variables)
    targets = {}
    for _ in range(times):
        outputs = core.handle(0.0, Timeout())
        coin = next((output.coin for output in outputs if isinstance(output, Traced)), None)
        whom = [to for to, message in sent_by(outputs) if message["kind"] == "StabilizeRequest"]
        targets.setdefault(coin, []).append(*whom or [None])
    return targets


def test_by_a_coin_the_head_or_a_peer_that_would_be_nearer_is_asked():
    targets = asked({"successors": ["n40"], "peers": ["n20", "n30", "n40", "n50", "n9"]})
    assert {coin: set(whom) for coin, whom in targets.items()} == {
        "head": {"n40"},
        "peer n20": {"n20"},
        "peer n30": {"n30"},
    }
    assert 160 < len(targets["head"]) < 240
    assert 70 < len(targets["peer n20"]) < 130


def test_without_a_choice_no_coin_is_tossed():
    assert asked({"successors": ["n40"], "peers": ["n50", "n9"]}) == {None: ["n40"] * 400}
    assert asked({"peers": ["n50"]}) == {None: ["n50"] * 400}
    assert asked({}) == {None: [None] * 400}


def test_a_node_that_has_no_successor_asks_any_peer_or_its_predecessor():
    assert set(asked({"peers": ["n20", "n5"]})) == {"peer n20", "peer n5"}
    targets = asked({"predecessor": "n7", "peers": ["n20"]})
    assert {coin: set(whom) for coin, whom in targets.items()} == {"head": {"n7"}, "peer n20": {"n20"}}


def test_without_meet_no_peer_is_asked():
    core = node("n10", PLAIN, peers=["n20"])
    assert time_out(core) == []


def test_the_membership_names_peers_and_oneself_is_none():
    core = node("n10", MEETING)
    assert obey(core, kind="Peers", nodes=["n10", "n20"]) == []
    assert state_of(core) == {**ALONE, "peers": ["n20"]}
