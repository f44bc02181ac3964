"""The golden traces of the skip ring."""

from collections.abc import Iterator
from typing import Any

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden.drive import Trace, simulated, taken
from tests.golden.skip_ring import negatives, starts
from tests.golden.skip_ring.publications import FIGURE_2
from tests.golden.telling import HonestRun, Lie, bad, expecting, written

STORIES = {
    "one_subscriber_from_an_empty_database": HonestRun(starts.ONE_BLANK, 2),
    "two_subscribers_with_corrupted_labels": HonestRun(starts.CORRUPTED_LABELS, 4),
    "three_subscribers_with_messages_in_flight": HonestRun(starts.MESSAGES_IN_FLIGHT, 8),
    "five_subscribers_in_a_ring": HonestRun(starts.FIVE_IN_A_RING, 5),
    "one_of_three_unsubscribes_and_subscribes_again": HonestRun(
        starts.THREE_IN_A_RING, 1, (PlannedCommand(2, "v1", "unsubscribe"), PlannedCommand(9, "v1", "subscribe"))
    ),
    "corrupted_database": HonestRun(starts.CORRUPTED_DATABASE, 3),
    "supervisor_named_as_a_subscriber": HonestRun(starts.SUPERVISOR_NAMED, 1),
}


TWO, FIVE = HonestRun(starts.TWO_BLANK, 0), HonestRun(starts.FIVE_IN_A_RING, 0)

LIES = (
    Lie(negatives.state_that_the_rule_does_not_produce, "set_data", TWO),
    Lie(negatives.send_left_out, "subscribe", TWO),
    Lie(negatives.send_invented, "set_data", TWO),
    Lie(negatives.send_to_another_node, "subscribe", TWO),
    Lie(negatives.send_to_an_unknown_node, "known_node", TWO),
    Lie(negatives.delivered_twice, "delivered_once", TWO),
    Lie(negatives.delivered_to_another_node, "delivered_to_target", TWO),
    Lie(negatives.delivered_before_it_was_sent, "sent_before_delivered", TWO),
    Lie(negatives.delivered_though_never_sent, "known_message", TWO),
    Lie(negatives.altered_in_flight, "delivered_unaltered", TWO),
    Lie(negatives.step_by_an_unknown_node, "known_node", TWO),
    # The implementation refuses to go on from what is not canonical, and so do we.
    Lie(negatives.label_not_canonical, "canonical", TWO, None),
    Lie(negatives.table_not_in_order, "canonical", TWO, None),
    Lie(negatives.node_that_is_not_there, "canonical", TWO, None),
    Lie(negatives.id_given_twice, "fresh_id", TWO),
    Lie(negatives.id_given_twice_at_the_start, "fresh_id", TWO, None),
    Lie(negatives.state_changed_between_steps, "steps_chain", TWO),
    Lie(negatives.label_given_twice, "subscribe", TWO),
    Lie(negatives.command_without_a_rule, "input_has_rule", TWO),
    Lie(negatives.command_that_does_more, "want_out", TWO),
    Lie(negatives.coin_that_fell_otherwise, "subscriber_timeout", TWO),
    Lie(negatives.delivery_to_the_application, "set_data", TWO),
    Lie(negatives.supervisor_skips_a_turn, "supervisor_timeout", TWO),
    Lie(negatives.neighbour_forgotten, "closure", FIVE),
    Lie(negatives.member_that_was_never_there, "canonical", FIVE, None),
    Lie(negatives.member_thrown_out, "closure", FIVE),
)

LUCKLESS_SEED, LUCKLESS_ROUNDS = 27, 4
"""With this seed every coin of that many rounds says "silent"."""

PUBLISHED_SEED = 12


def never_converges() -> Trace:
    """The supervisor has forgotten a ring of two, and no node asks it anything: each coin says "silent"."""
    trace = simulated(starts.FORGOTTEN_RING, LUCKLESS_SEED, rounds=LUCKLESS_ROUNDS)
    trace[0]["bound"] = LUCKLESS_ROUNDS
    return expecting(trace, never_converges.__doc__, verdict="violated", step=len(trace) - 1, rule="convergence")


def printed_linearize() -> Trace:
    """v1, which runs Linearize as printed, hears that v3 has the label 11, and believes it without asking v3."""
    trace = simulated(starts.FALSE_CLAIM, PUBLISHED_SEED, settle=1, variant="skip_ring.printed_linearize")
    differs = (n for n in range(1, len(trace)) if not _is_ours(trace[:n], trace[n]))
    return expecting(trace, printed_linearize.__doc__, verdict="violated", step=next(differs), rule="linearize")


def _is_ours(trace: Trace, step: dict[str, Any]) -> bool:
    """Whether the implementation of our own rules takes this step too, coins apart."""
    ours = taken(trace, step["node"], step["took"])
    return bool(ours["state"] == step["state"]) and len(ours["sent"]) == len(step["sent"])


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of the skip ring."""
    for name, story in STORIES.items():
        trace = simulated(story.start, story.seed, commands=story.commands)
        yield f"{name}.ok.jsonl", written(expecting(trace, verdict="holds"))
    for name, tell in FIGURE_2.items():
        yield f"{name}.ok.jsonl", written(expecting(tell(), tell.__doc__, verdict="holds"))
    for lie in LIES:
        yield f"{lie.told.__name__}.bad.jsonl", written(bad(lie))
    for tell in (never_converges, printed_linearize):
        yield f"{tell.__name__}.bad.jsonl", written(tell())
