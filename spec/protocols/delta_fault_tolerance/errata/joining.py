"""Rules of joining as printed, or without an addition of ours."""

from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.delta_fault_tolerance import joining, multicast, recovery
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker, Printed
from gomboc.spec.protocols.delta_fault_tolerance.links import link, send
from gomboc.spec.protocols.delta_fault_tolerance.multicast import issue, with_known
from gomboc.spec.protocols.delta_fault_tolerance.names import distance, parent, within
from gomboc.spec.protocols.delta_fault_tolerance.recovery import answer
from gomboc.spec.protocols.delta_fault_tolerance.state import Content, Joined, JoinRequest, Node, Tree


def know_alone(local: Node, broker: Broker, leaf: str) -> Outcome:
    """J is of the leaf, and has no recipients as printed: a leaf is on no path to its join point but its own.

    Source: Section 4.6, RCPT^J
    """
    return Outcome(with_known(local, broker, (*local.known, leaf)))


def tell_links(local: Node, broker: Broker, peer: str) -> Outcome:
    """A joining leaf receives the links with both ends within delta of the join point, and knows these ends.

    These are none if delta = 0. Its own link it knows in any case: the recipients of its J are computed with it.

    Source: Algorithm 2, PAR_TOP; Section 4.6, RCPT^J
    """
    me = broker.me
    near = {name for name in (me, *local.known) if distance(name, me) < broker.reach}
    ends = {end for name in near if (above := parent(name)) in near and above for end in (name, above)}
    return Outcome(local, send(local, me, peer, Tree, within(frozenset((me, *ends)), peer, broker.reach)))


def tell_unmarked(local: Node, broker: Broker, peer: str) -> Outcome:
    """A joining leaf is not told of leaves that are still joining.

    Source: Algorithm 7, line 13, read as for Algorithm 2: "unmarked topology links"
    """
    near = within(frozenset((broker.me, *local.known)), peer, broker.reach)
    return Outcome(local, send(local, broker.me, peer, Tree, near))


def stays_at_the_edge(local: Node, broker: Broker, content: Content, gone: str) -> bool:
    """J goes past brokers that are away.

    Source: Algorithm 3, for J as for any message
    """
    del local, content
    return distance(broker.me, gone) == broker.reach


def answer_first(local: Node, broker: Broker, message: JoinRequest) -> Outcome:
    """A leaf receives the tree and the table at once, and J is sent after that.

    Source: Section 4.6, the two phases
    """
    peer, connection = message.sender, link(local, message.sender)
    answered = connection is not None and connection.theirs == message.stream
    if local.asking or answered:
        return joining.admit(local, broker, message)
    outcome = answer(with_known(local, broker, (*local.known, peer)), broker, message)
    return outcome if peer in local.known else outcome.then(issue, broker, Joined(peer))


JOINING: tuple[Printed, ...] = (
    Printed(
        "join_unheard",
        "Nobody but its parent knows a leaf that has joined, and nobody goes past that parent to it.",
        "Section 4.6, RCPT^J",
        {joining.make_known: know_alone},
    ),
    Printed("tree_of_links", "", "Algorithm 2, PAR_TOP; Section 4.6, RCPT^J", {recovery.tell_tree: tell_links}),
    Printed(
        "unmarked",
        "Two leaves that join at once do not know each other.",
        "Section 4.6, RCPT^J; Lemma 6",
        {recovery.tell_tree: tell_unmarked},
    ),
    Printed(
        "join_goes_past",
        "Who is away while a leaf joins never knows it.",
        "Section 4.6; Lemma 5",
        {multicast.stays: stays_at_the_edge},
    ),
    Printed(
        "answered_first",
        "A subscription goes past a leaf that has its table, and is not known yet.",
        "Section 4.6, the two phases",
        {joining.admit: answer_first},
    ),
)
