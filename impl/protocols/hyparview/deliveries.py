"""Deliveries to the layer above, and to the application."""

from gomboc.impl.core.vocabulary import Delivery
from gomboc.impl.publishing.publication import Publication


class Peers(Delivery, frozen=True):
    """The nodes that the views name now, ascending."""

    nodes: tuple[str, ...]


class Heard(Delivery, frozen=True):
    """This publication was new here."""

    topic: str
    publication: Publication
