"""One exploration with the engine that fits: tables if they support every feature that is used, otherwise plain."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import islice
from typing import Any

from msgspec.structs import replace

from gomboc.checker.core.bad_models import BadModelError, NotCommutingError, NotTabularError, blamed, shown
from gomboc.checker.core.errors import UsageError, lacking
from gomboc.checker.core.user_code import FAULTS, under_guard
from gomboc.checker.explore import closure
from gomboc.checker.explore.graph.drn import drn
from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.numbered.examine import examine as by_numbers
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch, Report
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.rounds import COMMUTING, RECEIPTS_COMMUTE
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.questions.tabular import why_not_columns, why_not_tables
from gomboc.checker.explore.questions.target import Explorable
from gomboc.checker.explore.reduced.examine import examine as by_few_orders
from gomboc.checker.explore.results.finding import Exploration, Finding
from gomboc.checker.explore.shared.local import asked, insist_on_sense
from gomboc.checker.explore.table.model import checked_calls
from gomboc.checker.judge.verdict import Unknown, Violated
from gomboc.spec.core.instance import Instance, bounded_model, candidates, is_admitted, size
from gomboc.spec.core.model import Model, itself, surely
from gomboc.spec.core.network import promises_of
from gomboc.spec.core.pinned import Closure
from gomboc.spec.core.protocol import Discipline
from gomboc.spec.core.shared_memory import SharedMemory, model_of

ENGINES = ("auto", "plain", "table", "reduced")

MOST_PLAINLY = 50_000
"""Number of states up to which a model that is too wide for tables is explored plainly, if no engine was chosen."""

MOST_STARTS = 1_000_000
"""Number of combinations of initial values up to which that is tried."""

MOST_LOOKED = 10_000
"""Number of combinations of initial values among which a start is looked for, if a bound came before the first."""


def explore(model: Explorable, engine: str, question: Question, report: Report) -> Exploration:
    """Explore a model and judge its promises.

    Raises UsageError if the engine cannot explore the model, or if the model cannot be trusted.
    """
    with under_guard():
        if isinstance(model, Instance) and (why := model.misstated()):
            raise BadModelError(model.protocol.name, why, None, "as it is stated")
        if engine == "auto" and isinstance(model, Instance) and not missing():
            return unless_vacuous(_in_any_channels(model, question, report))
        return unless_vacuous(_explored(model, engine, question, report))


def _in_any_channels(instance: Instance, question: Question, report: Report) -> Exploration:
    """Explore an instance, after the attempt to settle its promises for any number of messages in flight.

    The bounds of the question count for each of the two.
    """
    from gomboc.checker.explore.product.findings import with_any_channels
    from gomboc.checker.explore.product.settle import Answers, Open, answers

    watch = BoundWatch(question.bounds)
    known = answers(instance, question, watch)
    took = watch.seconds
    exploration = _explored(instance, "auto", question, report)
    extent = exploration.extent
    if not extent.states and not extent.outside and not _has_start(instance):
        known = Answers(Open("no initial state was found, so a claim might be about nothing"))
    whole = replace(exploration, seconds=exploration.seconds + took)
    return with_any_channels(whole, promises_of(instance.protocol), question, known)


def _has_start(instance: Instance) -> bool:
    """Whether one of the first MOST_LOOKED combinations of initial values is a start."""
    first = islice(candidates(instance), MOST_LOOKED)
    protocol = instance.protocol
    return checked_calls.asked(protocol, "admits", lambda: any(is_admitted(instance, start) for start in first), None)


def as_drn(model: Explorable, question: Question) -> str:
    """The whole graph of a model for other checkers. Raises UsageError if there is none, or if it is not whole."""
    with under_guard():
        if isinstance(model, Closure):
            raise UsageError(f"The steps of {model.protocol.name} are judged one by one: there is no graph to write.")
        if isinstance(model, Instance):
            if why := model.misstated():
                raise BadModelError(model.protocol.name, why, None, "as it is stated")
            return drn(plain_model(model, question), question)
        return drn(guarded(model_of(model) if isinstance(model, SharedMemory) else model), question)


def unless_vacuous(exploration: Exploration) -> Exploration:
    """The same exploration; its verdicts are unknown if it has no promises or no initial state."""
    if not exploration.findings:
        nothing = Finding("nothing", "what the model promises", Unknown("it promises nothing, so nothing is judged"))
        return replace(exploration, findings=(nothing,))
    extent = exploration.extent
    if extent.starts or extent.stopped or extent.outside:
        return exploration
    why = Unknown("there is no initial state, so nothing is judged")
    return replace(exploration, findings=tuple(replace(finding, verdict=why) for finding in exploration.findings))


def _explored(model: Explorable, engine: str, question: Question, report: Report) -> Exploration:
    if question.numbers:
        engine = _for_numbers(model, engine)
    if engine == "reduced":
        if not isinstance(model, Instance):
            raise UsageError("The reduced explorer takes instances of protocols only: explore with --engine auto.")
        return by_few_orders(model, question, report)
    if isinstance(model, Closure):
        try:
            return closure.examine(model, question.bounds, report)
        except FAULTS as error:
            raise blamed(error, model.protocol.name, "raises", None, "while its steps are taken") from error
    if isinstance(model, SharedMemory):
        return in_memory(model, engine, question, report)
    if engine == "table":
        return by_tables(model, question, report)
    if engine == "auto" and isinstance(model, Instance) and fits(question, why_not_tables(model)):
        # The commands that the protocol offers become known only during the exploration.
        try:
            plainly = partial(_plainly, model, question, report) if size(model) <= MOST_STARTS else None
            return by_tables(model, question, report, plainly)
        except NotCommutingError as error:
            plain = examine(bounded_model(model), question, report)
            verdict = Violated(0, COMMUTING.name, f"two do not: {error.where}", source=COMMUTING.source)
            return replace(plain, findings=(*plain.findings, Finding(COMMUTING.name, RECEIPTS_COMMUTE, verdict)))
        except NotTabularError:
            pass
    if engine == "auto" and isinstance(model, Instance) and keeps_order(model, question):
        # A bad model, or a feature that numbered values do not support, is left to the explorer over values.
        with suppress(BadModelError, NotTabularError):
            return by_numbers(model, question, report)
    return examine(guarded(model) if isinstance(model, Model) else plain_model(model, question), question, report)


def plain_model(instance: Instance, question: Question) -> Model:
    """The model of an instance with bounded channels. Raises UsageError unless one node acts at a time."""
    if question.scheduler is not Scheduler.CENTRAL:
        raise UsageError(f"The nodes of {instance.protocol.name} share no memory: explore with --scheduler central.")
    return bounded_model(instance)


def _for_numbers(model: Explorable, engine: str) -> str:
    """The engine that computes the numbers of schedulers. Raises UsageError if another one was chosen, or has to be."""
    if isinstance(model, Closure):
        raise UsageError(f"The steps of {model.protocol.name} are judged one by one, without schedulers: no --numbers.")
    named = {"table": "table-driven", "reduced": "reduced"}.get(engine)
    if named:
        raise UsageError(f"The {named} explorer computes no numbers of schedulers: explore with --engine plain.")
    return "plain"


def in_memory(memory: SharedMemory, engine: str, question: Question, report: Report) -> Exploration:
    """Explore a shared memory by columns or plainly. Raises UsageError if the engine cannot do that."""
    insist_on_sense(memory)
    why_not = why_not_columns(memory, question.bounds.most_states)
    if engine == "plain" or (engine == "auto" and not fits(question, why_not)):
        with suppress(BoundReachedError):
            asked(memory, BoundWatch(question.bounds).insist)
        return examine(guarded(model_of(memory)), question, report)
    insist_on_tables(question, why_not)
    from gomboc.checker.explore.shared.examine import examine as examine_columns

    return examine_columns(memory, question, report)


def guarded(model: Model) -> Model:
    """The same model; its functions of an action raise BadModelError in place of any other exception."""

    def guard(name: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def answer(action: Any) -> Any:
            try:
                return function(action)
            except FAULTS as error:
                where = f"for the action {shown(action)}"
                raise blamed(error, model.name, f"raises in {name}", action, where) from error

        return answer

    functions = {"actor": model.actor, "fair": model.fair, "pick": model.pick, "chance": model.chance}
    # The explorer recognises these two by identity as the absence of coins, so they stay unwrapped.
    untouched = None, itself, surely
    return replace(
        model,
        **{name: guard(name, wrapped) for name, wrapped in functions.items() if wrapped and wrapped not in untouched},
    )


def keeps_order(instance: Instance, question: Question) -> bool:
    """Whether an instance fits numbered values: its channels are first in, first out, and one node acts at a time."""
    fifo = instance.protocol.discipline is Discipline.FIFO
    return fifo and len(instance.alike) < 2 and question.scheduler is Scheduler.CENTRAL


def fits(question: Question, why_not: str) -> bool:
    """Whether arrays can be used, with the packages that are installed; `why_not` names a feature that they lack."""
    return not why_not and question.scheduler is Scheduler.CENTRAL and not missing()


def missing() -> tuple[str, ...]:
    """The packages that the table-driven explorer needs and that are not installed."""
    return tuple(package for package in ("numpy", "scipy") if find_spec(package) is None)


def insist_on_tables(question: Question, why_not: str) -> None:
    """Raise UsageError if the table-driven explorer cannot be used; `why_not` names the feature that it lacks."""
    if question.scheduler is not Scheduler.CENTRAL:
        raise UsageError("The table-driven explorer knows the central scheduler only: explore with --engine plain.")
    if why_not:
        raise NotTabularError(why_not)
    for package in missing():
        raise UsageError(lacking("The table-driven explorer", package, "explore"))


def by_tables(
    model: Model | Instance,
    question: Question,
    report: Report,
    if_too_wide: Callable[[str], Exploration] | None = None,
) -> Exploration:
    """Explore an instance by tables. Raises UsageError if it is a model, or if a feature or package is missing.

    `if_too_wide` explores it if the tables have no room for its states.
    """
    if isinstance(model, Model):
        raise UsageError(f"{model.name} is a model and no instance of a protocol: explore it with --engine plain.")
    insist_on_tables(question, why_not_tables(model))
    from gomboc.checker.explore.table.examine import examine as examine_by_tables

    return examine_by_tables(model, question, report, if_too_wide)


def _plainly(instance: Instance, question: Question, report: Report, why: str) -> Exploration:
    """Explore an instance plainly, as far as MOST_PLAINLY, since it is too wide for tables: `why` says so.

    A model without end is too wide too, and would keep the plain explorer busy for ever.
    """
    asked = question.bounds.most_states
    most = MOST_PLAINLY if asked is None else min(asked, MOST_PLAINLY)
    bounds = replace(question.bounds, most_states=most)
    exploration = examine(bounded_model(instance), replace(question, bounds=bounds), report)
    if not exploration.extent.stopped:
        return exploration
    return replace(exploration, findings=tuple(_because(finding, why) for finding in exploration.findings))


def _because(finding: Finding, why: str) -> Finding:
    verdict = finding.verdict
    return replace(finding, verdict=Unknown(f"{verdict.why}; {why}")) if isinstance(verdict, Unknown) else finding
