"""Building blocks of every protocol: actors that take one step at a time, and the models built from them."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

import msgspec

States = Mapping[str, Any]
"""Each node's local state, by its name."""

InFlight = tuple[tuple[str, Any], ...]
"""Messages in flight, each with its target."""


class Timeout(msgspec.Struct, frozen=True):
    """The input that runs a node's periodic action."""


class Received(msgspec.Struct, frozen=True):
    """The input that delivers `message` to a node."""

    message: Any


class Commanded(msgspec.Struct, frozen=True):
    """The input that gives `command` to a node, from its application or the environment."""

    command: Any


Input = Timeout | Received | Commanded


class Send(msgspec.Struct, frozen=True):
    """`message` put into the channel of node `target`."""

    target: str
    message: Any


class Outcome(msgspec.Struct, frozen=True):
    """The result of one step: the next local state, the messages sent, and the values delivered to the application."""

    local: Any
    sends: tuple[Send, ...] = ()
    delivered: tuple[Any, ...] = ()

    def then(self, rule: Callable[..., "Outcome"], *arguments: Any) -> "Outcome":
        """This outcome, followed in the same step by `rule(local, *arguments)`."""
        after = rule(self.local, *arguments)
        return Outcome(after.local, self.sends + after.sends, self.delivered + after.delivered)


class Choice(msgspec.Struct, frozen=True):
    """One result of the coins of a step, with its probability (0 < probability <= 1)."""

    name: str
    probability: Fraction


CERTAIN = (Choice("certain", Fraction(1)),)
"""The choices of a step that tosses no coin."""


class Fault(msgspec.Struct, frozen=True):
    """A named conjunct of a predicate that is false.

    `rule` is the conjunct, `node` the node where it is false, `expected` and `found` the two sides in words or values,
    `source` the section of the paper.
    """

    rule: str
    node: str
    expected: Any
    found: Any
    source: str


class Offer(msgspec.Struct, frozen=True):
    """A command that `node` may be given from outside now.

    `budget` is the name of the budget that it is charged to, and "" if it needs none. An `owed` offer is enabled like a
    timeout: an infinite fair run takes it eventually, if it is offered for ever.
    """

    node: str
    command: Any
    budget: str
    owed: bool = False


def nothing_comes(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """No offers: for a protocol without commands from outside."""
    del states, in_flight
    return ()


class Kind(Enum):
    """The claim that a promise makes about the runs of a model."""

    ALWAYS = "always"
    """Holds in every state (safety)."""
    STABLE = "stable"
    """Once it holds, it holds in every later state (closure)."""
    EVENTUALLY = "eventually"
    """Every fair run reaches a state where it holds (convergence)."""
    SOMETIMES = "sometimes"
    """Some run reaches a state where it holds: the claim is not vacuous."""


class Promise(msgspec.Struct, frozen=True):
    """A named predicate over the states of a model, with the kind of its promise and its source in the paper."""

    kind: Kind
    name: str
    holds: Callable[[Any], bool]
    source: str


def itself(action: Any) -> Hashable:
    """The action itself, which a scheduler picks where no coins are tossed."""
    picked: Hashable = action
    return picked


def surely(action: Any) -> Fraction:
    """The chance of an action that tosses no coin."""
    del action
    return Fraction(1)


def never(action: Any) -> bool:
    """Always False: no action comes from outside."""
    del action
    return False


def everywhere(state: Any) -> bool:
    """Every state is within the bounds of a model that has none."""
    del state
    return True


class Model(msgspec.Struct, frozen=True):
    """A transition system, the common input of the explorer, the sampler and the property tests.

    `initial()` yields the initial states, `enabled(state)` the actions possible in a state, `step(state, action)` is
    pure. `actor(action)` names the node that acts, by which rounds are counted. States are hashable values.

    The other fields have defaults. `fair(action)`: the fairness classes of an action, to each of which a fair scheduler
    owes its turn (None: the actor's). `pick(action)`: the action without the results of its coins, as a scheduler
    decides it; `chance(action)`: the probability of those results. The chances of one pick add up to 1.
    `within(state)`: whether a state is within the model's bounds; a state beyond them is never explored, and nothing is
    claimed that such a state may change. `bounds` says it in words. `disturbs(action)`: whether an action comes from
    outside and may falsify predicates: a STABLE promise may end by it, and an EVENTUALLY promise starts anew.
    """

    name: str
    initial: Callable[[], Iterable[Any]]
    enabled: Callable[[Any], tuple[Any, ...]]
    step: Callable[[Any, Any], Any]
    actor: Callable[[Any], str]
    promises: tuple[Promise, ...]
    fair: Callable[[Any], tuple[Hashable, ...]] | None = None
    pick: Callable[[Any], Hashable] = itself
    chance: Callable[[Any], Fraction] = surely
    within: Callable[[Any], bool] = everywhere
    bounds: str = ""
    disturbs: Callable[[Any], bool] = never
