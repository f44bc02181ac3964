"""Recording of traces: topics are independent, so each has a trace with the steps of its own instances only.

A node that has crashed, or that has left and dropped its instance, writes nothing; its steps until it is back are added
here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from gomboc.impl.api.handed_routes import Due, Route, routes_due, with_routes
from gomboc.impl.api.overlays import NO_CHANCE, Overlay
from gomboc.impl.api.recorder import record, record_stack
from gomboc.impl.api.signers import Signer, message_with_signers, step_with_signers
from gomboc.impl.core.automaton import Commanded, Core, Delivered, Received, Send, SetTimer, Timeout
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import nodes_named
from gomboc.impl.core.trace import InFlight, Step
from gomboc.impl.publishing.port import Command
from gomboc.impl.runtime.configuration import NodeContext


@dataclass(slots=True)
class _Topic:
    roles: dict[str, str] = field(default_factory=dict)
    states: dict[str, Raw] = field(default_factory=dict)
    strange: list[InFlight] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    latest: dict[str, Raw] = field(default_factory=dict)
    down: set[str] = field(default_factory=set)
    blank: dict[str, Raw | None] = field(default_factory=dict)
    timed_out: set[str] = field(default_factory=set)


class Recording:
    """Records the steps of nodes, topic by topic. `origin` goes into the header of every trace.

    Without `signer`, signatures are the names of the signers, as the ideal authenticator writes them.

    A message of a stranger, which is no node of the system, counts as one that was in flight before the first step:
    channels keep no order and no time, so the two cases cannot be distinguished. The nodes that it names are nodes of
    the system, since others may be told of them; one that has taken no step is blank. A stranger's message without any
    effect is left out.

    With `has_all` every node stands in each topic's trace, since all take part in a layer below: one that has no part
    in a topic is blank there, and crashes there too, before the first step of a topic that begins later.
    """

    def __init__(
        self, overlay: Overlay, origin: dict[str, str | int], signer: Signer | None = None, *, has_all: bool = False
    ) -> None:
        self._overlay = overlay
        self._origin = origin
        self._signer = signer
        self._sent: set[int] = set()
        self._has_all = has_all
        self._nodes: set[str] = set()
        self._crashes: dict[str, float | None] = {}
        self.now: Callable[[], float] | None = None
        """The time of steps; None if they are recorded without."""
        self.routes: Callable[[str], Due | None] = lambda _topic: None
        """The routes that the layer below hands to a topic; None if each is recorded where it is taken."""
        self._topics: dict[str, _Topic] = {}

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics with recorded steps, in the order of their names."""
        return tuple(sorted(self._topics))

    def began(self, topic: str, node: str, role: str, state: Raw) -> None:
        """Keep the first state of each node."""
        seen = self._topic(topic)
        if node not in seen.roles:
            seen.roles[node] = role
            seen.states[node] = seen.latest[node] = state

    def _topic(self, topic: str) -> _Topic:
        if topic not in self._topics:
            seen = self._topics[topic] = _Topic()
            self._know(topic, seen, sorted(self._nodes))
            for node, at in self._crashes.items():
                self._begin_blank(topic, node)
                self._crash(topic, seen, node, at)
        return self._topics[topic]

    def _begin_blank(self, topic: str, node: str) -> None:
        member = self._overlay.port.member
        self.began(topic, node, member, self._overlay.blank(member, node, NO_CHANCE, topic).snapshot())

    def took(self, topic: str, step: Step, message: Struct | None) -> None:
        """Keep the step."""
        seen = self._topics[topic]
        if isinstance(step.took, int) and step.took not in self._sent:
            if bytes(step.state) == bytes(seen.latest[step.node]) and not (step.sent or step.delivered):
                return
            seen.strange.append(InFlight(step.took, step.node, message))
            self._know(topic, seen, () if message is None else nodes_named(message))
        self._sent.update(sent.id for sent in step.sent)
        if step.took == "timeout":
            self._end_period(topic, seen, step.node)
        self._append(topic, seen, step)

    def crashed(self, node: str) -> None:
        """In each topic the node crashes; where it is blank and would answer like a blank one, nothing changes."""
        answers = self._overlay.port.absent_answers
        if node in self._nodes:
            self._crashes[node] = None if self.now is None else self.now()
        for topic, seen in self._topics.items():
            if node in self._nodes:
                self._begin_blank(topic, node)
            known = self._is_member(seen, node) and node not in seen.down
            if known and not (answers and self._blank(topic, seen, node) is not None):
                self._crash(topic, seen, node)

    def started(self, node: str) -> None:
        """In each topic in which the node has crashed, it starts again with nothing."""
        self.crashed(node)
        for topic, seen in self._topics.items():
            if node in seen.down:
                self._command(topic, seen, node, self._overlay.port.begin_anew)
                seen.down.remove(node)
        if self._has_all:
            self._nodes.add(node)
            self._crashes.pop(node, None)
            for topic, seen in self._topics.items():
                self._know(topic, seen, (node,))

    def gone(self, topic: str, node: str) -> None:
        """The node has crashed, unless absent nodes are blank ones; if it was not seen here, before it took part."""
        seen = self._topic(topic)
        self._begin_blank(topic, node)
        if not self._overlay.port.absent_answers and node not in seen.down:
            self._crash(topic, seen, node)

    def missed(self, topic: str, node: str, number: int, message: Struct) -> None:
        """A node that has crashed takes the message without effect, so that no round waits for it.

        A well-known node crashes in no specification: what is for one that is not there stays in flight.
        """
        seen, port = self._topics[topic], self._overlay.of_topic(topic).port
        if not port.crash or node in port.contacts:
            return
        self.gone(topic, node)
        core = self._core(topic, seen, node)
        if not core.handle(0.0, Received(message)):
            self._append(topic, seen, Step(node, number, core.snapshot(), []))

    def _crash(self, topic: str, seen: _Topic, node: str, at: float | None = None) -> None:
        self._command(topic, seen, node, self._overlay.port.crash, at)
        seen.down.add(node)

    def _append(self, topic: str, seen: _Topic, step: Step) -> None:
        if self.now is not None and step.at is None:
            step = msgspec.structs.replace(step, at=self.now())
        seen.steps.append(step)
        seen.latest[step.node] = step.state
        self._know(topic, seen, _mentioned(step))

    def _know(self, topic: str, seen: _Topic, nodes: Iterable[str]) -> None:
        """Keep the states of nodes that take no part, by which they have their timeouts."""
        for node in nodes:
            if node not in seen.blank and node not in self._overlay.of_topic(topic).port.contacts:
                seen.blank[node] = self._idle_state(node, topic)

    def _end_period(self, topic: str, seen: _Topic, node: str) -> None:
        """If this node had its timeout in this period already, a new one begins: blank nodes have had theirs, too.

        A blank node may have no instance, and so takes no timeout; but rounds wait for it.
        """
        if node not in seen.timed_out:
            seen.timed_out.add(node)
            return
        seen.timed_out = {node}
        for other in sorted({*seen.roles, *seen.blank} - {node}):
            state = self._blank(topic, seen, other)
            if state is not None:
                self._append(topic, seen, Step(other, "timeout", state, []))

    def _last_periods(self, topic: str, seen: _Topic) -> Iterator[Step]:
        """Two periods of a topic in which no node takes part any more, so that a round is completed."""
        blank = {node: self._blank(topic, seen, node) for node in sorted({*seen.roles, *seen.blank})}
        at = seen.steps[-1].at if seen.steps else None
        last = [Step(node, "timeout", state, [], at=at) for node, state in blank.items() if state is not None]
        return iter(last * 2 if len(last) == len(blank) else ())

    def _is_member(self, seen: _Topic, node: str) -> bool:
        return seen.roles.get(node) == self._overlay.port.member

    def _blank(self, topic: str, seen: _Topic, node: str) -> Raw | None:
        """The state of a node that takes no part, and on which a timeout has no effect; None if it is another one."""
        if node not in seen.blank:
            known = self._is_member(seen, node)
            seen.blank[node] = self._idle_state(node, topic) if known else None
        blank = seen.blank[node]
        return blank if blank is not None and bytes(seen.latest.get(node, blank)) == bytes(blank) else None

    def _idle_state(self, node: str, topic: str) -> Raw | None:
        """The state of a member that takes no part; None if a timeout has an effect even then."""
        core = self._overlay.blank(self._overlay.port.member, node, NO_CHANCE, topic)
        before = core.snapshot()
        outputs = core.handle(0.0, Timeout())
        quiet = all(isinstance(output, SetTimer) for output in outputs) and bytes(core.snapshot()) == bytes(before)
        return before if quiet else None

    def _command(
        self, topic: str, seen: _Topic, node: str, commands: tuple[Command, ...], at: float | None = None
    ) -> None:
        core = self._core(topic, seen, node)
        for command in commands:
            event = self._overlay.implementation.commanded(command)
            outputs = core.handle(0.0, event)
            assert not any(isinstance(output, Send) for output in outputs), f"{node} crashes, and sends {outputs}"
            delivered = tuple(output.content for output in outputs if isinstance(output, Delivered))
            self._append(topic, seen, Step(node, event.command, core.snapshot(), [], delivered, at=at))

    def _core(self, topic: str, seen: _Topic, node: str) -> Core:
        state = msgspec.json.decode(seen.latest[node])
        return self._overlay.signing(topic).make(seen.roles[node], node, state, NO_CHANCE)

    def header(self, topic: str) -> dict[str, Any]:
        """The header of a topic's trace. A node that is only sent to, or named, has taken no step, and is blank."""
        seen, own, signer = self._topics[topic], self._overlay.of_topic(topic), self._signer
        port, messages = own.port, seen.strange
        if signer is not None:
            messages = [message_with_signers(message, topic, signer) for message in messages]
        mentioned = {node for step in seen.steps for node in _mentioned(step)}
        mentioned |= self._nodes | {node for one in seen.strange for node in nodes_named(one.message)}
        roles = {**port.contacts, **dict.fromkeys(sorted(mentioned - port.contacts.keys()), port.member), **seen.roles}
        return {
            "format": "gomboc-trace",
            "version": 1,
            "protocol": own.implementation.protocol,
            "parameters": dict(own.parameters),
            "roles": roles,
            "states": {node: seen.states.get(node, own.blank_state(role)) for node, role in roles.items()},
            "messages": messages,
            "origin": {**self._origin, "topic": topic},
        }

    def steps(self, topic: str) -> Iterator[Step]:
        """The steps of a topic, in the order in which they happened."""
        seen, signer = self._topics[topic], self._signer
        steps, due = [*seen.steps, *self._last_periods(topic, seen)], self.routes(topic)
        if due is not None:
            steps = with_routes(steps, due, *self._without_part(topic))
        return iter(steps) if signer is None else (step_with_signers(step, topic, signer) for step in steps)

    def _without_part(self, topic: str) -> tuple[Raw, Callable[[Route], Raw]]:
        """The state of a member that takes no part, and its state after a route."""
        member = self._overlay.port.member

        def routed(route: Route) -> Raw:
            core = self._overlay.blank(member, "", NO_CHANCE, topic)
            core.handle(0.0, Commanded(route))
            return core.snapshot()

        return self._overlay.blank(member, "", NO_CHANCE, topic).snapshot(), routed

    def write(self, folder: Path | str) -> list[Path]:
        """Write one trace for each topic into the folder, and say where; `UsageError` if that is not possible."""
        paths = [Path(folder) / f"{topic}.jsonl" for topic in self.topics]
        for topic, path in zip(self.topics, paths, strict=True):
            record(path, self.header(topic), self.steps(topic))
        return paths

    def handing_over(self, topic: str) -> Iterator[Step]:
        """The steps of a topic but for crashes: their deliveries are handed over."""
        crashes = [*map(msgspec.to_builtins, self._overlay.port.crash)]
        return (step for step in self._topics[topic].steps if msgspec.to_builtins(step.took) not in crashes)

    def write_one(self, path: Path) -> list[Path]:
        """Write the trace of the one topic to this path, and say where, if there is one."""
        for topic in self.topics:
            record(path, self.header(topic), self.steps(topic))
        return [path for _ in self.topics]


class SystemRecording:
    """One recording for each layer of an overlay. `around` makes them observe a node in all its layers.

    `origin` and `signer` are as in `Recording`; only layers that carry publications have signatures. Where there are
    layers below another, steps have their times, so that a turn of a node can be followed from layer to layer.
    """

    def __init__(self, overlay: Overlay, origin: dict[str, str | int], signer: Signer | None = None) -> None:
        self._beneath = overlay.beneath
        self._undivided = () if overlay.beneath is None else overlay.beneath.undivided
        self._key = cache(self._place)
        self.layers: Mapping[str, Recording] = {
            layer.implementation.name: self._recording(layer, origin, signer) for layer in overlay.layers
        }
        self._publishing = next(iter(self.layers.values()))
        self._publishing.routes = self._routes

    def _recording(self, layer: Overlay, origin: dict[str, str | int], signer: Signer | None) -> Recording:
        has_all = bool(self._undivided) and layer.implementation.name not in self._undivided
        return Recording(layer, origin, None if layer.port.authenticated is None else signer, has_all=has_all)

    def around(self, around: NodeContext) -> NodeContext:
        """The same surroundings, with these recordings as witnesses."""
        if self._beneath is not None:
            for recording in self.layers.values():
                recording.now = around.clock.now
        return msgspec.structs.replace(around, witness=self._publishing, beneath=self.layers)

    def _place(self, topic: str) -> object:
        assert self._beneath is not None, "a topic has a key over another layer"
        return self._beneath.values(topic)["key"]

    def _routes(self, topic: str) -> Due | None:
        """The routes of a topic that shares its key with another one, or with the topic of the layer below."""
        if self._beneath is None or (routing := self._beneath.neighbours.port.routing) is None:
            return None
        below = self.layers[self._beneath.neighbours.implementation.name]
        key = self._key(topic)
        topics = (*self._publishing.topics, *below.topics)
        if [*map(self._key, topics)].count(key) < 2:
            return None

        def of_key(content: object) -> Route | None:
            route = routing.told(content)
            return None if route is None or route.key != key else route.command

        return routes_due((step for at in below.topics for step in below.handing_over(at)), of_key)

    def write(self, folder: Path | str) -> list[Path]:
        """Write a trace for each topic of each layer, `folder`/layer/topic.jsonl, and say where.

        Of a layer with one instance there is one trace, `folder`/layer.jsonl. Where there are layers below another,
        `folder`/stack.json names the stack and its topics. Raises `UsageError` if that is not possible.
        """
        beneath = self._beneath
        divided = {layer: recording for layer, recording in self.layers.items() if layer not in self._undivided}
        paths = [path for layer, recording in divided.items() for path in recording.write(_made(Path(folder) / layer))]
        for layer in self._undivided:
            paths += self.layers[layer].write_one(Path(folder) / f"{layer}.jsonl")
        if beneath is not None:
            topics = sorted({topic for recording in divided.values() for topic in recording.topics})
            record_stack(Path(folder), beneath.stack, {topic: beneath.values(topic) for topic in topics})
        return paths


def _mentioned(step: Step) -> Iterator[str]:
    """The nodes that a step mentions: receivers of its messages, and the node that its command names.

    The latter need take no part: a detector speaks to all topics.
    """
    yield from (sent.to for sent in step.sent)
    for named in (getattr(step.took, "node", None), getattr(step.took, "next", None)):
        if isinstance(named, str):
            yield named


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    return folder
