"""Why something is refused: one reason for each thing that a peer or the application may get wrong."""

from enum import StrEnum

from gomboc.impl import refusals
from gomboc.impl.errors import UsageError


class Reason(StrEnum):
    """Why something was not accepted. A core says these names in its `Refused`."""

    UNKNOWN_TOPIC = refusals.UNKNOWN_TOPIC
    """A message is for a topic that this node has no part in."""
    TOO_MANY_TOPICS = "too_many_topics"
    """A message would begin a topic, and the node has as many as it may have."""
    BAD_TOPIC = "bad_topic"
    """The application names a topic in a way that no topic is named."""
    BAD_MESSAGE = refusals.BAD_MESSAGE
    """A peer's bytes are no envelope, or what is in it is no message of the protocol."""
    OTHER_PARAMETERS = refusals.OTHER_PARAMETERS
    """A peer runs another protocol, or this one with parameters that do not go together with one's own."""
    NOT_SUBSCRIBED = "not_subscribed"
    """The application asks for something of a topic to which it has not subscribed."""
    BAD_CONTACT = "bad_contact"
    """The application names no member to join through where it needs one, or names one where it does not."""
    CONTACT_GONE = "contact_gone"
    """There is no node of the name of a contact; counted each time that the node has tried it."""
    CANNOT_PUBLISH = "cannot_publish"
    """The application publishes or reads publications on an overlay that has none."""
    CANNOT_LOOK_UP = "cannot_look_up"
    """The application looks a key up on an overlay where no key has an owner."""
    BAD_PAYLOAD = "bad_payload"
    """The application publishes a string that UTF-8 cannot write."""
    BAD_FILTER = "bad_filter"
    """The application names what it wants by a filter that is none: an unknown operator, or values of two types."""
    BAD_ATTRIBUTES = "bad_attributes"
    """The application publishes what has no attributes, or attributes that no filter can speak of."""
    BAD_KEPT = "bad_kept"
    """The application gives a node something to come back with that was not kept of it, or under other parameters, or
    before a later start of it."""
    OUTDATED = "outdated"
    """A peer has come back with something older than the last that was kept of it."""
    BAD_NAME = "bad_name"
    """The application names a node in a way that no node is named."""
    TOO_LARGE = "too_large"
    """A payload is above the protocol's limit."""
    KEY_MISMATCH = "key_mismatch"
    """A publication's key is not that of its content."""
    FORGED = "forged"
    """A publication is not signed by the publisher that it names."""
    EXPIRED = "expired"
    """A publication is older than what is kept of its publisher."""
    BEYOND_HISTORY = "beyond_history"
    """The application asks for more publications than the node holds."""
    TOO_SLOW = "too_slow"
    """The application did not take its deliveries in time, and its queue disconnects whoever is too slow."""
    STOPPED = "stopped"
    """The application asks for something of a node that it has stopped."""
    OUT_OF_NUMBERS = "out_of_numbers"
    """This incarnation of the node has given out all its numbers of publications."""


class RefusedError(UsageError):
    """What the application asked for is refused; `reason` says why in one word."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
