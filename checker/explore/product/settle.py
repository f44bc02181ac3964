"""Whether every fair run of an instance converges, for any number of messages in flight: settled, or open."""

from math import prod
from typing import Any

import msgspec

from gomboc.checker.core.bad_models import shown
from gomboc.checker.core.dependency_tracker import MissingRead
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.product.automata import Automata, automata
from gomboc.checker.explore.product.boxes import Box, Narrowing, survivors
from gomboc.checker.explore.product.safety import Fault, fault_in, is_closed, is_well_formed
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.table.legitimacy import LegitimacyJudge
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.protocol import Discipline

CLOSURE, WELL_FORMED = "closure", "canonical"
"""The names of the promises that are settled besides convergence."""


class Figures(msgspec.Struct, frozen=True):
    """The extent of an argument about local states alone.

    - `combinations` of local states, `messages` that can occur, and `steps` of single nodes, from the instance.
    - `budgets`: the commands that may come any finite number of times.
    """

    combinations: int
    messages: int
    steps: int
    budgets: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The claim of channels and commands, and its extent, as text."""
        local = f"{counted(self.combinations, 'combination')} of local states, {counted(self.messages, 'message')}"
        commands = f", and of each command ({', '.join(self.budgets)})" if self.budgets else ""
        return f"any number of messages in flight{commands}; {local}"


class Settled(msgspec.Struct, frozen=True):
    """Every fair run converges, for any number of messages in flight.

    `rounds` of the fixpoint left `boxes`, all of them legitimate. `tosses`: whether a step tosses coins.
    """

    figures: Figures
    rounds: int
    boxes: int
    tosses: bool


class Open(msgspec.Struct, frozen=True):
    """Nothing is known, and why: the engine does not apply, or a fair run may avoid legitimacy as far as it can tell.

    Then `states` are local states that such a run is in again and again, by node, and `recurring` the messages, with
    their targets, that are sent and delivered again and again.
    """

    why: str
    states: dict[str, Any] = {}
    recurring: tuple[tuple[str, Any], ...] = ()


class Answers(msgspec.Struct, frozen=True):
    """What local states tell of an instance: its convergence, and the names of the other promises that hold.

    `figures` is the extent of the latter; None if there are none.
    """

    convergence: Settled | Open
    safe: frozenset[str] = frozenset()
    figures: Figures | None = None


def answers(instance: Instance, question: Question, watch: BoundWatch) -> Answers:
    """Settle convergence, closure and well-formedness on local states alone, as far as they tell."""
    why = why_not(instance, question)
    if why:
        return Answers(Open(why))
    try:
        made = automata(instance, watch)
        judge = LegitimacyJudge(made.tables)
        safe = {CLOSURE: is_closed(made, judge, watch), WELL_FORMED: is_well_formed(made)}
        promises = instance.protocol.promises
        stated = {always.name for always in promises.always} | {observer.name for observer in promises.observers}
        holds = frozenset(name for name, answer in safe.items() if answer) - stated
        return Answers(convergence(made, judge, question, watch), holds, _figures(made))
    except MissingRead:
        return Answers(Open("the commands that may come from outside depend on the messages in flight"))
    except BoundReachedError as error:
        return Answers(Open(str(error)))
    except UsageError as error:
        # Any message arrives in any state here, so this step may never be taken: the explorer decides whether it is.
        return Answers(Open(f"a step that may never be taken is at fault: {error}"))


def why_not(instance: Instance, question: Question) -> str:
    """Why the question about an instance is not one for local states alone, as text; empty if it is."""
    if instance.protocol.discipline is not Discipline.UNORDERED:
        return f"channels are {instance.protocol.discipline.value}, and local states tell only of unordered ones"
    if question.scheduler is not Scheduler.CENTRAL:
        return "more than one node may act at once"
    return ""


def convergence(made: Automata, judge: LegitimacyJudge, question: Question, watch: BoundWatch) -> Settled | Open:
    """Whether every fair run of the automata converges. Raises BoundReachedError if a bound is reached first."""
    if question.fairness is Fairness.NONE:
        return Open("no run is unfair")
    narrowing, boxes = Narrowing(made, question.fairness, question.coins), 0
    for box in survivors(made, narrowing, watch):
        boxes += 1
        recurring = narrowing.recurring(box)
        fault = fault_in(box, recurring, made, judge)
        if fault is not None:
            return _open(_states(box, fault, made, judge), made, recurring.tolist())
    return Settled(_figures(made), narrowing.rounds, boxes, bool((made.tables.ways > 1).any()))


def _figures(made: Automata) -> Figures:
    sizes = prod(map(len, made.active)), len(made.tables.messages) - 1, sum(map(len, made.rows))
    return Figures(*sizes, made.budgets)


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
