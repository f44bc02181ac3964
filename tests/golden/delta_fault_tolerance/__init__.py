"""The golden traces of delta-fault-tolerance."""

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden import plain
from tests.golden.delta_fault_tolerance import starts
from tests.golden.delta_fault_tolerance.negatives import ALTERATIONS
from tests.golden.delta_fault_tolerance.starts import P1, S1, S4, WANTED, A, B, C, D
from tests.golden.telling import HonestRun, TimeoutCase, negatives_of

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
    PlannedCommand(2, A, "Suspect", {"node": B}),
    PlannedCommand(2.2, C, "Suspect", {"node": B}),
    PlannedCommand(5, A, "Publish", PUBLISH),
    PlannedCommand(8, B, "Restart"),
    PlannedCommand(8.1, A, "Publish", PUBLISH),
)
TWO_AWAY = (
    PlannedCommand(1, B, "Crash"),
    PlannedCommand(1.1, C, "Crash"),
    PlannedCommand(1.2, A, "Publish", PUBLISH),
    PlannedCommand(2, A, "Suspect", {"node": B}),
    PlannedCommand(3, A, "Suspect", {"node": C}),
    PlannedCommand(3.1, D, "Suspect", {"node": C}),
    PlannedCommand(3.5, D, "Suspect", {"node": B}),
    PlannedCommand(8, C, "Restart"),
    PlannedCommand(8.5, C, "Suspect", {"node": B}),
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

REJOINS = (
    PlannedCommand(1, C, "Crash"),
    PlannedCommand(2, B, "Suspect", {"node": C}),
    PlannedCommand(4, C, "Restart"),
    PlannedCommand(4.1, A, "Publish", PUBLISH),
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
    "a_rejoining_goes_in_parts": HonestRun(starts.PARTS, 1, REJOINS),
    "a_table_is_sent_as_it_is_asked_for": HonestRun(starts.PACED, 1, REJOINS),
    "tables_are_audited": HonestRun(starts.CORRUPTED, 1, (), True),
}

ALTERED = {"kind": "Confirm", "sender": S1, "stream": [0, 1], "id": [P1, 0, 1]}
NEGATIVES = plain.lies(STORIES["clients_subscribe_and_publish"], ALTERED, {"count": 9}, at_start=False) | negatives_of(
    "delta_fault_tolerance", ALTERATIONS, {**STORIES, "at_rest": HonestRun(starts.ONE, 1)}
)

HASTE = TimeoutCase(
    "A broker is away for longer than the header allows; nothing is wrong else.",
    starts.ONE,
    1,
    (PlannedCommand(0.001, B, "Crash"),),
)
