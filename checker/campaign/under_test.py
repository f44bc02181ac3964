"""The implementation that a plan is about, with the parameters of the plan's traces."""

from checker.campaign.plan import Plan, parameters_of
from checker.errors import UsageError
from impl.automaton import Implementation
from impl.errors import UsageError as ImplementationUsageError
from impl.registry import implementation


def under_test(plan: Plan) -> Implementation:
    """Raises UsageError if there is none of that name, or if it refuses the parameters."""
    parameters = parameters_of(plan)
    try:
        found = implementation(plan.implementation)
        if not parameters:
            return found
        if found.configured is None:
            raise UsageError(f"The implementation {found.name} has no parameters: give it none.")
        return found.configured(parameters)
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error
