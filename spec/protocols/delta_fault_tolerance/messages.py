"""The messages of brokers, and which broker may send each."""

from gomboc.spec.protocols.delta_fault_tolerance.contents import (
    Brokers,
    Content,
    HexDigits,
    Id,
    Joined,
    Part,
    PeerStatus,
    Publication,
    Stamp,
    Stamps,
    Visited,
    WellFormed,
    place,
)
from gomboc.spec.protocols.delta_fault_tolerance.filters import text
from gomboc.spec.protocols.delta_fault_tolerance.names import lies_on, parent
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.types.fields import NodeName
from gomboc.spec.types.kinds import Kind
from gomboc.spec.types.speakers import both, named_in, speakers


class InStream(Kind, frozen=True):
    """Base of messages: each belongs to the sender's stream to the receiver.

    Source: Section 4.1, Connections; the streams are decided here
    """

    sender: NodeName
    stream: Stamp


class Connect(InStream, frozen=True):
    """Begins a stream: a question or, if the receiver's stream is `heard`, an answer. Source: ConnectionRequest."""

    heard: Stamp | None
    status: PeerStatus


class Recover(InStream, frozen=True):
    """Begins a stream of a broker that recovers, and asks for tables. Source: Section 6, SynRequest."""


class JoinRequest(InStream, frozen=True):
    """Begins a stream of a leaf that joins, and asks its parent for the tree. Source: Algorithm 2, JoinRequest."""


class Tree(InStream, frozen=True):
    """The brokers near the receiver, which joins. Source: Algorithm 2, PAR_TOP."""

    names: Brokers


class StatusMessage(InStream, frozen=True, tag="Status"):
    """The sender's own status has changed. Source: Section 6, Status."""

    status: PeerStatus


class Table(InStream, frozen=True):
    """Rows, as they are for the receiver. Source: Algorithm 7, PAR_SUB."""

    rows: Part


class StampsMessage(InStream, frozen=True, tag="Stamps"):
    """The last part of an answer. Source: decided here."""

    stamps: Stamps


class Forward(InStream, frozen=True):
    """A multicast message; with a guide, a Guided one. Source: Section 4.4, and Section 6, Guided."""

    id: Id
    content: Content
    visited: Visited
    guide: Brokers | None


class Confirm(InStream, frozen=True):
    """Source: Section 4.1, Conf."""

    id: Id


class Close(InStream, frozen=True):
    """The sender has closed the connection. Source: Section 4.1, CloseConnection."""


class Digest(InStream, frozen=True):
    """The digest that the receiver's rows for the sender's side should have; the sender is operational.

    Source: decided here
    """

    digest: HexDigits


class Doubt(InStream, frozen=True):
    """The sender's rows for the receiver's side have another digest. Source: decided here."""


class RowsMessage(InStream, frozen=True, tag="Rows", omit_defaults=True):
    """The rows that the receiver should have for the sender's side of their link.

    Or those after the source and filter of the last row of the part before, as many as fit.

    Source: decided here
    """

    rows: Part
    after: tuple[NodeName, WellFormed] | None = None


class Pause(InStream, frozen=True):
    """The sender holds the rest of its stream back until the receiver asks for it. Source: decided here."""


class Continue(InStream, frozen=True):
    """The sender asks for the rest of the receiver's stream. Source: decided here."""


OfFailures = Connect | Recover | StatusMessage | Table | StampsMessage
OfJoining = JoinRequest | Tree
OfAudits = Digest | Doubt | RowsMessage
OfPauses = Pause | Continue
Message = OfFailures | Forward | Confirm | Close | OfJoining | OfAudits | OfPauses


def on_its_way(sender: str, _role: str, receiver: str, copy: Forward) -> bool:
    """Whether a copy comes by brokers on the path from its source, and says what its source may say.

    A source subscribes and unsubscribes for its own client, and a leaf is announced by its parent.

    Source: Section 4.4; Section 5, m.visited; Section 4.6, J
    """
    source, content = copy.id[0], copy.content
    passed = {sender, *(broker for broker, _ in copy.visited)}
    if receiver in passed or not all(lies_on(broker, source, receiver) for broker in passed):
        return False
    if isinstance(content, Joined):
        return parent(content.node) == source
    return isinstance(content, Publication) or content.source == source


SPEAKERS = speakers(Message, {Forward: both(named_in("sender"), on_its_way)})
"""Who sends each message. Source: Section 4.1, Connections: links are between brokers that know each other."""


def in_rows(parameters: Parameters, message: RowsMessage) -> str | None:
    """The requirement that a part of rows violates, in words; None if it is right. Source: decided here."""
    if message.after is None:
        return None
    if parameters.most_rows is None:
        return "no part of rows without most_rows"
    source, wanted = message.after
    is_behind = not message.rows or (source, text(wanted)) < place(message.rows[0])
    return None if is_behind else "rows after those of the part before"
