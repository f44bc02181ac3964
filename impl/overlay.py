"""What the nodes of one system have in common: a protocol with its parameters, and who the supervisor is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from impl.automaton import Core, Implementation, RandomSource
from impl.errors import UsageError
from impl.registry import implementation

SUPERVISOR = "supervisor"
SUBSCRIBER = "subscriber"


@dataclass(frozen=True, slots=True)
class Overlay:
    """An implementation that is configured already, the parameters as a trace's header has them, the supervisor.

    With `of_topic`, the cores of a topic are made by an implementation of their own, such as one that signs for it.
    """

    implementation: Implementation
    parameters: Mapping[str, object] = field(default_factory=dict)
    supervisor: str = SUPERVISOR
    of_topic: Callable[[str], Implementation] | None = None

    def blank_state(self, role: str) -> object:
        """The state of a node that knows nobody and wants nothing; `UsageError` if the protocol does not have one."""
        if role not in self.implementation.blank:
            raise UsageError(f"{self.implementation.name} does not say how a node with role {role!r} begins.")
        return self.implementation.blank[role]

    def blank(self, role: str, name: str, random: RandomSource, topic: str) -> Core:
        """The core of such a node for this topic."""
        implementation = self.implementation if self.of_topic is None else self.of_topic(topic)
        return implementation.make(role, name, self.blank_state(role), random)


def overlay(name: str, parameters: Mapping[str, object] | None = None) -> Overlay:
    """The implementation of this name with these parameters; `UsageError` for what it does not know."""
    found, given = implementation(name), {} if parameters is None else dict(parameters)
    if not given:
        return Overlay(found)
    if found.configured is None:
        raise UsageError(f"{name} has no parameters.")
    return Overlay(found.configured(given), given)
