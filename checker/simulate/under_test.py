"""The implementation that a plan is about, and one run of it."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from typing import Protocol as Interface

from gomboc.checker.errors import UsageError
from gomboc.checker.simulate.from_spec import SpecificationRun
from gomboc.checker.simulate.plan import Plan, commands, specification
from gomboc.impl.automaton import Implementation
from gomboc.impl.disciplines import Discipline
from gomboc.impl.errors import UsageError as ImplementationUsageError
from gomboc.impl.failures import Budget, failing_of
from gomboc.impl.registry import NAMED, add, implementation
from gomboc.impl.simulator import Conditions, Simulation, TimedCommand
from gomboc.impl.trace import Step
from gomboc.spec.protocol import Protocol
from gomboc.spec.registry import UnfitProtocolError
from gomboc.spec.registry import add as add_protocol

PERIODS_PER_ROUND = 100.0
"""A run is ended after so much time for each of its rounds: most take one or two periods, but a round may never end."""


def under_test(plan: Plan, parameters: Mapping[str, Any]) -> Implementation | None:
    """The implementation of a plan with those parameters; None if the specification itself is run.

    Raises UsageError if there is none of that name, or if it refuses them.
    """
    if plan.from_spec:
        if _failures_asked(plan):
            raise UsageError("--from-spec draws no crashes: give it none, and no detector.")
        return None
    made = _configured(plan.implementation, parameters)
    try:
        if _budget(plan, made) is not None:
            failing_of(made)
        return made
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error


def configured_implementation(reference: str, protocol: str, parameters: Mapping[str, Any]) -> Implementation:
    """The implementation of that name, or at package.module:NAME, with those parameters.

    `protocol` is a name or a reference, too, and then counts among all. Raises UsageError if one of them is not there,
    if they do not belong together, or if the parameters make no sense.
    """
    name = protocol
    if ":" in protocol:
        try:
            name = add_protocol(protocol).name
        except UnfitProtocolError as error:
            raise UsageError(f"{error}.") from error
    return _configured(named_implementation(reference, name) if ":" in reference else reference, parameters)


def _configured(name: str, parameters: Mapping[str, Any]) -> Implementation:
    """The implementation of that name with those parameters. Raises UsageError if there is none, or if it refuses."""
    try:
        found = implementation(name)
        if parameters and found.configured is None:
            raise UsageError(f"The implementation {found.name} has no parameters: give it none.")
        return found.configured(parameters) if parameters and found.configured is not None else found
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error


def _failures_asked(plan: Plan) -> bool:
    return bool(plan.crashes or plan.restarts) or plan.detection is not None


def _budget(plan: Plan, tested: Implementation) -> Budget | None:
    """The failures of each run; None if nobody fails. FIFO links are cut also by crashes that a plan commands."""
    cuts = tested.failing is not None and _discipline(plan) is Discipline.FIFO
    if not _failures_asked(plan) and not cuts:
        return None
    return Budget(plan.crashes, plan.restarts, plan.within, plan.detection)


def _discipline(plan: Plan) -> Discipline:
    return Discipline(specification(plan).discipline.value)


def named_implementation(reference: str, protocol: str) -> str:
    """The name of the implementation at package.module:NAME, which then counts among all.

    Raises UsageError if there is none, or if it is of another protocol.
    """
    try:
        found = add(reference)
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error
    if found.protocol != protocol:
        raise UsageError(f"{reference} implements {found.protocol}, not {protocol}: name one of {protocol}.")
    return found.name


def named_implementations() -> tuple[str, ...]:
    """Where the implementations are that the caller has named, as module:attribute."""
    return tuple(os.environ.get(NAMED, "").split())


class Running(Interface):
    """A run: `now` is its time in periods."""

    now: float

    def steps(self) -> Iterator[Step]:
        """One step after the other, for ever."""


def simulation(plan: Plan, index: int, head: dict[str, Any], tested: Implementation | None) -> tuple[Running, "Due"]:
    """The run of trace `index` of the plan, with that header, and the commands that it will be given."""
    due = tuple(
        TimedCommand(each.at, each.node, each.command()) for each in commands(plan, index, tuple(head["roles"]))
    )
    seed = plan.seed_of(index, "run")
    times = tuple(each.at for each in due)
    running: Running
    if tested is None:
        running = SpecificationRun(head, specification(plan), seed, due)
    else:
        conditions = Conditions(commands=due, discipline=_discipline(plan), failures=_budget(plan, tested))
        running = simulated = Simulation(head, tested, seed, conditions)
        times += simulated.failures
    return running, Due(len(times), max(times, default=0.0))


class Due(NamedTuple):
    """How many commands a run will be given, and when the last of them, in periods."""

    commands: int
    last: float


class End:
    """When a run is long enough. `bound` is the protocol's, for nodes of those roles."""

    def __init__(self, plan: Plan, protocol: Protocol, roles: Mapping[str, str], running: Running, due: Due) -> None:
        self.bound = protocol.bound(sum(role == protocol.member for role in roles.values()))
        self._most = self.bound + plan.settle if plan.rounds is None else plan.rounds
        self._in_all, self._settle = plan.rounds, plan.settle
        self._running, self._due = running, due
        self._latest = due.last + PERIODS_PER_ROUND * (self._most + 1)

    def is_reached(self, commanded: int, legitimate: int | None, completed: int, in_all: int) -> bool:
        """Whether the run ends here: it has been given so many commands, completed so many rounds since the last of
        them, and so many since the start; and it became legitimate in that round since the last, or never.

        The plan's `rounds` hold in any case, and time bounds a run that completes no round.
        """
        if (self._in_all is not None and in_all >= self._in_all) or self._running.now >= self._latest:
            return True
        if commanded < self._due.commands or self._running.now < self._due.last:
            return False
        settled = legitimate is not None and max(0, completed - legitimate) >= self._settle
        return settled or completed >= self._most
