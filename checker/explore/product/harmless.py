"""Legitimacy of what remains: all combinations of the states of a box, with any of its messages in flight."""

import msgspec
import numpy as np

from gomboc.checker.explore.product.automata import Automata
from gomboc.checker.explore.product.boxes import Box
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
