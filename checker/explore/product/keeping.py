"""Promises that steps of single nodes keep, for any number of messages in flight: closure, and well-formed values.

Every local state and message that can occur is in the automata, if any message may arrive at any time. Values are
well-formed in every state if these are. A state is legitimate if neither its anchor, nor a node, nor a message to a
node that is awake is at fault. So no step leads out of the legitimate states if each step of a single node keeps the
share from which the anchor is made, leads to a local state that is right under that anchor, sends only messages that
are right under it, and does not wake its node, to which wrong messages may be in flight. A command that is not quiet
may end legitimacy.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from gomboc.checker.core.dependency_tracker import MissingRead
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.product.automata import COMMAND, Automata, automata
from gomboc.checker.explore.product.settle import why_not
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.results.finding import Exploration, Finding, settled
from gomboc.checker.explore.table.holding import is_formed
from gomboc.checker.explore.table.legitimacy import FAULTY, Chosen, LegitimacyJudge
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.checker.explore.verdicts import ALWAYS, STABLE
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Promise

MOST_ANCHORS = 10_000
"""Maximal number of combinations of shares that are looked at."""

CLAIMS = {"closure": STABLE, "canonical": ALWAYS}
"""The promises that can be kept so, and what is claimed of each."""


def kept_promises(instance: Instance, question: Question, watch: BoundWatch) -> dict[str, str]:
    """The extent of the argument, as text, for each promise that steps of single nodes keep."""
    # No promise here depends on fairness or coins.
    if why_not(instance, replace(DEFAULT, scheduler=question.scheduler)):
        return {}
    try:
        made = automata(instance, watch)
        proofs = {"canonical": _are_formed(made), "closure": _is_closed(made, watch)}
    except (BoundReachedError, MissingRead, UsageError):
        # The explorer tells what is at fault, if it is in a state that can be reached.
        return {}
    steps = counted(sum(map(len, made.rows)), "step")
    extent = f"any number of messages in flight; {steps} of single nodes"
    return {name: extent for name, proved in proofs.items() if proved}


def with_kept_promises(exploration: Exploration, promises: tuple[Promise, ...], kept: dict[str, str]) -> Exploration:
    """The same exploration; its findings on promises that are kept hold, unless something was found to violate them."""
    by_name = {promise.name: promise for promise in promises}

    def kept_finding(finding: Finding) -> Finding:
        if finding.promise not in kept or isinstance(finding.verdict, Violated):
            return finding
        of = f"{CLAIMS[finding.promise]} ({exploration.scheduler} scheduler)"
        return settled(by_name[finding.promise], of, kept[finding.promise], "")

    return replace(exploration, findings=tuple(map(kept_finding, exploration.findings)))


def _are_formed(made: Automata) -> bool:
    """Whether all values conform to their types, and refer only to nodes that exist."""
    tables = made.tables
    protocol, there = tables.instance.protocol, frozenset(tables.names)
    values = [value for node in tables.nodes for value in node.values]
    values += [message for _, message in tables.messages[1:]]
    return all(is_formed(protocol, there, value) for value in values)


class _Step(msgspec.Struct, frozen=True):
    """The steps of one node, by row: states before and after, the input taken, and the messages sent."""

    node: int
    source: Array
    after: Array
    taken: Array
    sends: Array


def _steps(made: Automata) -> Iterator[_Step]:
    """The steps that must not end legitimacy: all but commands, unless some of these are quiet."""
    tables = made.tables
    quiet = bool(tables.instance.protocol.environment.quiet)
    for node, rows in enumerate(made.rows):
        kept = rows[quiet | (made.taken[rows] != COMMAND)]
        yield _Step(node, made.source[kept], tables.after[kept], made.taken[kept], tables.sends[:, kept])


def _is_closed(made: Automata, watch: BoundWatch) -> bool:
    """Whether no step of a single node leads out of the legitimate states."""
    judge, steps = LegitimacyJudge(made.tables), tuple(_steps(made))
    for number, (anchor, known) in enumerate(_anchors(made, judge)):
        watch.insist()
        if number >= MOST_ANCHORS or not all(_stays(made, judge, anchor, dict(known), step) for step in steps):
            return False
    return True


def _anchors(made: Automata, judge: LegitimacyJudge) -> Iterator[tuple[int, Chosen]]:
    """Every faultless anchor, with the local states from which it is made: one for all that it cannot tell apart."""
    pending: list[Chosen] = [()]
    while pending:
        known = pending.pop()
        answer = judge.ask(known)
        if isinstance(answer, str):
            node = made.tables.names.index(answer)
            pending += [(*known, (node, number)) for number in np.unique(judge.alike(node)).tolist()]
        elif answer != FAULTY:
            yield answer, known


def _stays(made: Automata, judge: LegitimacyJudge, anchor: int, known: dict[int, int], step: _Step) -> bool:
    """Whether the steps of a node keep it right under an anchor that is made from those local states."""
    right, alike, asleep = judge.right(anchor), judge.alike(step.node), made.tables.nodes[step.node].asleep
    local, messages = right.local(step.node), right.messages()
    may_come = (step.taken == COMMAND) | messages[np.maximum(step.taken, 0)] | asleep[step.source]
    begins = local[step.source] & may_come
    ends: Any = local[step.after] & messages[step.sends].all(axis=0) & ~(asleep[step.source] & ~asleep[step.after])
    if step.node in known:
        # The anchor reads the share of this node: it has to stay as it is.
        begins &= alike[step.source] == known[step.node]
        ends &= alike[step.after] == alike[step.source]
    return bool(ends[begins].all())
