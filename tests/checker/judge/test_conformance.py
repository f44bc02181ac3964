"""Each rule that makes a trace true is broken once, by a minimal change, and kept once, by a minimal change.

Source: traces/README.md, Conformance
"""

import msgspec
import pytest

from gomboc.checker.judge.exact import written_alike
from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Difference, Holds, Unknown, Violated
from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring.state import Check, Claim
from tests.checker import ring
from tests.checker.judge.both import judged
from tests.toys.words.spec import FIFO, ROUNDS, UNORDERED, Word, header, hears, in_flight, obeys, rests, tells


def conformance(*lines, protocol=UNORDERED):
    return judged(*lines, protocol=protocol).conformance


def holds(steps):
    which = "the only step" if steps == 1 else f"each of {steps} steps"
    return Holds(f"{which} is one that the specification allows")


def test_a_trace_that_uses_every_kind_of_step_conforms():
    lines = [
        header("new", "old", [(9, "a", "newer")]),
        tells("a", 0, "new", coin="speak"),
        rests("b", "old", coin="silent"),
        hears("b", 0, "new", received={"text": "new"}),
        hears("a", 9, "newer"),
        obeys("a", "newest"),
        rests("a", "newest", sent=in_flight((3, "b", "good"), (2, "b", "newest")), coin="twice"),
    ]
    assert conformance(*lines) == holds(6)


def test_a_node_that_is_not_there_takes_no_step():
    says = "'x' is not among the roles of the header"
    assert conformance(header(), rests("a"), rests("x")) == Violated(2, "known_node", says, "x")


def test_nothing_is_sent_to_a_node_that_is_not_there():
    stray = rests("a", sent=in_flight((0, "x", "good")))
    says = "message 0 is sent to 'x', which is not among the roles of the header"
    assert conformance(header(), stray) == Violated(1, "known_node", says, "a")


def test_nothing_is_in_flight_at_the_start_to_a_node_that_is_not_there():
    says = "message 4 is sent to 'x', which is not among the roles of the header"
    assert conformance(header(messages=[(4, "x", "good")]), rests("a")) == Violated(0, "known_node", says)


def test_a_message_that_was_never_sent_is_not_delivered():
    says = "message 3 was never sent"
    assert conformance(header(), hears("b", 3), rests("a")) == Violated(1, "known_message", says, "b")


def test_a_message_is_not_delivered_before_the_step_that_sends_it():
    says = "message 3 is delivered before it is sent, at step 3"
    lines = header(), hears("b", 3), rests("a"), tells("a", 3), tells("a", 4)
    assert conformance(*lines) == Violated(1, "sent_before_delivered", says, "b")


def test_a_message_is_not_delivered_in_the_step_that_sends_it():
    says = "message 3 is delivered before it is sent, at step 1"
    both = hears("b", 3, sent=in_flight((3, "b", "good")))
    assert conformance(header(), both) == Violated(1, "sent_before_delivered", says, "b")


def test_a_message_is_delivered_once():
    lines = header(), tells("a", 0), hears("b", 0), rests("a"), hears("b", 0)
    says = "message 0 had been delivered before"
    assert conformance(*lines) == Violated(4, "delivered_once", says, "b")
    assert conformance(*lines[:-1]) == holds(3)


def test_a_message_that_was_in_flight_at_the_start_is_delivered_once():
    lines = header(messages=[(5, "b", "good")]), hears("b", 5), hears("b", 5)
    says = "message 5 had been delivered before"
    assert conformance(*lines) == Violated(2, "delivered_once", says, "b")


def test_a_message_is_delivered_to_the_node_to_which_it_was_sent():
    says = "message 0 was sent to another node"
    result = (Difference("delivered to", "b", "a"),)
    lines = header(), tells("a", 0), hears("a", 0)
    assert conformance(*lines) == Violated(2, "delivered_to_target", says, "a", "", result)


def test_a_message_is_delivered_as_it_was_sent():
    altered = hears("b", 0, received={"text": "evil"})
    says = "message 0 was altered in flight"
    result = (Difference("text", "good", "evil"),)
    violated = Violated(2, "delivered_unaltered", says, "b", "", result)
    assert conformance(header(), tells("a", 0), altered) == violated
    assert conformance(header(), tells("a", 0), hears("b", 0, received={"text": "good"})) == holds(2)


@pytest.mark.parametrize(
    "lines",
    [
        (header(), tells("a", 7), tells("b", 7)),
        (header(messages=[(7, "a", "good")]), rests("b"), tells("a", 7)),
        (header(), rests("b"), rests("a", sent=in_flight((7, "b", "good"), (7, "b", "good")), coin="twice")),
        (header(), tells("a", 7), hears("b", 7), tells("b", 7)),
    ],
    ids=["of another step", "of the start", "of the same step", "of a message that was delivered"],
)
def test_an_id_is_not_given_to_a_second_message(lines):
    says = "message id 7 is given to a second message"
    node = lines[-1]["node"]
    assert conformance(*lines) == Violated(len(lines) - 1, "fresh_id", says, node)


def test_an_id_is_not_given_to_two_messages_of_the_start():
    says = "message id 7 is given to a second message"
    twice = header(messages=[(7, "a", "good"), (7, "b", "good")])
    assert conformance(twice, rests("a")) == Violated(0, "fresh_id", says)


def test_the_state_before_a_step_is_that_after_the_nodes_previous_one():
    lines = header(), obeys("a", "new"), rests("b", before={"text": "good"}), rests("a", "new", before={"text": "good"})
    says = "the node's state changed between its steps"
    result = (Difference("text", "new", "good"),)
    assert conformance(*lines) == Violated(3, "steps_chain", says, "a", "", result)
    assert conformance(*lines[:-1], rests("a", "new", before={"text": "new"})) == holds(3)


EMPTY = (Difference("canonical", "a word", ""),)
NOT_ALLOWED = "a value is not one that its type allows"


@pytest.mark.parametrize(
    ("lines", "step", "node"),
    [
        ((header("good", ""), rests("a")), 0, "b"),
        ((header(messages=[(0, "a", "")]), rests("a")), 0, ""),
        ((header(), rests("b"), rests("b", "")), 2, "b"),
        ((header(), rests("b"), tells("a", 0, sent=in_flight((0, "b", "")))), 2, "a"),
    ],
    ids=["state at the start", "message at the start", "state", "message"],
)
def test_a_value_that_its_type_forbids_is_not_canonical(lines, step, node):
    assert conformance(*lines) == Violated(step, "canonical", NOT_ALLOWED, node, "Section 4", EMPTY)


def naming(protocol):
    """The toy in which a word that is the name of a node names it."""
    return protocol.changed(named=lambda value: (value.text,) if len(value.text) == 1 else ())


@pytest.mark.parametrize(
    ("lines", "step", "node"),
    [
        ((header("good", "c"), rests("a")), 0, "b"),
        ((header(messages=[(0, "a", "c")]), rests("a")), 0, ""),
        ((header(), rests("b"), rests("b", "c")), 2, "b"),
        ((header(), rests("b"), tells("a", 0, sent=in_flight((0, "b", "c")))), 2, "a"),
    ],
    ids=["state at the start", "message at the start", "state", "message"],
)
def test_a_value_that_names_a_node_that_is_not_there_is_not_canonical(lines, step, node):
    says = "a value names 'c', which is not among the roles of the header"
    judgement = judged(*lines, protocol=naming(UNORDERED))
    assert judgement.conformance == Violated(step, "canonical", says, node)
    assert isinstance(judgement.convergence, Unknown)


def test_a_command_that_names_a_node_that_is_not_there_is_not_canonical():
    """Source: gomboc.spec.core.protocol, what names another node is as wrong as what is malformed"""
    says = "the command names 'c', which is not among the roles of the header"
    judgement = judged(header(), rests("b"), obeys("b", "c", state={"text": "good"}), protocol=naming(UNORDERED))
    assert judgement.conformance == Violated(2, "canonical", says, "b")
    assert isinstance(judgement.convergence, Unknown)


def test_a_value_may_name_any_node_of_the_roles_and_any_other_where_nothing_is_said_of_names():
    lines = header("a", "c"), rests("a", "a"), rests("b", "c")
    assert conformance(*lines, protocol=naming(UNORDERED)).rule == "canonical"
    assert conformance(header("a", "c", c="b"), *lines[1:], protocol=naming(UNORDERED)) == holds(2)
    assert conformance(*lines) == holds(2)


def test_an_input_for_which_there_is_no_rule_is_refused_with_the_words_of_the_specification():
    says = "there is no rule for Commanded(command=Say(text='riddle'))"
    assert conformance(header(), obeys("a", "riddle")) == Violated(1, "input_has_rule", says, "a")


def produces(step, rule, source, *differences, node="a"):
    says = f"the step is not what the rule {rule!r} produces"
    return Violated(step, rule, says, node, source, differences)


def test_a_state_that_the_rule_does_not_produce_is_named_field_by_field():
    result = Difference("text", "good", "evil")
    assert conformance(header(), rests("a", "evil")) == produces(1, "tell", "Section 1", result)


def test_a_message_too_few_and_a_message_too_many_are_named():
    lacking = Difference("not sent to b", Word("good"), None)
    surplus = Difference("sent to a", None, Word("evil"))
    wrong = rests("a", coin="speak", sent=in_flight((1, "a", "evil")))
    assert conformance(header(), wrong) == produces(1, "tell", "Section 1", lacking, surplus)


def test_a_message_sent_twice_instead_of_once_is_one_too_many():
    surplus = Difference("sent to b", None, Word("good"))
    wrong = rests("a", coin="speak", sent=in_flight((1, "b", "good"), (2, "b", "good")))
    assert conformance(header(), wrong) == produces(1, "tell", "Section 1", surplus)


def test_deliveries_to_the_application_belong_to_the_step():
    lines = header(), tells("a", 0)
    result = Difference("delivered", ("good",), ())
    silent = hears("b", 0, delivered=[])
    assert conformance(*lines, silent) == produces(2, "hear", "Section 2", result, node="b")
    result = Difference("delivered", ("good",), ("good", "good"))
    assert conformance(*lines, hears("b", 0, delivered=["good"] * 2)) == produces(
        2, "hear", "Section 2", result, node="b"
    )


def test_a_value_that_the_application_is_handed_is_compared_as_the_trace_writes_it():
    handing = UNORDERED.changed(react=lambda me, local, taken, choice: Outcome(local, (), (Word("good"),)))
    assert conformance(header(), rests("a", delivered=[{"text": "good"}]), protocol=handing) == holds(1)
    result = Difference("delivered", ({"text": "good"},), ("good",))
    assert conformance(header(), rests("a", delivered=["good"]), protocol=handing).differences == (result,)


def test_a_step_is_held_against_the_coin_that_it_names():
    lacking = Difference("not sent to b", Word("good"), None)
    assert conformance(header(), rests("a", coin="speak")) == produces(1, "tell", "Section 1", lacking)
    assert conformance(header(), rests("a", coin="silent")) == holds(1)


def test_a_step_that_names_no_coin_may_have_tossed_any():
    assert conformance(header(), rests("a"), tells("a", 0)) == holds(2)


def test_a_coin_without_that_side_is_refused():
    says = "the rule's coin has no side 'edge'"
    result = (Difference("coin", ["silent", "speak", "twice"], "edge"),)
    assert conformance(header(), rests("a", coin="edge")) == Violated(1, "tell", says, "a", "Section 1", result)


def test_the_closest_outcome_explains_the_violation():
    result = Difference("sent to b", None, Word("evil"))
    wrong = rests("a", sent=in_flight((0, "b", "good"), (1, "b", "evil")))
    assert conformance(header(), wrong) == produces(1, "tell", "Section 1", result)


def test_only_the_first_step_that_does_not_conform_is_reported():
    assert conformance(header(), rests("a", "evil"), rests("b", "evil")).step == 1


def test_a_trace_without_steps_claims_nothing():
    assert conformance(header()) == Unknown("the trace has no steps")


def test_a_wrong_start_is_wrong_without_any_step():
    assert conformance(header("")) == Violated(0, "canonical", NOT_ALLOWED, "a", "Section 4", EMPTY)


def order(step, says, node="b"):
    return Violated(step, "delivered_in_order", says, node)


OVERTAKES = header(), tells("a", 0), tells("a", 1), hears("b", 1)


def test_under_fifo_a_message_does_not_overtake_an_earlier_one_of_its_link():
    says = "message 1 overtakes message 0, also from 'a' to 'b'"
    assert conformance(*OVERTAKES, protocol=FIFO) == order(3, says)


def test_unordered_channels_allow_deliveries_that_fifo_forbids():
    assert conformance(*OVERTAKES, hears("b", 0), protocol=UNORDERED) == holds(4)


def test_under_fifo_messages_arrive_in_the_order_in_which_they_were_sent():
    lines = header(), tells("a", 1), tells("a", 0), hears("b", 1), hears("b", 0)
    assert conformance(*lines, protocol=FIFO) == holds(4)


def test_under_fifo_the_order_of_one_step_counts():
    both = rests("a", "new", sent=in_flight((4, "b", "new"), (3, "b", "good")), coin="twice")
    lines = header("new"), both
    assert conformance(*lines, hears("b", 4, "new"), hears("b", 3), protocol=FIFO) == holds(3)
    says = "message 3 overtakes message 4, also from 'a' to 'b'"
    assert conformance(*lines, hears("b", 3), protocol=FIFO) == order(2, says)


def test_under_fifo_a_step_sends_in_the_order_of_the_rule():
    turned = rests("a", "new", sent=in_flight((3, "b", "good"), (4, "b", "new")), coin="twice")
    right, result = [("b", Word("new")), ("b", Word("good"))], [("b", Word("good")), ("b", Word("new"))]
    wrong = produces(1, "tell", "Section 1", Difference("order of sends", right, result))
    assert conformance(header("new"), turned, protocol=FIFO) == wrong
    assert conformance(header("new"), turned, protocol=UNORDERED) == holds(1)


def test_under_fifo_another_link_to_the_same_node_has_an_order_of_its_own():
    lines = header(c="good"), tells("a", 0), tells("c", 1), hears("b", 1), hears("b", 0)
    assert conformance(*lines, protocol=FIFO) == holds(4)


def test_under_fifo_another_link_from_the_same_node_has_an_order_of_its_own():
    def lines(second):
        return header(messages=[(9, "a", "good")]), tells("b", 0), tells("a", 1), hears(*second)

    assert conformance(*lines(("b", 1)), protocol=FIFO) == holds(3)
    assert conformance(*lines(("a", 9)), protocol=FIFO) == holds(3)


def test_under_fifo_messages_in_flight_at_the_start_keep_no_order():
    lines = header(messages=[(1, "b", "good"), (2, "b", "good")]), hears("b", 2), tells("a", 3), hears("b", 3)
    assert conformance(*lines, hears("b", 1), protocol=FIFO) == holds(4)


def test_under_fifo_a_message_that_arrived_holds_up_none():
    lines = header(), tells("a", 0), hears("b", 0), tells("a", 1), hears("b", 1)
    assert conformance(*lines, protocol=FIFO) == holds(4)


ROUND = rests("a"), rests("b")


def test_in_a_synchronous_protocol_a_message_arrives_in_the_round_after_its_own():
    lines = header(), tells("a", 0), rests("b"), hears("b", 0), *ROUND
    assert conformance(*lines, protocol=ROUNDS) == holds(5)
    says = "message 0 was sent in this very round"
    assert conformance(header(), tells("a", 0), hears("b", 0), protocol=ROUNDS) == order(2, says)


def test_in_a_synchronous_protocol_a_node_has_one_timeout_in_a_round():
    says = "'a' has had its timeout in this round"
    assert conformance(header(), rests("a"), rests("a"), protocol=ROUNDS) == order(2, says, "a")
    assert conformance(header(), *ROUND, *ROUND, *reversed(ROUND), protocol=ROUNDS) == holds(6)


def test_in_a_synchronous_protocol_a_timeout_waits_for_the_messages_of_earlier_rounds():
    lines = header(), tells("a", 0), rests("b")
    says = "message 0 to 'b', of an earlier round, is still in flight"
    assert conformance(*lines, rests("b"), protocol=ROUNDS) == order(3, says)
    assert conformance(*lines, rests("a"), hears("b", 0), rests("b"), protocol=ROUNDS) == holds(5)


def test_in_rounds_messages_in_flight_at_the_start_are_of_an_earlier_one():
    lines = header(messages=[(0, "b", "good")]), rests("b")
    says = "message 0 to 'b', of an earlier round, is still in flight"
    assert conformance(*lines, protocol=ROUNDS) == order(1, says)
    assert conformance(lines[0], hears("b", 0), rests("b"), protocol=ROUNDS) == holds(2)


def test_a_rule_of_the_skip_ring_is_named_with_its_place_in_the_paper(tmp_path):
    path = tmp_path / "t.jsonl"
    check = Check(Claim("1", "v1"), "0", "LIN")
    wrong = {**ring.HEARS, "sent": [{"id": 1, "to": "v1", "message": msgspec.to_builtins(check)}]}
    path.write_bytes(ring.written(ring.HEADER, ring.SUPERVISES, wrong))
    assert judge_file(path).conformance == Violated(
        2,
        "set_data",
        "the step is not what the rule 'set_data' produces",
        "v1",
        "Algorithm 4, lines 16-20; Section 3.2.1 (iii)",
        (Difference("sent to v1", None, check),),
    )


@pytest.mark.parametrize(
    ("recorded", "produced", "same"),
    [
        ([{"x": 1, "y": 2}], [{"y": 2, "x": 1}], True),
        ([1], [1.0], False),
        ([1], [True], False),
        ([[True]], [[1]], False),
        ([1], [2], False),
    ],
)
def test_deliveries_are_alike_if_they_are_written_alike(recorded, produced, same):
    assert written_alike(recorded, produced) == same
