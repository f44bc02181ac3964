"""Failures of nodes in a simulated run: random crashes and restarts, cut links, and a failure detector.

A node is down from the command that crashes it to the one that restarts it. Messages that reach it meanwhile have no
effect; on FIFO links they are lost, and so is a suffix of the messages in flight from the node to each other node.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from gomboc.impl.core.automaton import Core, Failing, Implementation
from gomboc.impl.core.counting import counted
from gomboc.impl.core.errors import UsageError, needed
from gomboc.impl.core.trace import Step
from gomboc.impl.runtime.detection.simulated import Detection, HeartbeatRules, Pair
from gomboc.impl.runtime.disciplines import Discipline


class Budget(Struct, frozen=True):
    """The number of crashes, and of restarts among them, with variables kept or not, in the first `within` periods.

    `detection` is the mean time, in periods, between the discovery that a node is down or up again and the report of
    it; None if there is no detector, or for the usual time of a perfect one. With `heartbeats` each node has a detector
    of its own instead, which knows only what arrives, and may err.
    """

    crashes: int = 0
    restarts: int = 0
    within: float = 10.0
    detection: float | None = None
    heartbeats: HeartbeatRules | None = None

    def __post_init__(self) -> None:
        """Refuse an invalid budget with `UsageError`."""
        if not 0 <= self.restarts <= self.crashes:
            raise UsageError(f"Only a crashed node starts again: {self.restarts} of {self.crashes} cannot.")
        if not self.within > 0:
            raise UsageError(f"Failures happen within a time above 0, not within {self.within}.")
        if self.detection is not None and not self.detection > 0:
            raise UsageError(f"A detector takes a time above 0, not {self.detection}.")
        if self.detection is not None and self.heartbeats is not None:
            raise UsageError("A detector knows of each failure after a time, or by heartbeats: leave one of both out.")


PERFECT = 0.5
"""The mean time, in periods, of a detector that is part of the system, unless a budget gives another."""


def failing_of(implementation: Implementation) -> Failing:
    """The failure model of the implementation; `UsageError` if it has none."""
    return needed(implementation.failing, f"{implementation.name} does not say how a node fails, so none can.")


def drawn(
    budget: Budget, failing: Failing, roles: Mapping[str, str], random: Random
) -> Iterator[tuple[float, str, Any]]:
    """Draw the crashes and restarts of a run: time, node and command. `UsageError` if the budget exceeds the nodes."""
    mortal = sorted(name for name, role in roles.items() if role in failing.roles)
    if budget.crashes > len(mortal):
        to_crash, may = counted(budget.crashes, "node is", "nodes are"), len(mortal)
        raise UsageError(f"{to_crash} to crash, and there {'is' if may == 1 else 'are'} {may} that may.")
    if budget.restarts and failing.restart is None:
        to_restart = counted(budget.restarts, "node is", "nodes are")
        raise UsageError(f"{to_restart} to start again, and a crashed node never does here.")
    for index, name in enumerate(random.sample(mortal, budget.crashes)):
        at = budget.within * random.random()
        yield at, name, failing.crash
        if index < budget.restarts and failing.restart is not None:
            yield at + budget.within * random.random(), name, failing.restart(random.random() < 0.5)


class FailureTracker:
    """Tracks the crashed nodes of a run, drops lost messages, and schedules reports of the failure detector.

    `tell(at, node, command)` schedules a command for a node, and returns the decoded command.
    """

    def __init__(
        self,
        failing: Failing,
        cores: Mapping[str, Core],
        roles: Mapping[str, str],
        discipline: Discipline,
        budget: Budget,
        random: Random,
        delay: Callable[[], float],
        tell: Callable[[float, str, Any], Struct],
    ) -> None:
        self._failing, self._cores, self._roles = failing, cores, roles
        self._cuts = discipline is Discipline.FIFO
        self._detection, self._random, self._tell = budget.detection, random, tell
        self._down = {name for name, core in cores.items() if failing.asleep(core)}
        self._on_the_way: dict[int, tuple[str, str, float]] = {}
        self._lost: set[int] = set()
        self._suspected: dict[tuple[str, str], float] = {}
        self._words: dict[tuple[str, Struct], str] = {}
        self._due: set[tuple[str, str]] = set()
        rules = budget.heartbeats
        self._detectors = (
            None if rules is None else Detection(rules, lambda node: node not in self._down, delay, random)
        )
        self._told: set[Pair] = set()
        self._sent_on: set[Pair] = set()
        for name in cores:
            self._watch(0.0, name)

    def loses(self, now: float, node: str, number: int) -> bool:
        """Whether this message, which has just reached the node, is lost."""
        sender, _, sent_at = self._on_the_way.pop(number, (None, node, 0.0))
        if node in self._down:
            self._find_out(now, sender, node, sent_at)
        elif self._detectors is not None and sender is not None:
            self._detectors.hear(now, (node, sender))
        if number in self._lost:
            self._lost.remove(number)
            return True
        # A message in flight at first has no sender, and is lost at a crashed node as well.
        return self._cuts and node in self._down

    def observe(self, now: float, step: Step) -> None:
        """Update the state of nodes and links after a step."""
        if self._detectors is not None:
            self._run_detectors(self._detectors, now, step)
        for sent in step.sent:
            self._on_the_way[sent.id] = step.node, sent.to, now
            # A link that is taken up again is a new session, in which nothing arrives that was sent before it.
            if self._cuts and sent.to in self._down:
                self._lost.add(sent.id)
        if self._failing.watches is not None and self._down:
            self._watch(now, step.node)
        if step.took == "timeout" or isinstance(step.took, int):
            return
        asleep = self._failing.asleep(self._cores[step.node])
        if asleep and step.node not in self._down:
            self._down.add(step.node)
            if self._cuts:
                self._cut(step.node)
            for name in self._cores:
                self._watch(now, name)
        elif not asleep and step.node in self._down:
            self._down.remove(step.node)
            self._trust(now, step.node)

    def withdraws(self, hearer: str, word: Struct) -> bool:
        """Whether this command, which is due now, is a perfect detector's report that is no longer true."""
        node = self._words.pop((hearer, word), None)
        if node is None:
            return False
        self._due.remove((hearer, node))
        return node not in self._down or node not in self._watched(hearer)

    def _watch(self, now: float, hearer: str) -> None:
        """Schedule a perfect detector's reports to a node about the crashed nodes that it watches."""
        if self._failing.suspect is None or self._detectors is not None:
            return
        for node in self._watched(hearer):
            if node in self._down and (hearer, node) not in self._due:
                self._due.add((hearer, node))
                at = now + self._random.expovariate(1 / (self._detection or PERFECT))
                self._words[hearer, self._tell(at, hearer, self._failing.suspect(node))] = node

    def _watched(self, node: str) -> tuple[str, ...]:
        """The nodes that a node watches; empty if it is down itself."""
        watches = self._failing.watches
        return () if watches is None or node in self._down else tuple(watches(self._cores[node]))

    def _cut(self, node: str) -> None:
        """Lose all messages in flight to the node, and a suffix of those in flight from it to each other node."""
        own: dict[str, list[int]] = {}
        for number, (sender, to, _) in self._on_the_way.items():
            if to == node:
                self._lost.add(number)
            elif sender == node and number not in self._lost:
                own.setdefault(to, []).append(number)
        for to in sorted(own):
            kept = int(self._random.random() * (len(own[to]) + 1))
            self._lost.update(own[to][kept:])

    def _run_detectors(self, detectors: Detection, now: float, step: Step) -> None:
        """Tell what the detectors have found by now; from now on the nodes that a step needs are watched, too."""
        for pair in detectors.advance(now):
            hearer, node = pair
            if not detectors.suspects(pair):
                if pair in self._told:
                    self._told.remove(pair)
                    self._end_suspicion(now, hearer, node)
            elif self._failing.suspect is not None and (pair not in self._told or self._again(detectors, pair)):
                self._told.add(pair)
                self._sent_on.discard(pair)
                self._tell(now, hearer, self._failing.suspect(node))
        for sent in step.sent:
            self._sent_on.add((step.node, sent.to))
            for hearer in self._failing.hears(self._roles, step.node, sent.to):
                detectors.watch(now, (hearer, sent.to))
        for node in self._watched(step.node):
            detectors.watch(now, (step.node, node))

    def _again(self, detectors: Detection, pair: Pair) -> bool:
        """Whether a node has to be told of its suspect again: it has forgotten it and sends to it, or it watches it."""
        hearer, node = pair
        if detectors.has_heard(pair):
            return False
        forgets = self._roles[hearer] in self._failing.forgets
        return (forgets and pair in self._sent_on) or node in self._watched(hearer)

    def _end_suspicion(self, at: float, hearer: str, node: str) -> None:
        if self._roles[hearer] not in self._failing.forgets and self._failing.trust is not None:
            self._tell(at, hearer, self._failing.trust(node))

    def _find_out(self, now: float, sender: str | None, node: str, sent_at: float) -> None:
        """Schedule suspicions of a node that is down and was just sent a message.

        Each hearer is told once; if suspicions are forgotten, it is told again once it has sent the node a message
        since.
        """
        failing = self._failing
        if self._detection is None or failing.suspect is None:
            return
        for hearer in failing.hears(self._roles, sender, node):
            suspected_at = self._suspected.get((hearer, node))
            forgets = self._roles[hearer] in failing.forgets and hearer == sender
            again = forgets and suspected_at is not None and sent_at > suspected_at
            if (suspected_at is None or again) and hearer not in self._down:
                at = self._suspected[hearer, node] = now + self._random.expovariate(1 / self._detection)
                self._tell(at, hearer, failing.suspect(node))

    def _trust(self, now: float, node: str) -> None:
        """Tell the nodes that suspect this one that it is up again, not before the suspicion has reached them."""
        hearers = [hearer for hearer, suspect in self._suspected if suspect == node]
        for hearer in hearers:
            since = self._suspected.pop((hearer, node))
            if self._detection is not None:
                self._end_suspicion(max(now, since) + self._random.expovariate(1 / self._detection), hearer, node)
