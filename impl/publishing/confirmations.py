"""Confirmations: the publications of a topic that another member is known to hold, and callbacks for them."""

from collections.abc import Callable, Collection

from gomboc.impl.publishing.publication import Publication, PublicationId

Confirmed = Callable[[PublicationId], None]
"""Takes a publication that another member holds."""


class Confirmations:
    """The publications of one topic that this node holds and, as far as it knows, no other member does.

    Publications of others count as well: the member from which one came may have left since.
    """

    def __init__(self) -> None:
        self._open: dict[str, PublicationId] = {}
        self._expected: dict[PublicationId, Confirmed] = {}

    def __len__(self) -> int:
        """The number of publications without confirmation."""
        return len(self._open)

    def add(self, publication: Publication) -> None:
        """Record that this node holds the publication."""
        self._open[publication.key] = publication.id

    def expect(self, id_: PublicationId, confirmed: Confirmed) -> None:
        """Call `confirmed` when another member holds the publication."""
        self._expected[id_] = confirmed

    def confirm(self, prefix: str) -> None:
        """Record that another member holds all publications with this prefix of their keys."""
        for key in [key for key in self._open if key.startswith(prefix)]:
            id_ = self._open.pop(key)
            if id_ in self._expected:
                self._expected.pop(id_)(id_)

    def open(self, held: Collection[str]) -> tuple[PublicationId, ...]:
        """The unconfirmed publications that are held under one of these keys, in order; others are forgotten."""
        self._open = {key: id_ for key, id_ in self._open.items() if key in held}
        return tuple(sorted(self._open.values()))
