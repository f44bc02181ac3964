"""The golden traces of Skip+."""

from collections.abc import Iterator

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden.skip_plus import lies, starts
from tests.golden.skip_plus.starts import V, W, Y, Z
from tests.golden.telling import Haste, Lie, Story, told

COMINGS_AND_GOINGS = (
    PlannedCommand(1, Z, "Join", {"contact": V}),
    PlannedCommand(6, Y, "Leave"),
    PlannedCommand(10, W, "Crash"),
)

STORIES = {
    "two_of_which_one_knows_the_other": Story(starts.TWO, 1),
    "five_with_the_same_string": Story(starts.EQUAL, 1),
    "six_in_a_line": Story(starts.LINE, 1),
    "six_in_a_star": Story(starts.STAR, 1),
    "corrupted_memories_and_messages": Story(starts.corrupted(), 1),
    "the_same_without_rounds": Story(starts.corrupted(synchronous=False), 1),
    "departed_nodes_are_known": Story(starts.DEPARTED, 1),
    "one_joins_one_leaves_one_crashes": Story(starts.RIGHT, 1, COMINGS_AND_GOINGS),
    "one_crashes_and_comes_back": Story(
        starts.RIGHT, 2, (PlannedCommand(2, W, "Crash"), PlannedCommand(3, W, "Join", {"contact": Y}))
    ),
}

ABOUT, RIGHT = Story(starts.ABOUT, 3), Story(starts.RIGHT, 5)
MOVING = Story(starts.RIGHT, 1, COMINGS_AND_GOINGS)

LIES = (
    Lie(lies.moved_to_nobody, "end_round", ABOUT),
    Lie(lies.kept_after_it_was_moved, "end_round", ABOUT),
    Lie(lies.reverse_edge_not_created, "end_round", ABOUT),
    Lie(lies.introduced_before_it_has_spoken, "end_round", ABOUT),
    Lie(lies.range_made_up, "end_round", ABOUT),
    Lie(lies.flag_that_is_false, "end_round", ABOUT),
    Lie(lies.update_left_out, "end_round", ABOUT),
    Lie(lies.update_invented, "end_round", ABOUT),
    Lie(lies.update_to_another_node, "end_round", ABOUT),
    Lie(lies.send_to_an_unknown_node, "known_node", ABOUT),
    Lie(lies.delivery_to_the_application, "end_round", ABOUT),
    Lie(lies.insert_not_taken, "collect", ABOUT),
    Lie(lies.answer_to_an_update, "collect", ABOUT),
    Lie(lies.removed_on_receipt, "lose", ABOUT),
    Lie(lies.gone_not_believed, "lose", ABOUT),
    Lie(lies.nothing_given_back, "bounce", ABOUT),
    Lie(lies.no_word_from_who_is_gone, "bounce", ABOUT),
    Lie(lies.timeout_of_who_is_gone, "absent_timeout", Story(starts.ABOUT, 1)),
    Lie(lies.joined_through_another_node, "join", MOVING),
    Lie(lies.left_without_a_word, "leave", MOVING),
    Lie(lies.last_words_of_a_crash, "crash", MOVING),
    # The implementation has no rule for it either.
    Lie(lies.joined_through_itself, "input_has_rule", ABOUT, None),
    Lie(lies.delivered_twice, "delivered_once", ABOUT),
    Lie(lies.delivered_to_another_node, "delivered_to_target", ABOUT),
    # Somebody has had its timeout, and others not: no run begins like that.
    Lie(lies.delivered_before_it_was_sent, "sent_before_delivered", ABOUT, None),
    Lie(lies.delivered_though_never_sent, "known_message", ABOUT),
    Lie(lies.altered_in_flight, "delivered_unaltered", ABOUT),
    Lie(lies.id_given_twice, "fresh_id", ABOUT),
    Lie(lies.id_given_twice_at_the_start, "fresh_id", ABOUT, None),
    Lie(lies.step_by_an_unknown_node, "known_node", ABOUT),
    Lie(lies.state_changed_between_steps, "steps_chain", ABOUT),
    Lie(lies.timeout_before_all_has_arrived, "delivered_in_order", ABOUT, None),
    Lie(lies.timeout_twice_in_one_round, "delivered_in_order", ABOUT, None),
    Lie(lies.delivered_in_the_round_in_which_it_was_sent, "delivered_in_order", ABOUT, None),
    # The implementation refuses to go on from what is not canonical, and so do we.
    Lie(lies.name_that_is_none, "canonical", ABOUT, None),
    Lie(lies.names_not_in_order, "canonical", ABOUT, None),
    Lie(lies.range_of_a_level_too_many, "canonical", ABOUT, None),
    Lie(lies.node_that_is_not_there, "canonical", ABOUT, None),
    Lie(lies.neighbour_forgotten, "closure", RIGHT),
    Lie(lies.stranger_introduced, "closure", RIGHT),
)

HASTE = Haste(
    "Six nodes in a line, which are not right after as many rounds as the header allows; nothing is wrong else.",
    starts.LINE,
    4,
)


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of Skip+."""
    yield from told(STORIES, LIES, HASTE)
