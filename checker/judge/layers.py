"""Layers of one stack, each with traces of its own: what one hands over is what the other is commanded.

At each node, the deliveries that a link selects are, in order, the commands of its kind in the layer at its other end,
each taken in the turn of its delivery, and no such command is of a topic that the run does not have; and a node crashes
in all layers in one turn, and begins crashed in all or in none. Only the hand-overs of the last turn of the whole
recording may be missing, since it may have ended there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.conformance import as_written
from gomboc.checker.judge.exact import written_alike
from gomboc.checker.judge.turns import Turns, turns
from gomboc.checker.judge.verdict import Difference, Holds, Unknown, Verdict, Violated
from gomboc.checker.traces.trace import Header, Step
from gomboc.spec.core.model import CERTAIN, Commanded
from gomboc.spec.core.protocol import Protocol

Json = Any
"""A value as JSON has it."""


class Link(msgspec.Struct, frozen=True):
    """Deliveries in the trace `source` that have the fields of a pattern are commands in the trace `target`.

    No command with the fields `reserved` comes from elsewhere: those of `command` but for the values of a topic.
    """

    source: str
    target: str
    delivery: Mapping[str, Json]
    command: Mapping[str, Json]
    reserved: Mapping[str, Json] | None = None

    def handed(self, delivered: Json) -> Json:
        """The command that a delivery becomes; None if the link does not select it."""
        if not _has(delivered, self.delivery):
            return None
        return {**self.command, **{name: value for name, value in delivered.items() if name not in self.delivery}}

    def takes(self, command: Json) -> bool:
        """Whether a command is one that this link hands over."""
        return _has(command, self.command)

    def reserves(self, command: Json) -> bool:
        """Whether only a layer gives such a command, by this link or by that of another topic."""
        return _has(command, self.command if self.reserved is None else self.reserved)


class LayerTrace(msgspec.Struct):
    """The trace of one layer, or of one topic in it. `steps` are read once; `name` stands for it in links."""

    name: str
    protocol: Protocol
    header: Header
    steps: Iterable[Step]
    together: tuple[str, ...] = ()
    """The kinds of commands that its nodes take together with those in other layers."""


class Joined(msgspec.Struct, frozen=True):
    """The verdict on the layers of a stack; `trace` names the one in which a violation has its step."""

    verdict: Verdict
    trace: str = ""


class HandedOver(msgspec.Struct):
    """One end of a hand-over: a delivery that has to become this command, or this command, in a step of a trace."""

    command: Json
    trace: str
    step: int
    at: float | None


Queues = dict[tuple[str, str, str], list[HandedOver]]
"""What is handed over from one trace to another at one node, in order."""


class Seen(msgspec.Struct):
    """All that joining needs of some traces.

    `inputs` are the steps that take an input from outside: node, time, and whether it is one that nodes take together.
    """

    due: Queues = {}
    taken: Queues = {}
    inputs: list[tuple[str, float, bool]] = []
    crashes: list[tuple[str, str, HandedOver]] = []
    states: dict[tuple[str, str], list[tuple[float, Any]]] = {}
    forged: list[tuple[str, HandedOver]] = []
    untimed: str = ""


def join(traces: Sequence[LayerTrace], links: Sequence[Link]) -> Joined:
    """Whether the layers hand over to each other what they say. Each trace is judged by itself elsewhere."""
    seen = Seen()
    for trace in traces:
        _look(trace, links, seen)
    every = None if seen.untimed else turns((node, at) for node, at, _ in seen.inputs)
    crashes = () if every is None else _crash_findings(traces, seen, every.last)
    findings = [*_start_findings(traces), *_queue_findings(seen, every), *_forged_findings(seen), *crashes]
    if findings:
        first: Finding = min(findings, key=lambda finding: (finding[0], finding[1].trace))
        return first[1]
    unjoined = _unjoined(traces, links, seen)
    if unjoined is not None or seen.untimed:
        return Joined(Unknown(unjoined or f"{seen.untimed}, so it is not known in which turn something is handed over"))
    count = sum(map(len, seen.taken.values()))
    return Joined(Holds(f"all of {counted(count, 'command')} are handed over, in order and in one turn"))


def _look(trace: LayerTrace, links: Sequence[Link], seen: Seen) -> None:
    """Note what a trace hands over and takes over, and when its nodes take other inputs."""
    out = [link for link in links if link.source == trace.name]
    into = [link for link in links if link.target == trace.name]
    for node, local in trace.header.states.items():
        seen.states[trace.name, node] = [(float("-inf"), local)]
    before = float("-inf")
    for number, step in enumerate(trace.steps, 1):
        if step.at is None or step.at < before:
            what = "has no time" if step.at is None else "is before the one that precedes it"
            seen.untimed = seen.untimed or f"step {number} of {trace.name} {what}"
        before = at = before if step.at is None else step.at
        command = None if step.took == "timeout" or isinstance(step.took, int) else as_written(step.took)
        together = command is not None and _kind(command) in trace.together
        link = next((link for link in into if command is not None and link.takes(command)), None)
        if link is not None:
            handed = HandedOver(command, trace.name, number, step.at)
            seen.taken.setdefault((link.source, link.target, step.node), []).append(handed)
        else:
            seen.inputs.append((step.node, at, together))
            if any(link.reserves(command) for link in into):
                seen.forged.append((step.node, HandedOver(command, trace.name, number, step.at)))
        if together:
            seen.crashes.append((_kind(command), step.node, HandedOver(command, trace.name, number, step.at)))
        else:
            _note_deliveries(trace.name, number, step, out, seen)
        if step.state is not None:
            seen.states[trace.name, step.node].append((at, step.state))


def _note_deliveries(name: str, number: int, step: Step, out: Sequence[Link], seen: Seen) -> None:
    for delivered in map(as_written, step.delivered):
        for link in out:
            command = link.handed(delivered)
            if command is not None:
                handed = HandedOver(command, name, number, step.at)
                seen.due.setdefault((link.source, link.target, step.node), []).append(handed)


Finding = tuple[float, Joined]
"""What is wrong, with the time of its step."""


def _queue_findings(seen: Seen, every: Turns | None) -> Iterator[Finding]:
    for key in sorted({*seen.due, *seen.taken}):
        source, target, node = key
        yield from _compared(source, target, node, seen.due.get(key, []), seen.taken.get(key, []), every)


def _forged_findings(seen: Seen) -> Iterator[Finding]:
    for node, forged in seen.forged:
        yield _found(forged, "handed_over", "no topic of the run hands this command over", node, None, forged.command)


def _compared(
    source: str, target: str, node: str, due: list[HandedOver], taken: list[HandedOver], every: Turns | None
) -> Iterator[Finding]:
    """The first difference between what is due and what is taken; commands in another turn than their deliveries."""
    for delivery, command in zip_longest(due, taken):
        if command is None:
            if not (every is not None and delivery.at is not None and every.is_last(node, delivery.at)):
                says = f"what is delivered becomes no command of {target}"
                yield _found(delivery, "handed_over", says, node, delivery.command, None)
            return
        if delivery is None or not written_alike(delivery.command, command.command):
            says = f"the command is not what {source} hands over next"
            expected = None if delivery is None else delivery.command
            yield _found(command, "handed_over", says, node, expected, command.command)
            return
        if every is not None and not _in_one_turn(node, delivery, command, every):
            says = f"the command is in another turn than its delivery, step {delivery.step} of {source}"
            yield _found(command, "handed_over_in_turn", says, node, delivery.at, command.at)


def _in_one_turn(node: str, due: HandedOver, taken: HandedOver, every: Turns) -> bool:
    assert due.at is not None, "turns are known only if all times are"
    assert taken.at is not None, "turns are known only if all times are"
    return due.at <= taken.at and every.number(node, due.at) == every.number(node, taken.at)


def _start_findings(traces: Sequence[LayerTrace]) -> Iterator[Finding]:
    """Nodes that begin crashed in one layer, and not in another one that could crash with it."""
    able = sorted((trace for trace in traces if trace.together), key=lambda trace: trace.name)
    for trace in able:
        crash = HandedOver({"kind": trace.together[0]}, trace.name, 0, float("-inf"))
        for node, local in sorted(trace.header.states.items()):
            others = able if is_down(trace.protocol, node, local, trace.together) else ()
            for other in others:
                state = other.header.states.get(node)
                if state is not None and has_effect(other.protocol, node, state, {"kind": other.together[0]}):
                    says = f"the node begins crashed here, and not in {other.name}"
                    yield _found(crash, "crashed_together", says, node, crash.command, None)


def _crash_findings(traces: Sequence[LayerTrace], seen: Seen, last: float) -> Iterator[Finding]:
    """Commands that a node takes in one layer, and not in the same turn in another one in which they have an effect."""
    apart = turns((node, at) for node, at, together in seen.inputs if not together)
    by_turn: dict[tuple[str, str, int], dict[str, HandedOver]] = {}
    for kind, node, crash in seen.crashes:
        turn = apart.number(node, crash.at or 0.0)
        by_turn.setdefault((kind, node, turn), {}).setdefault(crash.trace, crash)
    for (kind, node, _), crashes in by_turn.items():
        first = min(crashes.values(), key=lambda crash: (crash.at, crash.trace))
        at = first.at or 0.0
        for trace in traces:
            lacks = kind in trace.together and trace.name not in crashes
            state = _state_before(seen, trace.name, node, at)
            if lacks and at < last and state is not None and has_effect(trace.protocol, node, state, first.command):
                says = f"the node takes {kind} here, and not in the same turn in {trace.name}"
                yield _found(first, "taken_together", says, node, first.command, None)


def _state_before(seen: Seen, trace: str, node: str, at: float) -> Any:
    """The state of a node in a trace before that time; None if it has no part in it."""
    states = seen.states.get((trace, node), [])
    return next((state for when, state in reversed(states) if when < at), None)


def is_down(protocol: Protocol, node: str, local: Any, together: Sequence[str]) -> bool:
    """Whether a node has crashed: it is asleep, and the first command that nodes take together has no effect on it."""
    return protocol.environment.asleep(local) and not has_effect(protocol, node, local, {"kind": together[0]})


def has_effect(protocol: Protocol, node: str, local: Any, command: Json) -> bool:
    """Whether a command changes that state, or sends a message.

    A state or command that has no rule is judged elsewhere, and counts as one with an effect.
    """
    try:
        taken = Commanded(msgspec.convert(command, protocol.vocabulary.command))
        outcome = protocol.actor.react(node, local, taken, CERTAIN[0])
    except ValueError:
        return True
    return outcome.local != local or bool(outcome.sends)


def _unjoined(traces: Sequence[LayerTrace], links: Sequence[Link], seen: Seen) -> str | None:
    """The reason why the traces are not known to belong together; None if they are."""
    nodes = {trace.name: set(trace.header.roles) for trace in traces}
    for link in links:
        for node in sorted(nodes[link.source] ^ nodes[link.target]):
            without = link.target if node in nodes[link.source] else link.source
            return f"{node!r} has no role in {without}, so the traces are not layers of one system"
    joined = {name for source, target, _ in seen.taken for name in (source, target)}
    apart = next((trace.name for trace in traces if trace.name not in joined), None)
    return None if apart is None else f"nothing is handed over to or from {apart}"


def _found(place: HandedOver, rule: str, says: str, node: str, expected: Json, found: Json) -> Finding:
    violated = Violated(place.step, rule, says, node, "", (Difference("command", expected, found),))
    return place.at or 0.0, Joined(violated, place.trace)


def _kind(command: Json) -> str:
    return str(command.get("kind")) if isinstance(command, dict) else ""


def _has(value: Json, pattern: Mapping[str, Json]) -> bool:
    return isinstance(value, dict) and all(
        name in value and written_alike(value[name], wanted) for name, wanted in pattern.items()
    )
