"""The golden traces of Chord."""

from collections.abc import Iterator

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden import plain
from tests.golden.chord import negatives, starts
from tests.golden.chord.starts import N0, N4, N6, N8, N12
from tests.golden.drive import Trace, simulated
from tests.golden.telling import HonestRun, Lie, TimeoutCase, expecting, told, written

JOINS = (
    PlannedCommand(0.2, N6, "Join", {"contact": N12}),
    PlannedCommand(0.3, N12, "Lookup", {"key": "7"}),
    PlannedCommand(0.4, N0, "Peers", {"nodes": [N0, N4]}),
)
CRASHES = (
    PlannedCommand(0.2, N12, "Crash"),
    PlannedCommand(0.3, N4, "Lookup", {"key": "1"}),
)

STORIES = {
    "disarray_within_the_invariant": HonestRun(starts.DISARRAY, 1),
    "hashed_names": HonestRun(starts.HASHED, 1),
    "one_joins": HonestRun(starts.BUSY, 1, JOINS),
    "one_crashes": HonestRun(starts.IDEAL, 1, CRASHES),
    "one_leaves": HonestRun(starts.IDEAL, 1, (PlannedCommand(2, N8, "Leave"),)),
    "detector_speaks_first": HonestRun(
        starts.IDEAL, 1, (PlannedCommand(2.4, N8, "Crash"), PlannedCommand(2.41, N4, "Suspect", {"node": N8}))
    ),
    "grows_from_no_node": HonestRun(
        starts.NOBODY_YET,
        1,
        (
            PlannedCommand(0.1, N4, "Join", {"contact": N4}),
            PlannedCommand(0.5, N12, "Join", {"contact": N4}),
            PlannedCommand(0.5, N0, "Join", {"contact": N4}),
            PlannedCommand(4, N8, "Join", {"contact": N0}),
        ),
    ),
    "backwards_with_peers": HonestRun(starts.BACKWARDS_WITH_PEERS, 1),
}

DISARRAY, JOINING, CRASHING, IDEAL = (
    STORIES["disarray_within_the_invariant"],
    STORIES["one_joins"],
    STORIES["one_crashes"],
    HonestRun(starts.IDEAL, 1),
)
LEAVING, HEARING, GROWING = (STORIES[name] for name in ("one_leaves", "detector_speaks_first", "grows_from_no_node"))

# Most end with the lie; after some, the run goes on.
LIES = (
    Lie(negatives.no_node_is_asked, "stabilize", DISARRAY),
    Lie(negatives.predecessor_never_pinged, "stabilize", DISARRAY, None),
    Lie(negatives.asked_twice, "stabilize", DISARRAY, None),
    Lie(negatives.finger_not_looked_up, "stabilize", DISARRAY, None),
    Lie(negatives.same_finger_again, "stabilize", DISARRAY, None),
    Lie(negatives.contact_not_asked, "retry_join", JOINING, None),
    Lie(negatives.timeout_of_a_node_that_is_gone, "sleep", CRASHING, None),
    Lie(negatives.nothing_told_of_the_predecessor, "stabilize_request", DISARRAY, None),
    Lie(negatives.list_cut_in_an_answer, "stabilize_request", DISARRAY, None),
    Lie(negatives.list_not_learnt, "stabilize_reply", DISARRAY),
    Lie(negatives.adopted_unasked, "stabilize_reply", JOINING, None),
    Lie(negatives.head_not_notified, "stabilize_reply", DISARRAY, None),
    Lie(negatives.route_not_told, "stabilize_reply", JOINING, None),
    Lie(negatives.ping_answered, "check_predecessor", DISARRAY, None),
    Lie(negatives.farther_one_adopted, "rectify", DISARRAY, None),
    Lie(negatives.neighbours_not_told, "rectify", DISARRAY, None),
    Lie(negatives.head_copied_only, "find_successor", JOINING, None),
    Lie(negatives.joiner_sent_away, "find_successor", JOINING, None),
    Lie(negatives.second_place_taken, "stale_join_reply", JOINING, None),
    Lie(negatives.place_refused, "join_reply", JOINING, None),
    Lie(negatives.outsider_answers, "ignore_outside", JOINING, None),
    Lie(negatives.no_word_from_a_node_that_is_gone, "bounce", CRASHING, None),
    Lie(negatives.dead_head_kept, "handle_crash", LEAVING, None),
    Lie(negatives.suspicion_ignored, "handle_crash", HEARING, None),
    Lie(negatives.key_owned_by_another, "route_request", JOINING, None),
    Lie(negatives.lookup_lost, "route_request", JOINING, None),
    Lie(negatives.answer_kept_from_the_application, "route_reply", JOINING, None),
    Lie(negatives.finger_of_oneself, "fix_finger_request", DISARRAY, None),
    Lie(negatives.finger_forgotten, "fix_finger_reply", DISARRAY, None),
    Lie(negatives.contact_of_ones_own, "join", JOINING, None),
    Lie(negatives.first_one_stays_outside, "join", GROWING, None),
    Lie(negatives.left_without_a_word, "leave", LEAVING),
    Lie(negatives.last_words_of_a_crash, "crash", CRASHING, None),
    Lie(negatives.peers_not_kept, "update_peers", JOINING, None),
    # Both break the rule of the step, too.
    Lie(negatives.list_out_of_order, "ordered_lists", CRASHING, None),
    Lie(negatives.two_members_skipped, "invariant", CRASHING),
    Lie(plain.send_to_an_unknown_node, "known_node", DISARRAY, None),
    Lie(plain.step_by_an_unknown_node, "known_node", DISARRAY, None),
    Lie(plain.delivered_twice, "delivered_once", DISARRAY, None),
    Lie(plain.delivered_to_another_node, "delivered_to_target", DISARRAY, None),
    Lie(plain.delivered_before_it_was_sent, "sent_before_delivered", DISARRAY, None),
    Lie(plain.delivered_though_never_sent, "known_message", DISARRAY, None),
    Lie(plain.of(plain.altered_in_flight, negatives.ping(N0)), "delivered_unaltered", DISARRAY, None),
    Lie(plain.id_given_twice, "fresh_id", DISARRAY, None),
    Lie(plain.id_given_twice_at_the_start, "fresh_id", DISARRAY, None),
    Lie(plain.of(plain.state_changed_between_steps, predecessor=None), "steps_chain", DISARRAY, None),
    Lie(negatives.successor_twice, "canonical", DISARRAY, None),
    Lie(negatives.list_too_long, "canonical", DISARRAY, None),
    Lie(negatives.key_beyond_the_circle, "input_has_rule", DISARRAY, None),
    Lie(negatives.crashed_and_knows, "canonical", CRASHING, None),
    Lie(negatives.node_that_is_not_there, "canonical", DISARRAY, None),
    Lie(negatives.predecessor_forgotten, "closure", IDEAL),
)

BROKEN_AT_FIRST = {
    "winds_twice": ("ordered_ring", starts.WINDS_TWICE, "Three nodes form a ring that goes around the circle twice."),
    "two_rings": ("at_most_one_ring", starts.TWO_RINGS, "Two and two nodes form rings that never meet."),
    "no_ring": ("at_least_one_ring", starts.NO_RING, "Two members list nobody but one who is outside."),
    "appendage_astray": ("connected_appendages", starts.APPENDAGE_ASTRAY, "One member lists who is outside only."),
    "principal_astray": ("principals_in_ring", starts.PRINCIPAL_ASTRAY, "Nobody is skipped, and there is no ring."),
}
"""Starts that violate the invariant, which is promised of every state: the promise that each breaks, and its story."""


def broken_at_first(name: str) -> Trace:
    """An honest run from such a start."""
    rule, start, story = BROKEN_AT_FIRST[name]
    return expecting(simulated(start, 1, rounds=2), story, verdict="violated", step=0, rule=rule)


HASTE = TimeoutCase(
    "A ring in disarray, which is not right after as many rounds as the header allows; nothing is wrong else.",
    starts.DISARRAY,
    1,
)


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of Chord."""
    yield from told(STORIES, LIES, HASTE)
    for name in BROKEN_AT_FIRST:
        yield f"{name}.bad.jsonl", written(broken_at_first(name))
