"""Reasons of refusals: one for each mistake of a peer or of the application."""

from enum import StrEnum

from gomboc.impl.core import refusals
from gomboc.impl.core.errors import UsageError


class Reason(StrEnum):
    """Reason why input was refused. A core puts these names into its `Refused`."""

    UNKNOWN_TOPIC = refusals.UNKNOWN_TOPIC
    """A message is for a topic that this node has no part in."""
    TOO_MANY_TOPICS = "too_many_topics"
    """A message would begin a topic, and the node has as many as it may have."""
    BAD_TOPIC = "bad_topic"
    """The application uses a name that no topic can have."""
    BAD_MESSAGE = refusals.BAD_MESSAGE
    """A peer's bytes are no envelope, or the content is no message of the protocol."""
    OTHER_PARAMETERS = refusals.OTHER_PARAMETERS
    """A peer runs another protocol, or this one with parameters that are incompatible with the local ones."""
    NOT_YOURS = refusals.NOT_YOURS
    """A peer sends in another node's name, or what only a node with another role may send, or by a wrong way."""
    NO_NEIGHBOUR = "no_neighbour"
    """A peer sends publications, or asks for some, where only nodes that are linked to each other do."""
    DISPUTED = refusals.DISPUTED
    """A peer refuses a publication of this node as forged: both know different keys of its publisher."""
    NOT_SUBSCRIBED = "not_subscribed"
    """The application asks for something of a topic to which it has not subscribed."""
    BAD_CONTACT = "bad_contact"
    """The application names no member to join through where it needs one, or names one where it does not."""
    CONTACT_GONE = "contact_gone"
    """No node has the name of a contact; counted each time that the node has tried it."""
    CANNOT_PUBLISH = "cannot_publish"
    """The application publishes or reads publications on an overlay that has none."""
    CANNOT_LOOK_UP = "cannot_look_up"
    """The application looks a key up on an overlay where no key has an owner."""
    NOT_JOINED = "not_joined"
    """The application publishes before the node is in the system, on an overlay that keeps nothing until then."""
    KEY_TAKEN = "key_taken"
    """The application publishes under the key of another publication that the node holds."""
    BAD_PAYLOAD = "bad_payload"
    """The application publishes neither bytes nor text, or text that UTF-8 cannot write."""
    BAD_NUMBER = "bad_number"
    """The application gives a number of copies or of periods that is none."""
    BAD_CONTENT_TYPE = "bad_content_type"
    """The application publishes under a content type that is none."""
    BAD_FILTER = "bad_filter"
    """The application gives an invalid filter: an unknown operator, or values of two types."""
    TOO_MANY_FILTERS = "too_many_filters"
    """A client subscribes to more filters than it may, or a peer sends more of one client."""
    BAD_ATTRIBUTES = "bad_attributes"
    """The application publishes without attributes, or with attributes that no filter can express."""
    BAD_KEPT = "bad_kept"
    """The application restarts a node with a state that was not kept of it, or is older than its last start."""
    OUTDATED = "outdated"
    """A peer has restarted with a state that is older than the last one kept of it."""
    BAD_NAME = "bad_name"
    """The application uses a name that no node can have."""
    TOO_LARGE = "too_large"
    """A payload, a filter or the attributes of a publication are above the protocol's limit."""
    KEY_MISMATCH = "key_mismatch"
    """A publication's key is not that of its content."""
    FORGED = "forged"
    """A publication is not signed by the publisher that it names."""
    EXPIRED = "expired"
    """A publication is older than those that are kept of its publisher."""
    BEYOND_HISTORY = "beyond_history"
    """The application asks for more publications than the node holds."""
    TOO_SLOW = "too_slow"
    """The application did not take its deliveries in time, and its queue has the policy to disconnect."""
    STOPPED = "stopped"
    """The application asks for something of a node that it has stopped."""
    OUT_OF_NUMBERS = "out_of_numbers"
    """This incarnation of the node has given out all its numbers of publications."""


class RefusedError(UsageError):
    """A request of the application is refused; `reason` gives the reason in one word."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
