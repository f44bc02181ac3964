"""Joining of a leaf: it asks its parent, which makes it known to all brokers nearby before it sends it the tree."""

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.commands import Join, StatusTold
from gomboc.spec.protocols.delta_fault_tolerance.contents import Joined
from gomboc.spec.protocols.delta_fault_tolerance.messages import JoinRequest, Tree
from gomboc.spec.protocols.delta_fault_tolerance.multicast import issue, with_known
from gomboc.spec.protocols.delta_fault_tolerance.names import parent
from gomboc.spec.protocols.delta_fault_tolerance.recovery import answer, ask, go_past, neighbours
from gomboc.spec.protocols.delta_fault_tolerance.state import Node, is_joining
from gomboc.spec.protocols.delta_fault_tolerance.variables import link, recover, unanswered

# At the leaf.


def join(local: Node, broker: Broker, _command: Join) -> Outcome:
    """Ask the parent, from outside. Joining is no recovery: the incarnation stays.

    Source: Algorithm 2, joining node
    """
    if local.status != "detached":
        return Outcome(local)
    local = replace(local, status="recovering")
    asked = ask(local, broker, neighbours(local, broker.me))
    return replace(asked, delivered=(StatusTold("recovering"),))


def ask_again(local: Node, broker: Broker, _taken: None) -> Outcome:
    """Repeat the question in the same stream until the parent has answered.

    The parent answers when all brokers nearby have heard of the leaf; if it was away, it has lost the question.

    Source: decided here
    """
    return Outcome(local, tuple(sent for peer in unanswered(local) for sent in recover(local, broker.me, peer)))


def take_tree(local: Node, broker: Broker, message: Tree) -> Outcome:
    """Take the tree nearby from the parent; from here on the leaf recovers like any broker.

    Source: Algorithm 2, the last two lines
    """
    if not is_joining(local) or message.sender != parent(broker.me):
        return Outcome(local)
    return Outcome(with_known(local, broker, message.names))


# At its parent.


def admit(local: Node, broker: Broker, message: JoinRequest) -> Outcome:
    """Make a leaf that asks known to all brokers nearby first; then answer it like a recovering broker.

    A broker that is still asking has nothing to tell, nor has the leaf. An answered question is not answered again.
    A broker with another parent cannot join here. With delta = 0 a broker that is not operational makes no leaf known:
    no guide names the leaf, and the broker forwards only to brokers that a guide names.

    Source: Algorithm 2, join point; Section 4.6, J; the order is decided here
    """
    peer = message.sender
    if parent(peer) != broker.me:
        return Outcome(local)
    if local.asking:
        return go_past(local, broker, peer)
    if peer not in local.known and broker.parameters.delta == 0 and local.status != "operational":
        return Outcome(local)
    outcome = Outcome(local) if peer in local.known else broker.rule(make_known)(local, broker, peer)
    connection = link(local, peer)
    answered = connection is not None and connection.theirs == message.stream
    if answered or peer not in outcome.local.known:
        return outcome
    return outcome.then(broker.rule(answer), broker, message)


def make_known(local: Node, broker: Broker, leaf: str) -> Outcome:
    """Send J, unless it is on its way. Source: Section 4.6, J."""
    if any(entry.content == Joined(leaf) for entry in local.entries):
        return Outcome(local)
    return broker.rule(issue)(local, broker, Joined(leaf))
