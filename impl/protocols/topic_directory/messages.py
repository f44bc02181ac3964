"""The messages of the directory."""

from gomboc.impl.core.authority import HEARSAY, Words, own
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name, TopicName
from gomboc.impl.core.vocabulary import Message, reader


class Say(Message, frozen=True):
    """For the node in charge of the topic: `contact` takes part in it."""

    topic: TopicName
    contact: Name


class Meet(Message, frozen=True):
    """The receiver has announced itself; `contact` takes part, too, and is less than the receiver."""

    topic: TopicName
    contact: Name


class Ask(Message, frozen=True):
    """`asker` has the receiver as the topic's contact, and asks whether it still takes part."""

    topic: TopicName
    asker: Name


class Deny(Message, frozen=True):
    """`node` takes no part in the topic."""

    topic: TopicName
    node: Name


class Affirm(Message, frozen=True):
    """`node` takes part in the topic."""

    topic: TopicName
    node: Name


WORDS: Words = {
    # Announcements are passed on, and any node may be in charge of a topic.
    Say: HEARSAY,
    Meet: HEARSAY,
    Ask: own("asker"),
    Deny: own("node"),
    Affirm: own("node"),
}
"""Whose word each message is."""

decode = reader(Say | Meet | Ask | Deny | Affirm, "This is not a message of the directory", error=PeerError)
