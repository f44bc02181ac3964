"""A node that is killed logs no more steps: neither rounds nor legitimacy wait for messages on their way to it."""

from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.simulate.spec_runner import Player
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import start
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Restart
from gomboc.spec.types.kinds import Crash, Suspect, Trust
from tests.checker.replay.kernel.packed import agree


def killed(player, rounds):
    """Rounds of all nodes but v2, which is killed at first; the supervisor suspects it at once."""
    for node in sorted(player.states):
        player.timeout(node, "ask")
    player.command("v2", Crash())
    player.command(SUPERVISOR, Suspect("v2"))
    for _ in range(rounds):
        for message, (target, _) in tuple(player.waiting.items()):
            if target != "v2":
                player.deliver(message)
        for node in ("supervisor", "v1", "v3"):
            player.timeout(node, "ask")
    return player


def test_a_ring_that_loses_a_member_without_a_word_converges_and_both_judges_say_so():
    player = killed(Player(PROTOCOL, start(3)), 12)
    assert [sent for sent in player.in_flight if sent[0] == "v2"], "there is something on its way that never arrives"
    (row,) = agree(PROTOCOL, [player.trace()], DEFAULT)
    assert (row["verdict"], row["error"]) == ("holds", None)
    assert row["rounds_after"] > 2


def test_messages_count_again_when_their_target_is_back():
    player = killed(Player(PROTOCOL, start(3)), 12)
    player.command("v2", Restart(True))
    player.command(SUPERVISOR, Trust("v2"))
    (early,) = agree(PROTOCOL, [player.trace()], DEFAULT)
    assert early["verdict"] == "unknown"
    for _ in range(12):
        player.round("ask")
    (row,) = agree(PROTOCOL, [player.trace()], DEFAULT)
    assert row["verdict"] == "holds"
