"""The implementation that a plan is about, and one run of it."""

from collections.abc import Mapping
from typing import Any

from checker.errors import UsageError
from checker.simulate.plan import Plan, commands
from impl.automaton import Implementation
from impl.errors import UsageError as ImplementationUsageError
from impl.registry import implementation
from impl.simulator import Options, Simulation, TimedCommand
from spec.protocol import Protocol


def under_test(name: str, parameters: Mapping[str, Any]) -> Implementation:
    """With those parameters. Raises UsageError if there is none of that name, or if it refuses them."""
    try:
        found = implementation(name)
        if not parameters:
            return found
        if found.configured is None:
            raise UsageError(f"The implementation {found.name} has no parameters: give it none.")
        return found.configured(parameters)
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error


def simulation(plan: Plan, index: int, head: dict[str, Any], tested: Implementation) -> tuple[Simulation, int]:
    """The run of trace `index` of the plan, with that header, and how many commands it will be given."""
    due = tuple(
        TimedCommand(each.at, each.node, each.command()) for each in commands(plan, index, tuple(head["roles"]))
    )
    return Simulation(head, tested, plan.seed_of(index, "run"), Options(commands=due)), len(due)


def most_rounds(plan: Plan, protocol: Protocol, roles: Mapping[str, str]) -> tuple[int, int]:
    """The protocol's bound for a run of nodes with those roles, and the rounds after which the plan ends it."""
    bound = protocol.bound(sum(role == protocol.member for role in roles.values()))
    return bound, bound + plan.settle if plan.rounds is None else plan.rounds
