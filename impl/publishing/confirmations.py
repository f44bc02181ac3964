"""Confirmations: the publications of a topic that other members are known to hold, and callbacks for them."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field

from gomboc.impl.core.automaton import HeldElsewhere
from gomboc.impl.core.failed import each
from gomboc.impl.publishing.publication import Publication, PublicationId

LEAST_ROOM = 64
"""Unconfirmed publications of a topic below which none is looked for that is held no more."""

Confirmed = Callable[[PublicationId], None]
"""Takes a publication that another member holds."""


@dataclass(eq=False, slots=True)
class Copies:
    """The other members that are known to hold a publication with this id in its topic, and key."""

    identity: tuple[str, str, int]
    key: str
    confirmed: Callable[[], None] | None = None
    _nodes: set[str] = field(default_factory=set)
    _unnamed: bool = False

    def __len__(self) -> int:
        """The number of these members, as far as they are known to differ."""
        return len(self._nodes) or int(self._unnamed)

    def hear(self, held: HeldElsewhere) -> None:
        """Count a member that holds the publication."""
        if not any(self.key.startswith(prefix) for prefix in held.prefixes) and self.identity not in held.ids:
            return
        if held.node is None:
            self._unnamed = True
        else:
            self._nodes.add(held.node)


class Confirmations:
    """The publications of one topic that this node holds and, as far as it knows, no other member does.

    Publications of others count as well: the member from which one came may have left since. `Copies` are watched on
    request.
    """

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._open: dict[str, PublicationId] = {}
        self._room = 0
        self._watched: list[Copies] = []

    def __len__(self) -> int:
        """The number of publications without confirmation."""
        return len(self._open)

    def add(self, publication: Publication, held: Callable[[], Container[str]]) -> None:
        """Record that this node holds the publication; `held()` are the keys of all that it holds now.

        What retention has dropped, no other member ever names: it is forgotten before such entries are more than half.
        """
        self._open[publication.key] = publication.id
        if len(self._open) > self._room:
            self._room = max(LEAST_ROOM, 2 * len(self.open(held())))

    def watch(self, id_: PublicationId, key: str) -> Copies:
        """Count the members that turn out to hold a publication from now on."""
        self._watched.append(Copies((self._topic, id_.publisher, id_.number), key))
        return self._watched[-1]

    def release(self, copies: Copies) -> None:
        """Count them no more."""
        if copies in self._watched:
            self._watched.remove(copies)

    def expect(self, id_: PublicationId, key: str, confirmed: Confirmed) -> None:
        """Call `confirmed` when another member holds the publication."""
        copies = self.watch(id_, key)

        def call() -> None:
            self.release(copies)
            confirmed(id_)

        copies.confirmed = call

    def confirm(self, held: HeldElsewhere) -> None:
        """Record that another member holds publications that this node holds."""
        if self._open:
            self._close(held)
        for copies in self._watched:
            copies.hear(held)
        each(*(copies.confirmed for copies in self._watched if copies.confirmed is not None and len(copies)))

    def _close(self, held: HeldElsewhere) -> None:
        length = len(next(iter(self._open)))
        for prefix in held.prefixes:
            # A whole key is no prefix of another one: of many that a message names, few are open.
            if len(prefix) == length:
                self._open.pop(prefix, None)
            else:
                self._open = {key: id_ for key, id_ in self._open.items() if not key.startswith(prefix)}
        named = {PublicationId(publisher, number) for topic, publisher, number in held.ids if topic == self._topic}
        if named:
            self._open = {key: id_ for key, id_ in self._open.items() if id_ not in named}

    def open(self, held: Container[str]) -> tuple[PublicationId, ...]:
        """The unconfirmed publications that are held under one of these keys, in order; others are forgotten."""
        self._open = {key: id_ for key, id_ in self._open.items() if key in held}
        return tuple(sorted(self._open.values()))
