"""The golden traces: `python -m tests.golden.make` rewrites every one of them.

Each is one story. Those that are `ok` are honest runs. Those that are `bad` are honest as far as one lie, and honest
again after it, from where the lie has led.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from checker.simulate.plan import TimedCommand
from tests.golden import lies, starts
from tests.golden.drive import Trace, simulated, simulated_on, taken
from tests.golden.publications import FIGURE_2

FOLDER = Path(__file__).parents[2] / "traces" / "skip_ring"


class Story(NamedTuple):
    """An honest run: where it starts, the seed of what follows, and what the applications ask for."""

    start: starts.Header
    seed: int
    commands: tuple[TimedCommand, ...] = ()


STORIES = {
    "one_subscriber_from_an_empty_database": Story(starts.ONE_BLANK, 2),
    "two_subscribers_with_corrupted_labels": Story(starts.CORRUPTED_LABELS, 4),
    "three_subscribers_with_messages_in_flight": Story(starts.MESSAGES_IN_FLIGHT, 8),
    "five_subscribers_in_a_ring": Story(starts.FIVE_IN_A_RING, 5),
    "one_of_three_unsubscribes_and_subscribes_again": Story(
        starts.THREE_IN_A_RING, 1, (TimedCommand(2, "v1", "unsubscribe"), TimedCommand(9, "v1", "subscribe"))
    ),
    "corrupted_database": Story(starts.CORRUPTED_DATABASE, 3),
    "supervisor_named_as_a_subscriber": Story(starts.SUPERVISOR_NAMED, 1),
}


class Lie(NamedTuple):
    """One lie told in an honest run: the rule that it breaks, and the seed of what follows, if anything may follow."""

    told: Callable[[Trace], Trace]
    rule: str
    seed: int | None = 1
    start: starts.Header = starts.TWO_BLANK


LIES = (
    Lie(lies.state_that_the_rule_does_not_produce, "set_data"),
    Lie(lies.send_left_out, "subscribe"),
    Lie(lies.send_invented, "set_data"),
    Lie(lies.send_to_another_node, "subscribe"),
    Lie(lies.send_to_an_unknown_node, "known_node"),
    Lie(lies.delivered_twice, "delivered_once"),
    Lie(lies.delivered_to_another_node, "delivered_to_target"),
    Lie(lies.delivered_before_it_was_sent, "sent_before_delivered"),
    Lie(lies.delivered_though_never_sent, "known_message"),
    Lie(lies.altered_in_flight, "delivered_unaltered"),
    Lie(lies.step_by_an_unknown_node, "known_node"),
    # The implementation refuses to go on from what is not canonical, and so do we.
    Lie(lies.label_not_canonical, "canonical", None),
    Lie(lies.table_not_in_order, "canonical", None),
    Lie(lies.node_that_is_not_there, "canonical", None),
    Lie(lies.id_given_twice, "fresh_id"),
    Lie(lies.id_given_twice_at_the_start, "fresh_id", None),
    Lie(lies.state_changed_between_steps, "steps_chain"),
    Lie(lies.label_given_twice, "subscribe"),
    Lie(lies.command_without_a_rule, "input_has_rule"),
    Lie(lies.command_that_does_more, "want_out"),
    Lie(lies.coin_that_fell_otherwise, "subscriber_timeout"),
    Lie(lies.delivery_to_the_application, "set_data"),
    Lie(lies.supervisor_skips_a_turn, "supervisor_timeout"),
    Lie(lies.neighbour_forgotten, "closure", 1, starts.FIVE_IN_A_RING),
    Lie(lies.member_that_was_never_there, "canonical", None, starts.FIVE_IN_A_RING),
    Lie(lies.member_thrown_out, "closure", 1, starts.FIVE_IN_A_RING),
)

LUCKLESS_SEED, LUCKLESS_ROUNDS = 27, 4
"""With this seed every coin of that many rounds says "silent"."""

PUBLISHED_SEED = 12


@cache
def _honest(start: str) -> Trace:
    return simulated(msgspec.json.decode(start), 0)


def _bad(lie: Lie) -> Trace:
    honest = _honest(msgspec.json.encode(lie.start).decode())
    told = lie.told(honest)
    step = next(number for number, line in enumerate(told) if number == len(honest) or line != honest[number])
    trace = told if lie.seed is None else simulated_on(told, lie.seed)
    return _expecting(trace, lie.told.__doc__, verdict="violated", step=step, rule=lie.rule)


def _expecting(trace: Trace, story: str | None = None, **expected: Any) -> Trace:
    """The trace with what the judge must say of it, and who made it."""
    first = dict(trace[0])
    origin = {**first.pop("origin"), "command": "python -m tests.golden.make"} | ({"story": story} if story else {})
    return [{**first, "origin": origin, "expect": expected}, *trace[1:]]


def never_converges() -> Trace:
    """The supervisor has forgotten a ring of two, and nobody asks it anything: each coin says "silent"."""
    trace = simulated(starts.FORGOTTEN_RING, LUCKLESS_SEED, rounds=LUCKLESS_ROUNDS)
    trace[0]["bound"] = LUCKLESS_ROUNDS
    return _expecting(trace, never_converges.__doc__, verdict="violated", step=len(trace) - 1, rule="convergence")


def printed_linearize() -> Trace:
    """v1, who runs Linearize as printed, hears that v3 has the label 11, and believes it without asking v3."""
    trace = simulated(starts.FALSE_CLAIM, PUBLISHED_SEED, settle=1, variant="skip_ring.printed_linearize")
    differs = (n for n in range(1, len(trace)) if not _is_ours(trace[:n], trace[n]))
    return _expecting(trace, printed_linearize.__doc__, verdict="violated", step=next(differs), rule="linearize")


def _is_ours(trace: Trace, step: dict[str, Any]) -> bool:
    """Whether the implementation of our own rules takes this step too, coins apart."""
    ours = taken(trace, step["node"], step["took"])
    return bool(ours["state"] == step["state"]) and len(ours["sent"]) == len(step["sent"])


def made() -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace."""
    for name, story in STORIES.items():
        trace = simulated(story.start, story.seed, commands=story.commands)
        yield f"{name}.ok.jsonl", written(_expecting(trace, verdict="holds"))
    for name, tell in FIGURE_2.items():
        yield f"{name}.ok.jsonl", written(_expecting(tell(), tell.__doc__, verdict="holds"))
    for lie in LIES:
        yield f"{lie.told.__name__}.bad.jsonl", written(_bad(lie))
    for tell in (never_converges, printed_linearize):
        yield f"{tell.__name__}.bad.jsonl", written(tell())


def written(trace: Trace) -> bytes:
    """The trace as its file has it."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in trace)


def main() -> None:
    """Rewrite every golden trace."""
    for name, contents in made():
        (FOLDER / name).write_bytes(contents)


if __name__ == "__main__":
    main()
