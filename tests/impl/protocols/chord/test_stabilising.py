"""Questions of a node, its use of answers, and the nodes that it forgets, step by step."""

from random import Random

from gomboc.impl.core.automaton import Timeout, Traced
from tests.impl.protocols.chord.systems import node, numbered, sent_by

MEETING = numbered(fingers=False, meet=True)


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
