"""Exploration of an instance under FIFO: the plain explorer, over numbers in place of values."""

from collections.abc import Iterator

from msgspec.structs import replace

from gomboc.checker.explore.graph import examine as plainly
from gomboc.checker.explore.numbered.actions import LocalAction, LocalActions
from gomboc.checker.explore.numbered.commands import NumberedCommands
from gomboc.checker.explore.numbered.promises import NumberedPromises
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.questions.bounds import Report
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Exploration, Run
from gomboc.spec.core.instance import Instance, bounded_model, first_world, is_within, starts
from gomboc.spec.core.model import Model, everywhere
from gomboc.spec.core.network import disturbs


def examine(instance: Instance, question: Question, report: Report) -> Exploration:
    """Explore an instance under FIFO, and judge its promises. Raises BadModelError if it cannot be trusted."""
    values = Values(instance)
    exploration = plainly.examine(numbered(instance, values), question, report)
    return replace(with_worlds(values, exploration), engine="numbered")


def with_worlds(values: Values, exploration: Exploration) -> Exploration:
    """An exploration with runs of worlds and acts in place of numbers."""
    # One run may lead to what is unknown in many findings, and stays one.
    runs = {id(finding.run): _of_worlds(values, finding.run) for finding in exploration.findings}
    findings = tuple(replace(finding, run=runs[id(finding.run)]) for finding in exploration.findings)
    return replace(exploration, findings=findings)


def _of_worlds(values: Values, run: Run | None) -> Run | None:
    """A run of worlds and acts in place of numbers."""
    if run is None:
        return None
    acts = tuple(action.act for action in run.actions)
    return Run(tuple(map(values.world, run.states)), acts, run.back)


def numbered(instance: Instance, values: Values) -> Model:
    """The transition system of an instance, with numbers as states and local actions as actions."""
    plain, actions = bounded_model(instance), LocalActions(values)
    commands, promises = NumberedCommands(values, actions), NumberedPromises(values)
    bounded = instance.most is not None or not instance.coalesce

    def enabled(state: State) -> Iterator[LocalAction]:
        """Every enabled step, in the order of the plain explorer."""
        size = values.size
        own = [actions.own(index, state[index], state[size + index]) for index in range(size)]
        for kind in (0, 1):
            for actions_of_node in own:
                for action in actions_of_node[kind]:
                    yield from actions.with_losses(state, action)
        yield from commands.possible(state)

    return replace(
        plain,
        initial=lambda: (values.state(first_world(instance, start)) for start in starts(instance)),
        enabled=lambda state: tuple(enabled(state)),
        step=actions.step,
        actor=lambda action: str(action.act.node),
        promises=tuple(replace(promise, holds=promises.holds(promise)) for promise in plain.promises),
        fair=lambda action: action.turns,
        pick=lambda action: action.pick,
        chance=lambda action: action.act.choice.probability,
        within=(lambda state: is_within(instance, values.world(state))) if bounded else everywhere,
        disturbs=lambda action: disturbs(instance.protocol, action.act),
    )
