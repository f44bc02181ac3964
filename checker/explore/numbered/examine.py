"""Exploration of an instance under FIFO: the plain explorer, over numbers in place of values."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from gomboc.checker.explore.graph import examine as plainly
from gomboc.checker.explore.numbered.deeds import Deeds, LocalAction
from gomboc.checker.explore.numbered.outside import Outside
from gomboc.checker.explore.numbered.promises import NumberedPromises
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.questions.bounds import Report
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Exploration, Finding, Run
from gomboc.spec.core.instance import Instance, bounded_model, first_world, is_within, starts
from gomboc.spec.core.model import Model, Promise, everywhere


def examine(instance: Instance, question: Question, report: Report) -> Exploration:
    """Explore an instance under FIFO, and judge its promises. Raises BadModelError if it cannot be trusted."""
    values = Values(instance)
    exploration = plainly.examine(numbered(instance, values), question, report)
    findings = tuple(_with_worlds(values, finding) for finding in exploration.findings)
    return replace(exploration, engine="numbered", findings=findings)


def _with_worlds(values: Values, finding: Finding) -> Finding:
    """A finding with a run of worlds and acts in place of numbers."""
    run = finding.run
    if run is None:
        return finding
    acts = tuple(deed.act for deed in run.actions)
    return replace(finding, run=Run(tuple(map(values.world, run.states)), acts, run.back))


def numbered(instance: Instance, values: Values) -> Model:
    """The transition system of an instance, with numbers as states and deeds as actions."""
    plain, deeds = bounded_model(instance), Deeds(values)
    outside, promises = Outside(values, deeds), NumberedPromises(values)
    bounded = instance.most is not None or not instance.coalesce
    return Model(
        name=plain.name,
        initial=lambda: (values.state(first_world(instance, start)) for start in starts(instance)),
        enabled=lambda state: tuple(_enabled(values, deeds, outside, state)),
        step=deeds.step,
        actor=lambda deed: str(deed.act.node),
        promises=tuple(replace(promise, holds=_holds(values, promises, promise)) for promise in plain.promises),
        fair=lambda deed: deed.turns,
        pick=lambda deed: deed.pick,
        chance=lambda deed: deed.chance,
        within=(lambda state: is_within(instance, values.world(state))) if bounded else everywhere,
        bounds=plain.bounds,
        disturbs=lambda deed: bool(deed.disturbs),
    )


def _enabled(values: Values, deeds: Deeds, outside: Outside, state: State) -> Iterator[LocalAction]:
    """Every enabled step, in the order of the plain explorer."""
    size = values.size
    own = [deeds.own((index, state[index], state[size + index])) for index in range(size)]
    for kind in (0, 1):
        for deeds_of_node in own:
            for deed in deeds_of_node[kind]:
                if deed.falls:
                    yield from deeds.with_losses(state, deed)
                else:
                    yield deed
    yield from outside.possible(state)


def _holds(values: Values, promises: NumberedPromises, promise: Promise) -> Callable[[Any], bool]:
    """Whether a promise holds in a state over numbers."""
    observers = {observer.name for observer in values.protocol.observers}
    match promise.name:
        case "closure" | "convergence" | "not_vacuous":
            return promises.is_legitimate
        case "canonical":
            return promises.is_well_formed
        case name if name in observers:
            return promises.unbroken(name)
    return lambda state: promise.holds(values.world(state))
