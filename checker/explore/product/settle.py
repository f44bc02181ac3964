"""Whether every fair run of an instance converges, for any number of messages in flight: settled, or open."""

from math import prod
from typing import Any

import msgspec

from gomboc.checker.core.bad_models import shown
from gomboc.checker.core.dependency_tracker import MissingRead
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.product.automata import Automata, automata
from gomboc.checker.explore.product.boxes import Box, Narrowing
from gomboc.checker.explore.product.harmless import Fault, fault_in
from gomboc.checker.explore.product.survivors import survivors
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.table.legitimacy import LegitimacyJudge
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.protocol import Discipline


class Settled(msgspec.Struct, frozen=True):
    """Every fair run converges, for any number of messages in flight.

    - `combinations` of local states, `messages` that can occur, and `steps` of single nodes, from the instance.
    - `rounds` of the fixpoint; `left`: the number of boxes that remained, all of which are legitimate.
    - `tosses`: whether a step tosses coins. `budgets`: the commands that may come any finite number of times.
    """

    combinations: int
    messages: int
    steps: int
    rounds: int
    left: int
    tosses: bool
    seconds: float
    budgets: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The extent of the argument, as text."""
        local = f"{counted(self.combinations, 'combination')} of local states, {counted(self.messages, 'message')}"
        commands = f", and of each command ({', '.join(self.budgets)})" if self.budgets else ""
        return f"any number of messages in flight{commands}; {local}"


class Open(msgspec.Struct, frozen=True):
    """Nothing is known, and why: the engine does not apply, or a fair run may avoid legitimacy as far as it can tell.

    Then `states` are local states that such a run is in again and again, by node, and `recurring` the messages, with
    their targets, that are sent and delivered again and again.
    """

    why: str
    states: dict[str, Any] = {}
    recurring: tuple[tuple[str, Any], ...] = ()


def settle(instance: Instance, question: Question, watch: BoundWatch) -> Settled | Open:
    """Settle convergence on local states alone."""
    why = why_not(instance, question)
    if why:
        return Open(why)
    try:
        return _settled(automata(instance, watch), question, watch)
    except MissingRead:
        return Open("the commands that may come from outside depend on the messages in flight")
    except BoundReachedError as error:
        return Open(str(error))
    except UsageError as error:
        # Any message arrives in any state here, so this step may never be taken: the explorer decides whether it is.
        return Open(f"a step that may never be taken is at fault: {error}")


def why_not(instance: Instance, question: Question) -> str:
    """Why the question about an instance is not one for local states alone, as text; empty if it is."""
    if instance.protocol.discipline is not Discipline.UNORDERED:
        return f"channels are {instance.protocol.discipline.value}, and local states tell only of unordered ones"
    if question.scheduler is not Scheduler.CENTRAL:
        return "more than one node may act at once"
    return "no run is unfair" if question.fairness is Fairness.NONE else ""


def _settled(made: Automata, question: Question, watch: BoundWatch) -> Settled | Open:
    judge, narrowing = LegitimacyJudge(made.tables), Narrowing(made, question.fairness, question.coins)
    left = 0
    for box in survivors(made, narrowing, watch):
        left += 1
        recurring = narrowing.recurring(box)
        fault = fault_in(box, recurring, made, judge)
        if fault is not None:
            return _open(_states(box, fault, made, judge), made, recurring.tolist())
    steps, tosses = sum(map(len, made.rows)), bool((made.tables.ways > 1).any())
    combinations, messages = prod(map(len, made.active)), len(made.tables.messages) - 1
    return Settled(combinations, messages, steps, narrowing.rounds, left, tosses, watch.seconds, made.budgets)


def _open(states: dict[str, Any], made: Automata, recurring: list[int]) -> Open:
    named = tuple(sent for number in recurring for sent in made.tables.contents(number))
    again = (
        f"{counted(len(named), 'message')} {'recurs' if len(named) == 1 else 'recur'}" if named else "nothing recurs"
    )
    why = f"as far as local states tell, a fair run may come back to {shown(states)} while {again}"
    return Open(why, states, named)


def _states(box: Box, fault: Fault, made: Automata, judge: LegitimacyJudge) -> dict[str, Any]:
    """Local states of a box in which the fault occurs, by node."""
    chosen, states = dict(fault.chosen), {}
    for node, part in enumerate(box):
        number = chosen.get(node, int(part.states[0]))
        if number not in part.states:
            # The anchor was asked with one state for all that it cannot tell from that one.
            alike = judge.alike(node)
            number = int(part.states[alike[part.states] == alike[number]][0])
        states[made.tables.names[node]] = made.tables.nodes[node].values[number]
    return states
