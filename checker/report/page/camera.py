"""Filming of a trace: follows its system step by step, and records the changes of each step."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from gomboc.checker.judge.conformance import as_input
from gomboc.checker.judge.naive import Options, find_variant
from gomboc.checker.judge.system import System
from gomboc.checker.report.formats.events import kind_of
from gomboc.checker.report.page.film import Film, Flying, Shot
from gomboc.checker.report.page.picture import Line, Spot
from gomboc.checker.report.page.pictures import picture_of
from gomboc.checker.report.page.variables import text_of, variables
from gomboc.checker.report.page.window import Window
from gomboc.checker.traces.trace import Sent, Step, open_trace
from gomboc.spec.core.faults import anchor_of, sleepers
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import Protocol, fired

AUTHORITY = "the authority"
"""Subject of the conjuncts that are about no single node or message."""


def film_of(path: Path, options: Options, window: Window | None = None) -> Film:
    """The film of a trace that has been judged: of the steps in a window, or of all."""
    with open_trace(path) as reader:
        header = reader.header
        protocol = find_variant(header.protocol, options.variant, header.parameters)
        camera = Camera(protocol, System(header, protocol))
        steps = islice(reader.steps(), options.most_steps)
        for step in islice(steps, 0 if window is None else window.first):
            camera.follow(step)
        scene = camera.scene()
        many = None if window is None else window.last - window.first
        shots = tuple(camera.shoot(step) for step in islice(steps, many))
        for step in steps:
            camera.follow(step)
    return Film(
        nodes=tuple(header.roles),
        levels=camera.picture.levels,
        pictured=camera.picture.own,
        steps=camera.step,
        legitimate=camera.legitimate,
        conjuncts=dict(sorted(camera.sources.items())),
        shots=shots,
        **scene,
    )


class Camera:
    """Follows a system, with the violated conjuncts of each node and message.

    `legitimate` is the step from which on none has been false; None if one is.
    """

    def __init__(self, protocol: Protocol, system: System) -> None:
        self._protocol, self._system = protocol, system
        self._names = tuple(system.states)
        self._senders: dict[int, str] = {}
        self.picture = picture_of(protocol)
        self.step = 0
        self.sources: dict[str, str] = {}
        self.false: Counter[str] = Counter()
        self._at: dict[str | int, tuple[str, ...]] = {}
        self._spots: dict[str, Spot] = {}
        self._lines: dict[str, tuple[Line, ...]] = {}
        self._states: dict[str, dict[str, str]] = {}
        self._look_at_everything()
        self.legitimate = None if self._is_any_false() else 0

    def scene(self) -> dict[str, Any]:
        """The current picture, by the names of a film's fields."""
        states = self._system.states
        self._spots = {name: self.picture.spot(self._names, name, local) for name, local in states.items()}
        self._lines = {name: self._lines_of(name) for name in self._names}
        self._states = {name: variables(local) for name, local in states.items()}
        return {
            "before": self.step,
            "spots": dict(self._spots),
            "lines": dict(self._lines),
            "states": dict(self._states),
            "flying": tuple(_flying(sent, self._senders.get(sent.id, "")) for sent in self._system.in_flight.values()),
            "false": dict(+self.false),
        }

    def follow(self, step: Step) -> Iterable[str]:
        """Take a step; return the nodes with possible changes."""
        local = self._system.states.get(step.node)
        taken = self._system.apply(step)
        self._senders |= dict.fromkeys((sent.id for sent in step.sent), step.node)
        touched = self._observe(step, local, taken)
        self.step += 1
        self.legitimate = None if self._is_any_false() else self.step if self.legitimate is None else self.legitimate
        return touched

    def shoot(self, step: Step) -> Shot:
        """Take a step, and record its changes."""
        local = self._system.states.get(step.node)
        taken = self._system.in_flight.get(step.took) if isinstance(step.took, int) else None
        rules = () if local is None else self._rules(step, local)
        before = Counter(self.false)
        touched = self.follow(step)
        return Shot(
            node=step.node,
            what="" if taken is not None else _caption(step),
            kind=_kind(step, taken),
            rules=rules,
            took=None if taken is None else taken.id,
            sent=tuple(_flying(sent, step.node) for sent in step.sent),
            changed=self._new_variables(step.node),
            delivered=tuple(text_of(value) for value in step.delivered),
            spots=self._new_spots(step.node),
            lines=self._new_lines(touched),
            false={name: self.false[name] for name in before | self.false if self.false[name] != before[name]},
        )

    def _is_any_false(self) -> bool:
        return any(self.false.values())

    def _rules(self, step: Step, local: Any) -> tuple[tuple[str, str], ...]:
        try:
            cited = fired(self._protocol, step.node, local, as_input(step, self._system))
            return tuple((rule.name, rule.source) for rule in cited)
        except LookupError:
            return ()

    def _observe(self, step: Step, before: Any, taken: Sent | None) -> Iterable[str]:
        """Update the violated conjuncts; return the nodes with possible changes."""
        if self._moves(step.node, before):
            self._look_at_everything()
            return self._names
        if taken is not None:
            self._put(taken.id, ())
        for sent in step.sent:
            self._put(sent.id, self._of_message(sent))
        if step.node in self._system.states:
            local = self._system.states[step.node]
            self._put(step.node, self._protocol.legitimacy.node_faults(self._anchor, step.node, local))
            return (step.node,)
        return ()

    def _moves(self, node: str, before: Any) -> bool:
        """Whether a node fell asleep or woke up in its new state, or whether that changes the anchor."""
        protocol, states = self._protocol, self._system.states
        if node not in states or protocol.environment.asleep(before) != protocol.environment.asleep(states[node]):
            return node in states
        if protocol.legitimacy.share(before) == protocol.legitimacy.share(states[node]):
            return False
        return bool(anchor_of(protocol, states) != self._anchor)

    def _look_at_everything(self) -> None:
        states = self._system.states
        self._anchor, self._asleep = anchor_of(self._protocol, states), sleepers(self._protocol, states)
        self._at.clear()
        self.false.clear()
        self._put(AUTHORITY, self._protocol.legitimacy.anchor_faults(self._anchor))
        for name, local in states.items():
            self._put(name, self._protocol.legitimacy.node_faults(self._anchor, name, local))
        for sent in self._system.in_flight.values():
            self._put(sent.id, self._of_message(sent))

    def _of_message(self, sent: Sent) -> tuple[Fault, ...]:
        if sent.to in self._asleep or sent.id in self._system.lost:
            return ()
        return self._protocol.legitimacy.message_faults(self._anchor, sent.to, sent.message)

    def _put(self, subject: str | int, faults: tuple[Fault, ...]) -> None:
        self.sources |= {fault.rule: fault.source for fault in faults}
        self.false.subtract(self._at.get(subject, ()))
        self._at[subject] = tuple(fault.rule for fault in faults)
        self.false.update(self._at[subject])

    def _lines_of(self, name: str) -> tuple[Line, ...]:
        return self.picture.lines(name, self._system.states[name], frozenset(self._at[name]))

    def _new_variables(self, node: str) -> dict[str, str | None]:
        if node not in self._states:
            return {}
        before, after = self._states[node], variables(self._system.states[node])
        self._states[node] = after
        gone: dict[str, str | None] = dict.fromkeys(name for name in before if name not in after)
        return gone | {name: text for name, text in after.items() if before.get(name) != text}

    def _new_spots(self, node: str) -> dict[str, Spot]:
        if node not in self._spots:
            return {}
        spot = self.picture.spot(self._names, node, self._system.states[node])
        changed = spot != self._spots[node]
        self._spots[node] = spot
        return {node: spot} if changed else {}

    def _new_lines(self, touched: Iterable[str]) -> dict[str, tuple[Line, ...]]:
        new = {name: self._lines_of(name) for name in touched}
        changed = {name: lines for name, lines in new.items() if lines != self._lines[name]}
        self._lines |= changed
        return changed


def _caption(step: Step) -> str:
    """The input of a step that took no message in flight."""
    if isinstance(step.took, int):
        return f"message {step.took}: never sent"
    return "timeout" if step.took == "timeout" else f"command: {text_of(step.took)}"


def _kind(step: Step, taken: Sent | None) -> str:
    if taken is not None:
        return kind_of(taken.message)
    return "message" if isinstance(step.took, int) else "timeout" if step.took == "timeout" else kind_of(step.took)


def _flying(sent: Sent, sender: str) -> Flying:
    return Flying(sent.id, sender, sent.to, kind_of(sent.message), text_of(sent.message))
