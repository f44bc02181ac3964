"""The golden traces of delta-fault-tolerance."""

from collections.abc import Iterator

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden import plain
from tests.golden.delta_fault_tolerance import negatives, starts
from tests.golden.delta_fault_tolerance.starts import P1, S1, S4, WANTED, A, B, C, D
from tests.golden.telling import HonestRun, Lie, TimeoutCase, told

PUBLISH = {"attributes": [["x", 1]]}
SUBSCRIBE = {"filter": WANTED}

CLIENTS = (
    PlannedCommand(0.5, S1, "Subscribe", SUBSCRIBE),
    PlannedCommand(0.6, S4, "Subscribe", SUBSCRIBE),
    PlannedCommand(8, P1, "Publish", PUBLISH),
    PlannedCommand(8.1, P1, "Publish", {"attributes": [["name", "a"], ["x", 2]]}),
    PlannedCommand(12, S4, "Unsubscribe", SUBSCRIBE),
    PlannedCommand(16, P1, "Publish", PUBLISH),
)
ONE_AWAY = (
    PlannedCommand(1, B, "Crash"),
    PlannedCommand(1.2, A, "Publish", PUBLISH),
    PlannedCommand(1.3, B, "Publish", PUBLISH),
    PlannedCommand(2, A, "Down", {"node": B}),
    PlannedCommand(2.2, C, "Down", {"node": B}),
    PlannedCommand(5, A, "Publish", PUBLISH),
    PlannedCommand(8, B, "Restart"),
    PlannedCommand(8.1, A, "Publish", PUBLISH),
)
TWO_AWAY = (
    PlannedCommand(1, B, "Crash"),
    PlannedCommand(1.1, C, "Crash"),
    PlannedCommand(1.2, A, "Publish", PUBLISH),
    PlannedCommand(2, A, "Down", {"node": B}),
    PlannedCommand(3, A, "Down", {"node": C}),
    PlannedCommand(3.1, D, "Down", {"node": C}),
    PlannedCommand(3.5, D, "Down", {"node": B}),
    PlannedCommand(8, C, "Restart"),
    PlannedCommand(8.5, C, "Down", {"node": B}),
    PlannedCommand(9, B, "Restart"),
    PlannedCommand(9.1, A, "Publish", PUBLISH),
)

JOINS = (
    PlannedCommand(0.5, A, "Subscribe", SUBSCRIBE),
    PlannedCommand(1, D, "Join"),
    PlannedCommand(1.1, D, "Subscribe", SUBSCRIBE),
    PlannedCommand(8, A, "Publish", PUBLISH),
    PlannedCommand(9, D, "Publish", PUBLISH),
    PlannedCommand(10, C, "Crash"),
    PlannedCommand(10.1, A, "Publish", PUBLISH),
)
JOINS_AN_ABSENT_ONE = (
    PlannedCommand(0.5, C, "Crash"),
    PlannedCommand(0.6, D, "Join"),
    PlannedCommand(6, B, "Publish", PUBLISH),
)

STORIES = {
    "clients_subscribe_and_publish": HonestRun(starts.TREE, 1, CLIENTS),
    "one_crashes_and_comes_back": HonestRun(starts.ONE, 1, ONE_AWAY),
    "one_end_closes_before_the_other": HonestRun(starts.ONE, 2, ONE_AWAY),
    "back_before_its_neighbours_know": HonestRun(
        starts.ONE, 2, (PlannedCommand(1, C, "Crash"), PlannedCommand(1.01, C, "Restart"))
    ),
    "two_in_a_row_crash": HonestRun(starts.TWO, 3, TWO_AWAY),
    "a_leaf_joins": HonestRun(starts.JOINING, 1, JOINS, True),
    "a_leaf_joins_below_one_that_is_away": HonestRun(starts.JOINING, 1, JOINS_AN_ABSENT_ONE, True),
    "tables_are_audited": HonestRun(starts.CORRUPTED, 1, (), True),
}

CLIENT, AWAY, CLOSED, _, _, JOINED, ABSENT, AUDITED = STORIES.values()

AT_REST = HonestRun(starts.ONE, 1)
ALTERED = {"kind": "Confirm", "sender": S1, "stream": [0, 1], "id": [P1, 0, 1]}

LIES = (
    Lie(negatives.confirmation_withheld, "forward", CLIENT, None),
    Lie(negatives.subscription_not_stored, "forward", CLIENT, None),
    Lie(negatives.publication_not_delivered, "forward", CLIENT, None),
    Lie(negatives.published_to_no_node, "publish", CLIENT, None),
    Lie(negatives.subscribed_at_once, "subscribe", CLIENT, None),
    Lie(negatives.end_not_told, "unsubscribe", CLIENT, None),
    Lie(negatives.confirmed_before_the_rest, "confirm", CLIENT, None),
    Lie(negatives.something_done_by_itself, "idle", CLIENT, None),
    Lie(negatives.failure_not_bypassed, "lose", AWAY, None),
    Lie(negatives.client_forgotten_in_a_crash, "crash", AWAY, None),
    Lie(negatives.obeyed_while_away, "canonical", AWAY, None),
    Lie(negatives.recovers_alone, "restart", AWAY, None),
    Lie(negatives.no_table_told, "answer", AWAY, None),
    Lie(negatives.stamps_before_the_table, "answer", AWAY, None),
    Lie(negatives.table_not_kept, "take_table", AWAY, None),
    Lie(negatives.stamps_not_kept, "take_stamps", AWAY, None),
    Lie(negatives.question_not_answered, "take_up", AWAY, None),
    Lie(negatives.bypass_kept, "hear_status", AWAY, None),
    Lie(negatives.connection_kept_though_closed, "be_closed", CLOSED, None),
    Lie(negatives.joins_by_itself, "join", JOINED, None),
    Lie(negatives.told_before_others_know, "admit", JOINED, None),
    Lie(negatives.tree_not_kept, "take_tree", JOINED, None),
    Lie(negatives.does_not_ask_again, "ask_again", ABSENT, None),
    Lie(negatives.audits_no_node, "audit", AUDITED, None),
    Lie(negatives.doubts_nothing, "compare", AUDITED, None),
    Lie(negatives.rows_not_told, "tell_rows", AUDITED, None),
    Lie(negatives.rows_not_believed, "believe", AUDITED, None),
    Lie(negatives.overtaken, "delivered_in_order", AWAY, None),
    Lie(negatives.filter_of_mixed_types, "canonical", CLIENT, None),
    Lie(negatives.delta_exceeded_by_visited, "canonical", CLIENT, None),
    Lie(plain.send_to_an_unknown_node, "known_node", CLIENT, None),
    Lie(plain.step_by_an_unknown_node, "known_node", CLIENT, None),
    Lie(plain.delivered_twice, "delivered_once", CLIENT, None),
    Lie(plain.delivered_to_another_node, "delivered_to_target", CLIENT, None),
    Lie(plain.delivered_before_it_was_sent, "sent_before_delivered", CLIENT, None),
    Lie(plain.delivered_though_never_sent, "known_message", CLIENT, None),
    Lie(plain.id_given_twice, "fresh_id", CLIENT, None),
    Lie(plain.of(plain.altered_in_flight, ALTERED), "delivered_unaltered", CLIENT, None),
    Lie(plain.of(plain.state_changed_between_steps, count=9), "steps_chain", CLIENT, None),
    Lie(negatives.no_such_operator, "input_has_rule", CLIENT, None),
    Lie(negatives.row_forgotten, "closure", AT_REST),
)

HASTE = TimeoutCase(
    "A broker is away for longer than the header allows; nothing is wrong else.",
    starts.ONE,
    1,
    (PlannedCommand(0.001, B, "Crash"),),
)


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of delta-fault-tolerance."""
    yield from told(STORIES, LIES, HASTE)
