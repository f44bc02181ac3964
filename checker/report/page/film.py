"""A trace as a film: a first scene, and what each step changes in it."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.judge.conformance import as_input
from gomboc.checker.judge.naive import Options, find_variant
from gomboc.checker.judge.system import System
from gomboc.checker.judge.trace import Sent, Step, open_trace
from gomboc.checker.judge.verdict import differences
from gomboc.checker.report.formats.events import kind_of
from gomboc.checker.report.page.picture import Line, Picture, Spot, picture_of
from gomboc.checker.report.text import shown
from gomboc.spec.model import Fault
from gomboc.spec.protocol import Protocol, anchor_of, fired, sleepers

AUTHORITY = "the authority"
"""Where the conjuncts count that are about no single node or message."""


class Flying(msgspec.Struct, frozen=True, array_like=True):
    """A message in flight: its id, from whom ("" before the first step) and to whom, its kind, and what it says."""

    id: int
    sender: str
    to: str
    kind: str
    says: str


class Changed(msgspec.Struct, frozen=True, array_like=True):
    """A variable of the node that took a step: where, before and after."""

    where: str
    before: str
    after: str


class Shot(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step: who, what it took in words, the rules with their sources, and all that it changes in the picture.

    `took` is the id of the message that it consumed. `spots`, `lines` and `false` have only what is another one now;
    `false` is how many times a conjunct is false.
    """

    node: str
    what: str
    rules: tuple[tuple[str, str], ...] = ()
    took: int | None = None
    sent: tuple[Flying, ...] = ()
    changed: tuple[Changed, ...] = ()
    delivered: tuple[str, ...] = ()
    spots: dict[str, Spot] = {}
    lines: dict[str, tuple[Line, ...]] = {}
    false: dict[str, int] = {}


class Film(msgspec.Struct, frozen=True):
    """A trace: its nodes, the picture before the first step, the conjuncts with their sources, and a shot each step."""

    nodes: tuple[str, ...]
    levels: tuple[str, ...]
    spots: dict[str, Spot]
    lines: dict[str, tuple[Line, ...]]
    flying: tuple[Flying, ...]
    conjuncts: dict[str, str]
    false: dict[str, int]
    shots: tuple[Shot, ...]


def film_of(path: Path, options: Options) -> Film:
    """The film of a trace that has been judged."""
    with open_trace(path) as reader:
        header = reader.header
        protocol = find_variant(header.protocol, options.variant, header.parameters)
        system = System(header, protocol)
        camera = Camera(protocol, system)
        first = dict(camera.spots), dict(camera.lines), +camera.false
        flying = tuple(_flying(sent, "") for sent in header.messages)
        shots = tuple(camera.shoot(step) for step in islice(reader.steps(), options.most_steps))
    return Film(
        tuple(header.roles),
        camera.picture.levels,
        first[0],
        first[1],
        flying,
        dict(sorted(camera.sources.items())),
        dict(first[2]),
        shots,
    )


class Camera:
    """Follows a system, and knows for each node and message which conjuncts are false."""

    def __init__(self, protocol: Protocol, system: System) -> None:
        self._protocol, self._system = protocol, system
        self._names = tuple(system.states)
        self.picture: Picture = picture_of(protocol)
        self.sources: dict[str, str] = {}
        self.false: Counter[str] = Counter()
        self._at: dict[str | int, tuple[str, ...]] = {}
        self._look_at_everything()
        self.spots = {name: self.picture.spot(self._names, name, local) for name, local in system.states.items()}
        self.lines = {name: self._lines(name) for name in self._names}

    def shoot(self, step: Step) -> Shot:
        """Take a step, and say what it changes."""
        local = self._system.states.get(step.node)
        taken = self._system.in_flight.get(step.took) if isinstance(step.took, int) else None
        rules = () if local is None else self._rules(step, local)
        before = Counter(self.false)
        self._system.apply(step)
        touched = self._observe(step, local, taken)
        return Shot(
            node=step.node,
            what=_told(step, taken),
            rules=rules,
            took=None if taken is None else taken.id,
            sent=tuple(_flying(sent, step.node) for sent in step.sent),
            changed=_changed(local, step.state),
            delivered=tuple(shown(each) for each in step.delivered),
            spots=self._new_spots(step.node),
            lines=self._new_lines(touched),
            false={name: self.false[name] for name in before | self.false if self.false[name] != before[name]},
        )

    def _rules(self, step: Step, local: Any) -> tuple[tuple[str, str], ...]:
        try:
            cited = fired(self._protocol, step.node, local, as_input(step, self._system))
            return tuple((each.name, each.source) for each in cited)
        except LookupError:
            return ()

    def _observe(self, step: Step, before: Any, taken: Sent | None) -> Iterable[str]:
        """Find out what is false now; the nodes of whom something may be another one."""
        if self._moves(step.node, before):
            self._look_at_everything()
            return self._names
        if taken is not None:
            self._put(taken.id, ())
        for sent in step.sent:
            self._put(sent.id, self._of_message(sent))
        if step.node in self._system.states:
            local = self._system.states[step.node]
            self._put(step.node, self._protocol.node_faults(self._anchor, step.node, local))
            return (step.node,)
        return ()

    def _moves(self, node: str, before: Any) -> bool:
        """Whether a node fell asleep or woke up in its new state, or whether that makes another anchor."""
        protocol, states = self._protocol, self._system.states
        if node not in states or protocol.asleep(before) != protocol.asleep(states[node]):
            return node in states
        if protocol.share(before) == protocol.share(states[node]):
            return False
        return bool(anchor_of(protocol, states) != self._anchor)

    def _look_at_everything(self) -> None:
        states = self._system.states
        self._anchor, self._asleep = anchor_of(self._protocol, states), sleepers(self._protocol, states)
        self._at.clear()
        self.false.clear()
        self._put(AUTHORITY, self._protocol.anchor_faults(self._anchor))
        for name, local in states.items():
            self._put(name, self._protocol.node_faults(self._anchor, name, local))
        for sent in self._system.in_flight.values():
            self._put(sent.id, self._of_message(sent))

    def _of_message(self, sent: Sent) -> tuple[Fault, ...]:
        if sent.to in self._asleep or sent.id in self._system.lost:
            return ()
        return self._protocol.message_faults(self._anchor, sent.to, sent.message)

    def _put(self, place: str | int, faults: tuple[Fault, ...]) -> None:
        self.sources |= {fault.rule: fault.source for fault in faults}
        self.false.subtract(self._at.get(place, ()))
        self._at[place] = tuple(fault.rule for fault in faults)
        self.false.update(self._at[place])

    def _lines(self, name: str) -> tuple[Line, ...]:
        return self.picture.lines(name, self._system.states[name], frozenset(self._at[name]))

    def _new_spots(self, node: str) -> dict[str, Spot]:
        if node not in self.spots:
            return {}
        spot = self.picture.spot(self._names, node, self._system.states[node])
        changed = spot != self.spots[node]
        self.spots[node] = spot
        return {node: spot} if changed else {}

    def _new_lines(self, touched: Iterable[str]) -> dict[str, tuple[Line, ...]]:
        new = {name: self._lines(name) for name in touched}
        changed = {name: lines for name, lines in new.items() if lines != self.lines[name]}
        self.lines |= changed
        return changed


def _told(step: Step, taken: Sent | None) -> str:
    if step.took == "timeout":
        return "timeout"
    if isinstance(step.took, int):
        return f"message {step.took}: {'never sent' if taken is None else shown(taken.message)}"
    return f"command: {shown(step.took)}"


def _flying(sent: Sent, sender: str) -> Flying:
    return Flying(sent.id, sender, sent.to, kind_of(sent.message), shown(sent.message))


def _changed(before: Any, after: Any) -> tuple[Changed, ...]:
    if before is None or after is None:
        return ()
    return tuple(Changed(each.where, shown(each.expected), shown(each.found)) for each in differences(before, after))
