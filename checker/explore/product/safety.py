"""Legitimacy of whole boxes, and closure and well-formedness for any number of messages, by local steps alone."""

from collections.abc import Iterator

import msgspec
import numpy as np

from gomboc.checker.explore.product.automata import COMMAND, TIMEOUT, Automata
from gomboc.checker.explore.product.boxes import Box, Part
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.table.holding import is_formed
from gomboc.checker.explore.table.legitimacy import FAULTY, Chosen, LegitimacyJudge
from gomboc.checker.explore.table.sorted_set import Array


class Fault(msgspec.Struct, frozen=True):
    """A combination of local states at fault, by the number of each node, or a message at fault in it; 0 for none."""

    chosen: Chosen
    message: int = 0


def fault_in(box: Box, recurring: Array, automata: Automata, judge: LegitimacyJudge) -> Fault | None:
    """A fault of some combination of states of a box, with the messages that recur in it in flight; None without one.

    The anchor is asked with no state, and with one more for each that it reads: no combination of the others is built.
    """
    pending: list[Chosen] = [()]
    while pending:
        known = pending.pop()
        answer = judge.ask(known)
        if isinstance(answer, str):
            node = automata.tables.names.index(answer)
            alike = np.unique(judge.alike(node)[box[node].states]).tolist()
            pending += [(*known, (node, number)) for number in alike]
        elif answer == FAULTY:
            return Fault(known)
        elif (fault := _fault_under(answer, known, box, recurring, automata, judge)) is not None:
            return fault
    return None


def _fault_under(
    anchor: int, known: Chosen, box: Box, recurring: Array, automata: Automata, judge: LegitimacyJudge
) -> Fault | None:
    """A local state or a recurring message that is at fault under an anchor, which those known states have."""
    right, read = judge.right(anchor), dict(known)
    asleep = []
    for node, part in enumerate(box):
        states = part.states
        if node in read:
            # Under this anchor, only states that the anchor cannot tell from the one that it has read.
            states = states[judge.alike(node)[states] == read[node]]
        wrong = states[~right.local(node)[states]]
        if len(wrong):
            return Fault((*known, (node, int(wrong[0]))))
        asleep.append(bool(automata.tables.nodes[node].asleep[states].all()))
    for message in recurring[~right.messages()[recurring]].tolist():
        # A message to a node that is asleep is no fault.
        if not asleep[automata.tables.target[message]]:
            return Fault(known, message)
    return None


MOST_ANCHORS = 10_000
"""Maximal number of combinations of the local states that anchors read."""


def is_well_formed(made: Automata) -> bool:
    """Whether every local state and every message that may occur is well-formed, and names nodes that are there."""
    tables, protocol = made.tables, made.tables.instance.protocol
    there = frozenset(tables.names)
    values = [value for node in tables.nodes for value in node.values] + [sent for _, sent in tables.messages[1:]]
    return all(is_formed(protocol, there, value) for value in values)


def is_closed(made: Automata, judge: LegitimacyJudge, watch: BoundWatch) -> bool:
    """Whether every step from every legitimate state, with any harmless messages in flight, leads to one.

    If not, it may still be that no such state is reachable, or that there is none. Raises BoundReachedError if a bound
    is reached.
    """
    some = False
    for anchor, known in _anchors(made, judge, watch):
        harmless, box = _legitimate(made, judge, anchor, known)
        if all(len(part.states) for part in box):
            some = True
            if not all(_keeps(made, judge, node, box, harmless) for node in range(len(box))):
                return False
    return some


def _anchors(made: Automata, judge: LegitimacyJudge, watch: BoundWatch) -> Iterator[tuple[int, Chosen]]:
    """Every anchor that is not at fault, with the local states that it reads: one for all that it cannot tell apart."""
    pending: list[Chosen] = [()]
    looked = 0
    while pending:
        looked += 1
        if looked > MOST_ANCHORS:
            raise BoundReachedError("there are too many anchors")
        watch.insist()
        known = pending.pop()
        answer = judge.ask(known)
        if isinstance(answer, str):
            node = made.tables.names.index(answer)
            pending += [(*known, (node, number)) for number in np.unique(judge.alike(node)).tolist()]
        elif answer != FAULTY:
            yield answer, known


def _legitimate(made: Automata, judge: LegitimacyJudge, anchor: int, known: Chosen) -> tuple[Array, Box]:
    """The harmless messages under an anchor, which those states have, and the states of each node that are right."""
    right, read = judge.right(anchor), dict(known)
    harmless, box = right.messages(), []
    for node in range(len(made.rows)):
        good = right.local(node).copy()
        if node in read:
            good &= judge.alike(node) == read[node]
        box.append(_of_states(np.flatnonzero(good)))
    return harmless, tuple(box)


def _of_states(states: Array) -> Part:
    return Part(states, np.empty(0, np.int64), np.zeros(len(states), np.int32))


def _keeps(made: Automata, judge: LegitimacyJudge, node: int, box: Box, harmless: Array) -> bool:
    """Whether each step of a node from a state of a box leads to legitimate states, whatever the others are in."""
    tables, states = made.tables, box[node].states
    asleep = tables.nodes[node].asleep
    steps = np.concatenate((made.rows[node][made.taken[made.rows[node]] >= TIMEOUT], made.quiet[node]))
    steps = steps[np.isin(made.source[steps], states)]
    before, taken = made.source[steps], made.taken[steps]
    # Any message may be in flight to a node that is asleep.
    possible = (taken == COMMAND) | harmless[np.maximum(taken, 0)] | asleep[before]
    steps, before = steps[possible], before[possible]
    after, sends = tables.after[steps], tables.sends[:, steps]
    wakes = asleep[before] & ~asleep[after]
    if wakes.any() and not harmless[1:][tables.target[1:] == node].all():
        return False
    # Where the state afterwards is right under the same anchor and what is sent is harmless, nothing else has changed.
    changed = ~np.isin(after, states) | ~harmless[sends].all(axis=0)
    in_flight = np.flatnonzero(harmless)[1:]
    for state, *sent in np.unique(np.vstack((after, sends))[:, changed], axis=1).T.tolist():
        then = (*box[:node], _of_states(np.array([state])), *box[node + 1 :])
        if (
            fault_in(then, np.union1d(in_flight, [one for one in sent if one]).astype(np.int64), made, judge)
            is not None
        ):
            return False
    return True
