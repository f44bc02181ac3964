"""The lookups of a node: the questions for owners of keys, and their answers.

An answer names only the key's position, so it serves all lookups of that position.
"""

from collections.abc import Callable
from functools import partial

from gomboc.impl.api.layers.everywhere import Everywhere
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.topics.requests import Requests
from gomboc.impl.core.failed import each
from gomboc.impl.core.reasons import Reason
from gomboc.impl.runtime.host import Host

Answered = Callable[[str, str], None]
"""Called with the key and the name of the node that owns it."""


class Lookups:
    """The unanswered lookups of one node, by topic and by the position of the key."""

    def __init__(self, host: Host | Everywhere, overlay: Overlay, requests: Requests) -> None:
        self._host, self._requests = host, requests
        self._port, self._parameters = overlay.port.lookups, overlay.parameters
        self._waiting: dict[tuple[str, str], list[tuple[str, Answered]]] = {}

    def ask(self, topic: str, key: str, answered: Answered) -> None:
        """Call `answered` when the owner of this key is known. Refused: cannot_look_up, bad_payload."""
        if self._port is None:
            raise self._requests.refusal(topic, Reason.CANNOT_LOOK_UP, "No key has an owner on this overlay.")
        self._requests.require_text(topic, key)
        position = self._port.place(self._parameters, key)
        self._waiting.setdefault((topic, position), []).append((key, answered))
        self._host.command(topic, self._port.ask(position))

    def take(self, topic: str, content: object) -> bool:
        """Whether this is an answer: then all lookups of its position are called back, in their order, and once."""
        answer = None if self._port is None else self._port.answer(content)
        if answer is None:
            return False
        position, owner = answer
        waiting = self._waiting.pop((topic, position), [])
        each(*(partial(answered, key, owner) for key, answered in waiting))
        return True

    def forget(self, topic: str) -> None:
        """Drop all lookups of this topic."""
        for entry in [entry for entry in self._waiting if entry[0] == topic]:
            del self._waiting[entry]
