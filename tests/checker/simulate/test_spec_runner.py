"""The player: steps of a specification with the ids that its trace gives to messages."""

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.simulate.spec_runner import Player
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import start
from tests.toys.words.spec import FIFO, UNORDERED, Say, Word
from tests.toys.words.spec import start as words


def test_messages_get_ids_in_the_order_of_their_sending():
    player = Player(UNORDERED, words())
    player.timeout("a", "twice")
    player.timeout("b", "speak")
    assert player.waiting == {0: ("b", Word("good")), 1: ("b", Word("good")), 2: ("a", Word("good"))}
    player.deliver(1)
    assert player.in_flight == (("b", Word("good")), ("a", Word("good")))
    player.deliver_to("b", Word("good"))
    assert list(player.waiting) == [2]
    assert [line["took"] for line in player.lines[1:]] == ["timeout", "timeout", 1, 0]


def test_of_equal_messages_the_earliest_of_the_named_sender_arrives():
    player = Player(FIFO, Start((*words().roles, ("c", "teller")), (*words().locals, ("c", Word("good")))))
    for node in ("a", "c", "c"):
        player.timeout(node, "speak")
    assert player.senders == {0: "a", 1: "c", 2: "c"}
    player.deliver_to("b", Word("good"), sender="c")
    assert list(player.waiting) == [0, 2]
    with pytest.raises(ValueError, match="is in flight"):
        player.deliver_to("b", Word("good"), sender="b")


def test_a_command_is_written_as_a_trace_has_it():
    player = Player(UNORDERED, words())
    player.command("b", Say("bad"))
    assert player.lines[1] == {
        "node": "b",
        "took": {"kind": "say", "text": "bad"},
        "state": {"text": "bad"},
        "sent": [],
    }
    assert not player.is_legitimate()


def test_only_messages_in_flight_arrive_and_coins_fall_on_their_sides():
    player = Player(UNORDERED, words())
    with pytest.raises(KeyError):
        player.deliver(7)
    with pytest.raises(ValueError, match=r"^no Word\(text='good'\) to 'a' is in flight$"):
        player.deliver_to("a", Word("good"))
    with pytest.raises(ValueError, match=r"^the coin of 'a' has no side 'heads'$"):
        player.timeout("a", "heads")
    assert player.lines[1:] == []


def test_runs_of_the_specification_conform_with_the_judges_rounds(tmp_path):
    player = Player(PROTOCOL, start(3))
    for _ in range(4):
        player.round("silent")
    path = tmp_path / "t.jsonl"
    path.write_bytes(player.trace())
    judgement = judge_file(path)
    assert judgement.exit_code() == 0
    assert judgement.rounds_after in (3, 4)
