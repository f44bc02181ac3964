"""Runs of brokers over links that are first in, first out: message by message, by commands, or drawn by a seed."""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from msgspec import to_builtins

from gomboc.checker.errata.scene import Script, Turn, timeout
from gomboc.checker.judge.promises import Histories
from gomboc.checker.simulate.spec_runner import Player
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Input, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.delta_fault_tolerance.commands import Command, Join, Publish, Subscribe, Unsubscribe
from gomboc.spec.protocols.delta_fault_tolerance.models import Wanted, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.premise import assumption
from gomboc.spec.protocols.delta_fault_tolerance.promises import OBSERVERS
from gomboc.spec.protocols.delta_fault_tolerance.space import FILTERS, right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Node, asleep
from gomboc.spec.protocols.delta_fault_tolerance.variables import unanswered
from gomboc.spec.types.kinds import Crash, Restart, Suspect

Names = tuple[str, ...]
Link = tuple[str, str]

PUBLICATIONS = (Publish((("x", 1),)), Publish((("x", 2),)), Publish((("name", "a"), ("x", 1))))

SPEEDS, CHANGES = (1.0, 1.0, 5.0, 0.02), 15
"""How fast links may be, beside each other, and after how many steps that is drawn anew."""

IDLE = 3
"""Rounds in which nothing happens, at the end of a scene."""

DRAINED = 20_000
"""Steps after which a run that has not come to rest is given up."""


class Run:
    """One run: the messages on each link, by id, the turns so far, and the state of the promises over histories.

    If it is `timely`, a broker comes back only after the detector has reported its failure to all its peers.
    """

    def __init__(self, protocol: Protocol, start: Start, *, timely: bool = False) -> None:
        self.protocol, self.start, self._timely = protocol, start, timely
        self._player = Player(protocol, start, written=False)
        self.links: dict[Link, deque[int]] = {}
        self.turns: list[Turn] = []
        self.sent = 0
        self.told: list[tuple[str, Any]] = []
        self.broken: dict[str, int] = {}
        self._histories = Histories(OBSERVERS)

    @property
    def states(self) -> dict[str, Node]:
        """The local states, by node."""
        return self._player.states

    def command(self, node: str, command: Command, random: Random | None = None) -> None:
        """Give a node a command; in a crash its messages on the way are lost from some point on, as drawn."""
        self._took(node, Commanded(command), self._player.command(node, command))
        if isinstance(command, Crash):
            self._cut(node, random)

    def _cut(self, node: str, random: Random | None) -> None:
        """Drop all messages on their way to a node, and the last of those on their way from it, as many as drawn."""
        for (source, target), link in self.links.items():
            if target == node:
                link.clear()
            elif source == node and random is not None:
                for _ in range(random.randrange(len(link) + 1)):
                    link.pop()

    def time_out(self, node: str) -> None:
        """A node's timeout runs."""
        self._took(node, Timeout(), self._player.timeout(node))

    def late(self) -> list[str]:
        """The brokers that join with an unanswered question: their timeouts repeat it."""
        return [name for name, local in sorted(self.states.items()) if unanswered(local)]

    def deliver(self, source: str, target: str) -> None:
        """The first message on a link arrives."""
        message = self.links[source, target].popleft()
        _, content = self._player.waiting[message]
        self._took(target, Received(content), self._player.deliver(message))

    def drain(self, *links: Link) -> None:
        """Deliver all messages on these links, one link after the other; without links, everything, in any order."""
        for link in links:
            while self.links.get(link):
                self.deliver(*link)
        while not links and (ready := self.ready()):
            self.deliver(*ready[0])

    def ready(self) -> list[Link]:
        """The links on which something is."""
        return sorted(link for link, messages in self.links.items() if messages)

    def _took(self, node: str, taken: Input, outcome: Outcome) -> None:
        self.turns.append(Turn(node, taken, CERTAIN[0].name))
        for number, send in enumerate(outcome.sends, self.sent):
            if not asleep(self.states[send.target]):
                self.links.setdefault((node, send.target), deque()).append(number)
        self.sent += len(outcome.sends)
        for delivered in outcome.delivered:
            self.told.append((node, delivered))
            for name in self._histories.deliver(node, to_builtins(delivered)):
                self.broken.setdefault(name, len(self.turns))

    def owed(self) -> list[tuple[str, Command]]:
        """The words that the detector owes, and the restarts."""
        down = {name for name, local in self.states.items() if local.status == "failed"}
        restarts: list[tuple[str, Command]] = [(name, Restart()) for name in sorted(down)]
        words: list[tuple[str, Command]] = [
            (name, Suspect(connection.peer))
            for name, local in sorted(self.states.items())
            for connection in local.connections
            if connection.peer in down
        ]
        if self._timely:
            untold = {word.node for _, word in words if isinstance(word, Suspect)}
            restarts = [(name, restart) for name, restart in restarts if name not in untold]
        return restarts + words

    def settle(self, random: Random | None = None) -> bool:
        """Deliver everything and restart all brokers, in an order that is drawn; False if it never ends."""
        random = random or Random(0)
        for _ in range(DRAINED):
            ready, owed, late = self.ready(), self.owed(), self.late()
            if not ready and not owed and not late:
                return True
            index = random.randrange(len(ready) + len(owed) + len(late))
            if index < len(ready):
                self.deliver(*ready[index])
            elif index < len(ready) + len(owed):
                self.command(*owed[index - len(ready)])
            else:
                self.time_out(late[index - len(ready) - len(owed)])
        return False

    def wrong(self) -> tuple[str, ...]:
        """The conjuncts that are false of a run that is at rest, and the promises over histories that are broken."""
        faults = legitimacy_faults(self.protocol, self.states, ())
        return tuple(dict.fromkeys((*self.broken, *(fault.rule for fault in faults))))

    def script(self) -> Script:
        """The turns of this run; if no promise is broken, with rounds in which nothing happens: it is judged over."""
        rounds = 0 if self.broken else IDLE
        idle = tuple(timeout(name, CERTAIN[0].name) for name in sorted(self.states))
        return Script(self.start, tuple(self.turns) + idle * rounds, rounds or None)


def run_of(
    delta: int, names: Names, wanted: Wanted | None = None, variant: str | None = None, outside: Names = ()
) -> Run:
    """A run of these brokers from its start, by our rules or by those of a variant."""
    return Run(protocol(delta, variant), right_start(Parameters(delta), names, wanted or {}, outside))


def walk(
    protocol: Protocol,
    delta: int,
    names: Names,
    random: Random,
    steps: int,
    crashes: float = 0.03,
    *,
    uneven: bool = False,
    outside: Names = (),
    timely: bool = False,
) -> Run:
    """A run in which clients ask things, and brokers crash as the assumption allows, as drawn; then it settles.

    If links are `uneven`, some are fast and some nearly stand still, for a while. Those `outside` join meanwhile.
    If the detector is `timely`, it tells of a failure before the broker is back.
    """
    speeds: dict[Link, float] | None = {} if uneven else None
    wanted = {name: (random.choice(FILTERS),) for name in random.sample(names, min(2, len(names)))}
    run = Run(protocol, right_start(Parameters(delta), names, wanted, outside), timely=timely)
    happenings: list[tuple[float, Callable[[], None]]] = [
        (crashes, partial(_crash, run, delta, random)),
        (3 * crashes, partial(_owed, run, random)),
        (3 * crashes + 0.1, partial(_ask, run, random)),
        (3 * crashes + 0.2 if outside else 0, partial(_join, run, random)),
        (1, partial(_deliver, run, random, speeds)),
    ]
    for step in range(steps):
        if speeds and step % CHANGES == 0:
            speeds.clear()
        draw = random.random()
        next(happens for below, happens in happenings if draw < below)()
    run.settle(random)
    return run


def _owed(run: Run, random: Random) -> None:
    """A word of the detector or a restart, if any is owed."""
    owed = run.owed()
    if owed:
        run.command(*random.choice(owed))


def _ask(run: Run, random: Random) -> None:
    """A client asks something of a broker that is there, if any is."""
    up = [name for name, local in sorted(run.states.items()) if not asleep(local)]
    if up:
        run.command(random.choice(up), _asked(random))


def _join(run: Run, random: Random) -> None:
    """A broker outside joins, or one with an unanswered question asks again, if there is any."""
    name = random.choice(sorted(run.states))
    if run.states[name].status == "detached":
        run.command(name, Join())
    elif unanswered(run.states[name]):
        run.time_out(name)


def _deliver(run: Run, random: Random, speeds: dict[Link, float] | None) -> None:
    """A message arrives, if any is on its way."""
    ready = run.ready()
    if ready and speeds is None:
        run.deliver(*random.choice(ready))
    elif ready and speeds is not None:
        weights = [speeds.setdefault(link, random.choice(SPEEDS)) for link in ready]
        run.deliver(*random.choices(ready, weights)[0])


def _crash(run: Run, delta: int, random: Random) -> None:
    node = random.choice(sorted(run.states))
    after: Mapping[str, Node] = {**run.states, node: Node("failed")}
    if not asleep(run.states[node]) and not assumption(Parameters(delta), after, ()):
        run.command(node, Crash(), random)


def _asked(random: Random) -> Command:
    kinds = (Subscribe(random.choice(FILTERS)), Subscribe(random.choice(FILTERS)), Unsubscribe(random.choice(FILTERS)))
    return random.choice((*PUBLICATIONS, *PUBLICATIONS, *kinds))
