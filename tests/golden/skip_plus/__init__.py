"""The golden traces of Skip+."""

from collections.abc import Iterator

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden.skip_plus import negatives, starts
from tests.golden.skip_plus.starts import V, W, Y, Z
from tests.golden.telling import HonestRun, Lie, TimeoutCase, told

COMINGS_AND_GOINGS = (
    PlannedCommand(1, Z, "Join", {"contact": V}),
    PlannedCommand(6, Y, "Leave"),
    PlannedCommand(10, W, "Crash"),
)

STORIES = {
    "two_of_which_one_knows_the_other": HonestRun(starts.TWO, 1),
    "five_with_the_same_string": HonestRun(starts.EQUAL, 1),
    "six_in_a_line": HonestRun(starts.LINE, 1),
    "six_in_a_star": HonestRun(starts.STAR, 1),
    "corrupted_memories_and_messages": HonestRun(starts.corrupted(), 1),
    "the_same_without_rounds": HonestRun(starts.corrupted(synchronous=False), 1),
    "departed_nodes_are_known": HonestRun(starts.DEPARTED, 1),
    "one_joins_one_leaves_one_crashes": HonestRun(starts.RIGHT, 1, COMINGS_AND_GOINGS),
    "one_crashes_and_comes_back": HonestRun(
        starts.RIGHT, 2, (PlannedCommand(2, W, "Crash"), PlannedCommand(3, W, "Join", {"contact": Y}))
    ),
}

ABOUT, RIGHT = HonestRun(starts.ABOUT, 3), HonestRun(starts.RIGHT, 5)
MOVING = HonestRun(starts.RIGHT, 1, COMINGS_AND_GOINGS)

LIES = (
    Lie(negatives.moved_to_no_node, "end_round", ABOUT),
    Lie(negatives.kept_after_it_was_moved, "end_round", ABOUT),
    Lie(negatives.reverse_edge_not_created, "end_round", ABOUT),
    Lie(negatives.introduced_before_it_has_spoken, "end_round", ABOUT),
    Lie(negatives.range_made_up, "end_round", ABOUT),
    Lie(negatives.flag_that_is_false, "end_round", ABOUT),
    Lie(negatives.update_left_out, "end_round", ABOUT),
    Lie(negatives.update_invented, "end_round", ABOUT),
    Lie(negatives.update_to_another_node, "end_round", ABOUT),
    Lie(negatives.send_to_an_unknown_node, "known_node", ABOUT),
    Lie(negatives.delivery_to_the_application, "end_round", ABOUT),
    Lie(negatives.insert_not_taken, "collect", ABOUT),
    Lie(negatives.answer_to_an_update, "collect", ABOUT),
    Lie(negatives.removed_on_receipt, "lose", ABOUT),
    Lie(negatives.gone_not_believed, "lose", ABOUT),
    Lie(negatives.nothing_given_back, "bounce", ABOUT),
    Lie(negatives.no_word_from_a_node_that_is_gone, "bounce", ABOUT),
    Lie(negatives.timeout_of_a_node_that_is_gone, "absent_timeout", HonestRun(starts.ABOUT, 1)),
    Lie(negatives.joined_through_another_node, "join", MOVING),
    Lie(negatives.left_without_a_word, "leave", MOVING),
    Lie(negatives.last_words_of_a_crash, "crash", MOVING),
    # The implementation has no rule for it either.
    Lie(negatives.joined_through_itself, "input_has_rule", ABOUT, None),
    Lie(negatives.delivered_twice, "delivered_once", ABOUT),
    Lie(negatives.delivered_to_another_node, "delivered_to_target", ABOUT),
    # Somebody has had its timeout, and others not: no run begins like that.
    Lie(negatives.delivered_before_it_was_sent, "sent_before_delivered", ABOUT, None),
    Lie(negatives.delivered_though_never_sent, "known_message", ABOUT),
    Lie(negatives.altered_in_flight, "delivered_unaltered", ABOUT),
    Lie(negatives.id_given_twice, "fresh_id", ABOUT),
    Lie(negatives.id_given_twice_at_the_start, "fresh_id", ABOUT, None),
    Lie(negatives.step_by_an_unknown_node, "known_node", ABOUT),
    Lie(negatives.state_changed_between_steps, "steps_chain", ABOUT),
    Lie(negatives.timeout_before_all_has_arrived, "delivered_in_order", ABOUT, None),
    Lie(negatives.timeout_twice_in_one_round, "delivered_in_order", ABOUT, None),
    Lie(negatives.delivered_in_the_round_in_which_it_was_sent, "delivered_in_order", ABOUT, None),
    # The implementation refuses to go on from what is not canonical, and so do we.
    Lie(negatives.name_that_is_none, "canonical", ABOUT, None),
    Lie(negatives.names_not_in_order, "canonical", ABOUT, None),
    Lie(negatives.range_of_a_level_too_many, "canonical", ABOUT, None),
    Lie(negatives.node_that_is_not_there, "canonical", ABOUT, None),
    Lie(negatives.neighbour_forgotten, "closure", RIGHT),
    Lie(negatives.stranger_introduced, "closure", RIGHT),
)

HASTE = TimeoutCase(
    "Six nodes in a line, which are not right after as many rounds as the header allows; nothing is wrong else.",
    starts.LINE,
    4,
)


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of Skip+."""
    yield from told(STORIES, LIES, HASTE)
