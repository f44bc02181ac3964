"""Findings as columns: steps that are wrong, that hold values that are not canonical, or that cannot be judged."""

from gomboc.checker.distinct.findings import UNDECIDED, LocalFinding, PackFindings
from gomboc.checker.distinct.marks import Marks
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import header, hears, obeys, rests, tells

MALFORMED, UNREADABLE = LocalFinding("canonical", ""), LocalFinding(UNDECIDED, "")
LINES = header(), rests("a"), rests("a", "bad"), tells("a", 0, "bad"), hears("b", 0, "bad", received={"text": "mad"})
DISTINCT = Stages(list(LINES)).distinct
STATE = {text: number for number, text in enumerate(DISTINCT.state_texts)}
MESSAGE = {text: number for number, text in enumerate(DISTINCT.message_texts)}
BAD, MAD = b'{"text":"bad"}', b'{"text":"mad"}'


def marks(**findings):
    return Marks(DISTINCT, PackFindings(**findings))


def test_a_number_without_a_finding_is_right():
    masks = marks()
    assert not any((masks.any_wrong, masks.any_malformed, masks.any_malformed_start, masks.any_undecided))


def test_a_wrong_step_is_marked_alone():
    masks = marks(steps={2: LocalFinding("tell", "text")})
    assert masks.wrong_steps.tolist() == [False, False, True, False]
    assert not masks.any_undecided


def test_a_malformed_state_marks_the_steps_that_lead_to_it():
    assert marks(states={STATE[BAD]: MALFORMED}).malformed_steps.tolist() == [False, True, True, True]


def test_a_malformed_message_marks_the_steps_that_send_it():
    masks = marks(messages={MESSAGE[BAD]: MALFORMED})
    assert masks.malformed_steps.tolist() == [False, False, True, False]
    assert masks.any_malformed_start


def test_steps_with_unreadable_values_are_undecided():
    assert marks(states={STATE[BAD]: UNREADABLE}).undecided_steps.tolist() == [False, True, True, True]
    assert marks(messages={MESSAGE[BAD]: UNREADABLE}).undecided_steps.tolist() == [False, False, True, False]
    assert marks(messages={MESSAGE[MAD]: UNREADABLE}).undecided_steps.tolist() == [False, False, False, True]
    assert marks(steps={0: UNREADABLE}).undecided_steps.tolist() == [True, False, False, False]


def test_a_command_is_no_message_until_it_is_sent_or_received():
    stages = Stages([header(), obeys("a", "bad"), tells("a", 0, "bad")])
    assert Marks(stages.distinct).undecided_messages.tolist() == [True, False]
