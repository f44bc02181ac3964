"""Runs of Skip+ round by round: in a round each node receives all its messages, and then has a timeout."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from gomboc.spec.core.model import CERTAIN, Commanded, Input, Received, Send, Timeout
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_plus.legitimacy import anchor, message_faults, node_faults
from gomboc.spec.protocols.skip_plus.rules import Rules
from gomboc.spec.protocols.skip_plus.space import ROLE, Names
from gomboc.spec.protocols.skip_plus.state import Command, Gone, Message, Node

RULES = Rules()

(SURE,) = CERTAIN

States = Mapping[str, Node]


class System(msgspec.Struct, frozen=True):
    """All states, and the messages on their way to each node."""

    states: States
    inbox: Mapping[str, tuple[Message, ...]]

    def live(self) -> Names:
        """The nodes that take part, ascending."""
        return anchor({name: local.live for name, local in self.states.items()})

    def is_right(self) -> bool:
        """Whether nothing is at fault."""
        live = self.live()
        wrong = any(node_faults(live, name, local) for name, local in self.states.items())
        return not wrong and not any(
            message_faults(live, target, message) for target, sent in self.inbox.items() for message in sent
        )

    def known(self, name: str) -> frozenset[str]:
        """The nodes that a node knows, or is about to hear of."""
        introduced = (other for message in self.inbox[name] for other in message.inserts)
        return frozenset((*self.states[name].neighbours, *introduced)) - {name}

    def start(self) -> Start:
        """The same as the start of a trace."""
        names = sorted(self.states)
        in_flight = tuple((target, message) for target in names for message in self.inbox[target])
        return Start(
            tuple((name, ROLE) for name in names), tuple((name, self.states[name]) for name in names), in_flight
        )


def system(states: States, inbox: Mapping[str, tuple[Message, ...]] | None = None) -> System:
    """The system with those states, and only the messages of `inbox` on their way."""
    return System(dict(sorted(states.items())), dict.fromkeys(states, ()) | dict(inbox or {}))


def a_round(before: System, rules: Rules = RULES, at_once: bool = False) -> System:
    """The system after a round.

    With `at_once`, a node knows its failed neighbours in the round itself, and removes them after the
    inserts and before the rules: the order of Slide 20. Otherwise it finds out by their answers, a round later.
    """
    gone = tuple(Gone(name, ()) for name, local in before.states.items() if not local.live)
    states: dict[str, Node] = {}
    inbox: dict[str, list[Message]] = {name: [] for name in before.states}
    for name, local in before.states.items():
        failed = gone if at_once and local.live else ()
        states[name], sends = _round_of(rules, name, local, (*before.inbox[name], *failed))
        for send in sends:
            inbox[send.target].append(send.message)
    return System(states, {name: tuple(sent) for name, sent in inbox.items()})


@lru_cache(maxsize=1 << 16)
def _round_of(rules: Rules, name: str, local: Node, received: tuple[Message, ...]) -> tuple[Node, tuple[Send, ...]]:
    """A node after a round, and what it sends: in many systems it is in the same state, and receives the same."""
    sends: list[Send] = []
    inputs: tuple[Input, ...] = (*map(Received, received), Timeout())
    for taken in inputs:
        outcome = rules.react(name, local, taken, SURE)
        local = outcome.local
        sends += outcome.sends
    return local, tuple(sends)


def commanded(before: System, name: str, command: Command) -> System:
    """The system after a command to one node."""
    outcome = RULES.react(name, before.states[name], Commanded(command), SURE)
    inbox = dict(before.inbox)
    for send in outcome.sends:
        inbox[send.target] = (*inbox[send.target], send.message)
    return System({**before.states, name: outcome.local}, inbox)


def run(first: System, most: int, rules: Rules = RULES, at_once: bool = False) -> Iterator[System]:
    """The system after 0, 1, 2, ... rounds, until it is right, or so many rounds are over."""
    now = first
    for _ in range(most):
        yield now
        if now.is_right():
            return
        now = a_round(now, rules, at_once)
    yield now


def rounds_until_right(first: System, most: int, rules: Rules = RULES, at_once: bool = False) -> int | None:
    """After how many rounds all is right; None if it is not after so many."""
    *earlier, last = run(first, most, rules, at_once)
    return len(earlier) if last.is_right() else None


def comes_back(first: System, most: int, rules: Rules = RULES) -> bool:
    """Whether the system is in one state twice within so many rounds, and never right: then it never will be."""
    seen: set[bytes] = set()
    for now in run(first, most, rules):
        if now.is_right():
            return False
        key = msgspec.msgpack.encode((now.states, now.inbox))
        if key in seen:
            return True
        seen.add(key)
    return False
