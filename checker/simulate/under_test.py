"""The implementation of a plan, and one run of it."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from typing import Protocol as Interface

from gomboc.checker.core.errors import UsageError
from gomboc.checker.simulate.from_spec import SpecificationRun
from gomboc.checker.simulate.plan import Plan, commands, specification
from gomboc.checker.simulate.refusals import refusals
from gomboc.impl.api.registry import NAMED, add, implementation
from gomboc.impl.core.automaton import Implementation
from gomboc.impl.core.errors import UsageError as ImplementationUsageError
from gomboc.impl.core.trace import Step
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.detection.simulated import HeartbeatRules
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.failures import Budget, failing_of
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.core.registry import UnfitProtocolError
from gomboc.spec.core.registry import add as add_protocol

OWN_IMPLEMENTATION = 'for one of your own write implementation = "package.module:IMPLEMENTATION"'

PERIODS_PER_ROUND = 100.0
"""Periods per round after which a run is ended: most rounds take one or two periods, but a round may never end."""


@refusals()
def under_test(plan: Plan, parameters: Mapping[str, Any]) -> Implementation | None:
    """The implementation of a plan with those parameters; None if the specification itself is run.

    Raises UsageError if there is none of that name, or if it refuses the parameters.
    """
    if plan.from_spec:
        if _failures_asked(plan):
            raise UsageError("--from-spec draws no crashes: give it none, and no detector.")
        return None
    made = _configured(plan.implementation, parameters)
    if _budget(plan, made) is not None:
        failing_of(made)
    return made


def configured_implementation(reference: str, protocol: str, parameters: Mapping[str, Any]) -> Implementation:
    """The implementation of that name, or at package.module:NAME, with those parameters.

    `protocol` is a name or a reference, too; a reference is registered. Raises UsageError if one of them does not
    exist, if they do not belong together, or if the parameters are invalid.
    """
    name = protocol
    if ":" in protocol:
        try:
            name = add_protocol(protocol).name
        except UnfitProtocolError as error:
            raise UsageError(f"{error}.") from error
    return _configured(named_implementation(reference, name) if ":" in reference else reference, parameters)


@refusals()
def _configured(name: str, parameters: Mapping[str, Any]) -> Implementation:
    """The implementation of that name with those parameters. Raises UsageError if there is none, or if it refuses."""
    chosen = implementation(name)
    if parameters and chosen.configured is None:
        raise UsageError(f"The implementation {chosen.name} has no parameters: give it none.")
    return chosen.configured(parameters) if parameters and chosen.configured is not None else chosen


def _failures_asked(plan: Plan) -> bool:
    return bool(plan.crashes or plan.restarts) or is_detected(plan)


def is_detected(plan: Plan) -> bool:
    """Whether nodes have failure detectors that the plan asks for."""
    return plan.detection is not None or plan.patience is not None


def _budget(plan: Plan, tested: Implementation) -> Budget | None:
    """The failures of each run; None if no node fails. FIFO links are cut by crashes that a plan commands, too."""
    cuts = tested.failing is not None and _discipline(plan) is Discipline.FIFO
    if not _failures_asked(plan) and not cuts:
        return None
    return budget(plan)


def budget(plan: Plan) -> Budget:
    """The crashes, restarts and detectors of each run of a plan."""
    heartbeats = None
    if plan.patience is not None:
        heartbeats = HeartbeatRules(Timing(plan.patience, most=max(plan.patience, Timing().most)), plan.loss)
    return Budget(plan.crashes, plan.restarts, plan.within, plan.detection, heartbeats)


def _discipline(plan: Plan) -> Discipline:
    return Discipline(specification(plan).discipline.value)


def named_implementation(reference: str, protocol: str) -> str:
    """Register the implementation at package.module:NAME, and return its name.

    Raises UsageError if there is none, or if it is of another protocol.
    """
    with refusals():
        added = add(reference)
    if added.protocol != protocol:
        raise UsageError(f"{reference} implements {added.protocol}, not {protocol}: name one of {protocol}.")
    return added.name


def check_implementation(tested: str, protocol: str) -> None:
    """Raise UsageError if the protocol has no implementation of that name or at package.module:NAME.

    An empty name stands for the protocol's own one.
    """
    try:
        if tested:
            named_implementation(tested, protocol)
        else:
            implementation(protocol)
    except ImplementationUsageError as error:
        raise UsageError(f"{str(error).rstrip('.')}; {OWN_IMPLEMENTATION}.") from error


def named_implementations() -> tuple[str, ...]:
    """The references to the implementations that the user has named, as module:attribute."""
    return tuple(os.environ.get(NAMED, "").split())


class Running(Interface):
    """A run: `now` is its time in periods."""

    now: float

    def steps(self) -> Iterator[Step]:
        """The steps, without end."""


def simulation(plan: Plan, index: int, head: dict[str, Any], tested: Implementation | None) -> tuple[Running, "Due"]:
    """The run of trace `index` of the plan, with that header, and the commands that it will be given."""
    due = tuple(
        TimedCommand(command.at, command.node, command.command())
        for command in commands(plan, index, tuple(head["roles"]))
    )
    seed = plan.seed_of(index, "run")
    times = tuple(command.at for command in due)
    running: Running
    if tested is None:
        running = SpecificationRun(head, specification(plan), seed, due)
    else:
        conditions = Conditions(commands=due, discipline=_discipline(plan), failures=_budget(plan, tested))
        running = simulated = Simulation(head, tested, seed, conditions)
        times += simulated.failures
    return running, Due(len(times), max(times, default=0.0))


class Due(NamedTuple):
    """The number of commands that a run will be given, and the time of the last, in periods."""

    commands: int
    last: float


class End:
    """The end of a run. `bound` is the protocol's, for nodes of those roles."""

    def __init__(self, plan: Plan, protocol: Protocol, roles: Mapping[str, str], running: Running, due: Due) -> None:
        self.bound = protocol.starts.bound(sum(role == protocol.vocabulary.member for role in roles.values()))
        self._most = self.bound + plan.settle if plan.rounds is None else plan.rounds
        self._in_all, self._settle = plan.rounds, plan.settle
        self._running, self._due = running, due
        self._latest = due.last + PERIODS_PER_ROUND * (self._most + 1)

    def is_reached(self, commanded: int, legitimate: int | None, completed: int, in_all: int) -> bool:
        """Whether the run ends here.

        `commanded` is the number of commands that it has been given. `completed` counts its rounds since the last
        command, `in_all` since the start. It became `legitimate` in that round since the last command; None if it did
        not. The plan's `rounds` hold in any case, and time bounds a run that completes no round.
        """
        if (self._in_all is not None and in_all >= self._in_all) or self._running.now >= self._latest:
            return True
        if commanded < self._due.commands or self._running.now < self._due.last:
            return False
        settled = legitimate is not None and max(0, completed - legitimate) >= self._settle
        return settled or completed >= self._most
