"""What two engines say of one system, compared: the extent, the findings in words, and runs that are real."""

from hypothesis import strategies as st

from gomboc.checker.explore.graph import examine as plain
from gomboc.checker.explore.graph.lasso import is_fair, replays
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.questions.rounds import COMMUTING, round_model
from gomboc.checker.explore.results.finding import Exploration
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.explore.verdicts import EXPECTED
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.model import Model
from gomboc.spec.core.protocol import Discipline

AT_ONCE = Question()

QUESTIONS = st.builds(Question, fairness=st.sampled_from(Fairness), coins=st.sampled_from(Coins))


def told(exploration: Exploration) -> list[tuple[object, ...]]:
    """The finding on each property, in words; of a lasso only that it is one, since its length is not the shortest."""
    said = []
    for one in exploration.findings:
        lasso = one.run is not None and one.run.back is not None
        said.append((one.promise, one.of, "a lasso" if lasso else one.verdict, one.worst))
    return [one for one in said if EXPECTED not in str(one[1]) and one[0] != COMMUTING.name]


def assert_same_extent(one: Exploration, other: Exploration) -> None:
    """Both engines found as much."""
    assert (one.extent, one.legitimate, one.scheduler) == (other.extent, other.legitimate, other.scheduler)


def assert_runs_are_real(model: Model, exploration: Exploration, fairness: Fairness) -> None:
    """Every run begins in an initial state and replays, and every lasso is fair."""
    for one in exploration.findings:
        if one.run is not None:
            assert one.run.states[0] in set(model.initial())
            assert replays(model, one.run)
            assert one.run.back is None or is_fair(model, one.run, fairness)


def assert_alike(one: Exploration, other: Exploration, model: Model, question: Question) -> None:
    """The second engine says what the plain one says, and shows real runs."""
    assert_same_extent(one, other)
    assert told(one) == told(other)
    assert_runs_are_real(model, other, question.fairness)


def model_of(instance: Instance) -> Model:
    """The plain model of an instance, with whole rounds as single steps if it is synchronous."""
    return round_model(instance) if instance.protocol.discipline is Discipline.ROUNDS else bounded_model(instance)


def explored_alike(instance: Instance, question: Question = AT_ONCE) -> Exploration:
    """What the tables say of an instance, which is what the plain explorer says."""
    model, exploration = model_of(instance), examine(instance, question)
    assert_alike(plain.examine(model, question), exploration, model, question)
    return exploration
