"""The rules of the product engine as they are stated: on every combination of local states, one by one."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec

from gomboc.checker.explore.graph.components import strong_components
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.instance import Instance, is_idle
from gomboc.spec.core.model import Input, Outcome, Received, Timeout

Combination = tuple[Any, ...]
Sent = tuple[str, Any]


class Move(msgspec.Struct, frozen=True):
    """A step from one combination to another; `pick` is the same for all results of its coins."""

    before: Combination
    after: Combination
    node: int
    pick: Any
    taken: Sent | None
    sends: frozenset[Sent]


def surviving(
    instance: Instance, fairness: Fairness, coins: Coins
) -> set[tuple[frozenset[Combination], frozenset[Sent]]]:
    """What remains by the rules: strongly connected combinations, and the messages that recur in them."""
    locals_, messages = closed(instance)
    region = set(product(*locals_))
    moves = [move for combination in region for move in moves_from(instance, combination, messages)]
    while True:
        of = {state: number for number, part in enumerate(parts(region, moves)) for state in part}
        sent = {(of[move.before], one) for move in moves for one in move.sends}
        taken = {(of[move.before], move.taken) for move in moves}
        acting = {(of[move.before], move.node) for move in moves if move.taken is None}
        kept = [
            move
            for move in moves
            if of[move.before] == of.get(move.after)
            and (move.taken is None or (of[move.before], move.taken) in sent)
            and all((of[move.before], one) in taken for one in move.sends)
        ]
        if coins is Coins.TOSSED:
            lost = {(move.before, move.pick) for move in moves} & {
                (move.before, move.pick) for move in set(moves) - set(kept)
            }
            kept = [move for move in kept if (move.before, move.pick) not in lost]
        unfair = set(unfair_states(instance, region, of, acting, fairness))
        kept = [move for move in kept if move.before not in unfair]
        if len(kept) == len(moves) and not unfair:
            return {
                (frozenset(part), frozenset(one for move in moves if move.before in part for one in move.sends))
                for part in parts(region, moves)
            }
        region, moves = region - unfair, kept


def closed(instance: Instance) -> tuple[list[list[Any]], set[Sent]]:
    """The local states of each node and the messages, if any message may arrive at any time."""
    locals_ = [list(dict.fromkeys(enumerate_values(domain))) for _, _, domain in instance.locals]
    messages: set[Sent] = set(enumerate_values(instance.messages)) if instance.in_flight else set()
    sizes: Any = None
    while sizes != (sizes := ([len(states) for states in locals_], len(messages))):
        for name, states in zip(instance.names(), locals_, strict=True):
            reached = [outcome for local in states for _, outcome in outcomes(instance, name, local, messages)]
            states += dict.fromkeys(outcome.local for outcome in reached if outcome.local not in states)
            messages |= {(send.target, send.message) for outcome in reached for send in outcome.sends}
    return locals_, messages


def outcomes(instance: Instance, name: str, local: Any, messages: set[Sent]) -> Iterator[tuple[Input, Outcome]]:
    """Every outcome of a step of a node in a local state, with its input, however the coins fall."""
    actor = instance.protocol.actor
    for taken in inputs(instance, name, local, messages):
        yield from ((taken, actor.react(name, local, taken, choice)) for choice in actor.choices(name, local, taken))


def inputs(instance: Instance, name: str, local: Any, messages: set[Sent]) -> Iterator[Input]:
    """The inputs that are steps of a node in a local state."""
    if is_active(instance, name, local):
        yield Timeout()
    yield from (Received(message) for target, message in sorted(messages) if target == name)


def is_active(instance: Instance, name: str, local: Any) -> bool:
    """Whether a node's timeout is a step."""
    return not instance.protocol.environment.asleep(local) and not is_idle(instance.protocol, name, local, Timeout())


def moves_from(instance: Instance, combination: Combination, messages: set[Sent]) -> Iterator[Move]:
    """Every step from a combination."""
    for node, name in enumerate(instance.names()):
        for taken, outcome in outcomes(instance, name, combination[node], messages):
            after = (*combination[:node], outcome.local, *combination[node + 1 :])
            delivered = (name, taken.message) if isinstance(taken, Received) else None
            sends = frozenset((send.target, send.message) for send in outcome.sends)
            yield Move(combination, after, node, (name, taken), delivered, sends)


def parts(region: set[Combination], moves: list[Move]) -> list[set[Combination]]:
    """The strongly connected components; one of a single combination need have no step."""
    order = sorted(region)
    number = {state: index for index, state in enumerate(order)}
    successors: dict[int, list[int]] = {index: [] for index in range(len(order))}
    for move in moves:
        if move.after in number:
            successors[number[move.before]].append(number[move.after])
    return [{order[index] for index in numbers} for numbers in strong_components(successors)]


def unfair_states(
    instance: Instance,
    region: set[Combination],
    of: dict[Combination, int],
    acting: set[tuple[int, int]],
    fairness: Fairness,
) -> Iterator[Combination]:
    """The combinations that no fair run stays in, since some timeout would be due."""
    names = instance.names()
    for node, name in enumerate(names):
        resting = {of[state] for state in region if not is_active(instance, name, state[node])}
        for state in region:
            due = is_active(instance, name, state[node]) if fairness is Fairness.STRONG else of[state] not in resting
            if due and (of[state], node) not in acting:
                yield state
