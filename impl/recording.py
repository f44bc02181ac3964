"""One trace for each topic: topics are independent, so the trace of one holds only the steps of its own instances."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct

from gomboc.impl.overlay import Overlay
from gomboc.impl.recorder import record
from gomboc.impl.signers import Signer, message_with_signers, step_with_signers
from gomboc.impl.trace import InFlight, Step


@dataclass(slots=True)
class _Topic:
    roles: dict[str, str] = field(default_factory=dict)
    states: dict[str, Raw] = field(default_factory=dict)
    strange: list[InFlight] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


class Recording:
    """Sees what nodes do, and keeps it topic by topic. `origin` goes into the header of every trace.

    Without `signer`, signatures are the names of those who have signed, as the ideal authenticator writes them.

    A message of a stranger, who is no node of the system, counts as one that was in flight before the first step:
    channels keep no order and no time, so nobody can tell the difference. Say with `strange` which messages these are.
    """

    def __init__(self, overlay: Overlay, origin: dict[str, str | int], signer: Signer | None = None) -> None:
        self._overlay = overlay
        self._origin = origin
        self._signer = signer
        self._strange: set[int] = set()
        self._topics: dict[str, _Topic] = {}

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of which something was seen, in the order of their names."""
        return tuple(sorted(self._topics))

    def strange(self, number: int) -> None:
        """The message with this number was sent by a stranger."""
        self._strange.add(number)

    def began(self, topic: str, node: str, role: str, state: Raw) -> None:
        """Keep the first state of each node."""
        seen = self._topics.setdefault(topic, _Topic())
        if node not in seen.roles:
            seen.roles[node] = role
            seen.states[node] = state

    def took(self, topic: str, step: Step, message: Struct | None) -> None:
        """Keep the step."""
        seen = self._topics[topic]
        if isinstance(step.took, int) and step.took in self._strange:
            seen.strange.append(InFlight(step.took, step.node, message))
        seen.steps.append(step)

    def header(self, topic: str) -> dict[str, Any]:
        """The header of a topic's trace. Whoever was only sent to has taken no step, and is blank."""
        seen = self._topics[topic]
        port = self._overlay.port
        targets = {sent.to for step in seen.steps for sent in step.sent}
        roles = {**port.contacts, **dict.fromkeys(sorted(targets - port.contacts.keys()), port.member), **seen.roles}
        return {
            "format": "gomboc-trace",
            "version": 1,
            "protocol": self._overlay.implementation.protocol,
            "parameters": dict(self._overlay.parameters),
            "roles": roles,
            "states": {node: seen.states.get(node, self._overlay.blank_state(role)) for node, role in roles.items()},
            "messages": self._strange_messages(topic),
            "origin": {**self._origin, "topic": topic},
        }

    def steps(self, topic: str) -> Iterator[Step]:
        """The steps of a topic, in the order in which they happened."""
        steps, signer = self._topics[topic].steps, self._signer
        return iter(steps) if signer is None else (step_with_signers(step, topic, signer) for step in steps)

    def _strange_messages(self, topic: str) -> list[InFlight]:
        messages, signer = self._topics[topic].strange, self._signer
        return messages if signer is None else [message_with_signers(each, topic, signer) for each in messages]

    def write(self, folder: Path) -> list[Path]:
        """Write one trace for each topic into the folder, and say where; `UsageError` if that is not possible."""
        paths = [folder / f"{topic}.jsonl" for topic in self.topics]
        for topic, path in zip(self.topics, paths, strict=True):
            record(path, self.header(topic), self.steps(topic))
        return paths
