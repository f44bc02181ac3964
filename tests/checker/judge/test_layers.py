from pathlib import Path

import pytest

from checker.errors import UsageError
from checker.judge.layers import judge_layer_files, judge_layers
from checker.judge.trace import Step
from checker.judge.verdict import Difference, Holds, Unknown, Violated

GOLDEN = Path(__file__).resolve().parents[3] / "traces" / "skip_ring"
ONE, TWO = {"kind": "value", "number": 1}, {"kind": "value", "number": 2}


def delivers(node, *contents):
    return Step(node, "timeout", None, [], list(contents))


def obeys(node, command):
    return Step(node, command, None, [])


def lazy(node):
    return Step(node, "timeout", None, [])


LOWER = [delivers("a", ONE), delivers("b", TWO), delivers("a", TWO, ONE), lazy("a")]
UPPER = [lazy("a"), obeys("b", TWO), obeys("a", ONE), obeys("a", TWO), Step("a", 7, None, []), obeys("a", ONE)]


def test_commands_that_were_delivered_in_this_order_hold_whatever_other_nodes_do():
    assert judge_layers(LOWER, UPPER) == Holds("each of 4 commands is what the lower layer delivered, in order")


@pytest.mark.parametrize(
    ("upper", "step", "says", "node", "differences"),
    [
        (
            [*UPPER[:2], obeys("a", TWO), obeys("a", ONE), obeys("a", ONE)],
            3,
            "the upper layer's command is not what the lower one delivered",
            "a",
            (ONE, TWO),
        ),
        (
            [*UPPER, obeys("b", TWO)],
            7,
            "the upper layer took a command that the lower one did not deliver",
            "b",
            (None, TWO),
        ),
        (UPPER[:-1], 6, "the lower layer delivered what the upper one was never commanded", "a", (ONE, None)),
        ([], 1, "the lower layer delivered what the upper one was never commanded", "a", (ONE, None)),
    ],
)
def test_what_is_exchanged_added_or_left_out_is_found(upper, step, says, node, differences):
    found = judge_layers(LOWER, upper)
    assert found == Violated(
        step, "commanded_as_delivered", says, node, differences=(Difference("command", *differences),)
    )


def test_what_the_application_asks_for_comes_from_no_layer():
    request = {"kind": "publish", "payload": "x"}
    asked = [obeys("a", request), *UPPER, obeys("b", request)]
    assert isinstance(judge_layers(LOWER, asked), Violated)
    assert judge_layers(LOWER, asked, {"publish"}) == judge_layers(LOWER, UPPER)


def test_layers_between_which_nothing_passes_are_unknown():
    found = judge_layers([lazy("a")], [lazy("a"), obeys("a", ONE)], {"value"})
    assert found == Unknown("the lower layer delivered nothing, so nothing joins the two")


def test_files_are_judged_likewise():
    path = GOLDEN / "two_subscribers_with_corrupted_labels.ok.jsonl"
    assert isinstance(judge_layer_files(path, path), Unknown)


def test_traces_of_different_nodes_are_refused():
    two, one = (GOLDEN / f"{name}.ok.jsonl" for name in ("two_subscribers_with_corrupted_labels", "corrupted_database"))
    with pytest.raises(UsageError) as refused:
        judge_layer_files(two, one)
    assert str(refused.value).startswith(f"{two} and {one} are not of the same nodes: '")
    assert str(refused.value).endswith("' is in one of them only.")
