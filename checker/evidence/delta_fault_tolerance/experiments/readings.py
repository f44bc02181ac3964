"""Readings of the paper that were tried beside the variants of the specification: the rules that each replaces."""

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.delta_fault_tolerance import protocol_with
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker, Replaced
from gomboc.spec.protocols.delta_fault_tolerance.contents import Visited
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import entrust, is_duplicate
from gomboc.spec.protocols.delta_fault_tolerance.joining import take_tree
from gomboc.spec.protocols.delta_fault_tolerance.messages import Tree
from gomboc.spec.protocols.delta_fault_tolerance.multicast import become_operational, stays, with_known
from gomboc.spec.protocols.delta_fault_tolerance.names import direction
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.printed import (
    answer_when_done,
    close_nothing,
    entrust_nothing,
    hand_over_addressed,
    stays_at_the_edge,
)
from gomboc.spec.protocols.delta_fault_tolerance.recovery import (
    decline,
    hand_over,
    tell_stamps,
    tell_table,
    tell_tree,
    try_to_finish,
    united,
)
from gomboc.spec.protocols.delta_fault_tolerance.sessions import close
from gomboc.spec.protocols.delta_fault_tolerance.state import Node


def read(replaced: Replaced, delta: int) -> Protocol:
    """The protocol by that reading, for so many failures."""
    return protocol_with(Parameters(delta), replaced)


def differs(local: Node, visited: Visited) -> bool:
    """A message is a duplicate if a stamp of it differs from the record: the sign as it stands in the text.

    Source: Section 5, isDuplicate
    """
    seen = dict(local.seen)
    return any(stamp is not None and node in seen and stamp != seen[node] for node, stamp in visited)


def tell_tree_and_table(local: Node, broker: Broker, peer: str) -> Outcome:
    """Send the tree nearby before the table.

    Source: Algorithm 7, line 13
    """
    return tell_tree(local, broker, peer).then(tell_table, broker, peer)


def take_tree_again(local: Node, broker: Broker, message: Tree) -> Outcome:
    """A broker that recovers learns of the brokers that have joined meanwhile.

    Source: Algorithm 5, line 11; Algorithm 6, lines 11 and 13
    """
    if local.status != "recovering":
        return Outcome(local)
    return Outcome(with_known(local, broker, (*local.known, *message.names)))


def remember_and_answer(local: Node, broker: Broker, peer: str) -> Outcome:
    """The peer is remembered, and answered when nothing away from it is asked any more.

    Source: Section 6.2, "in each direction R is connected to an OPERATIONAL node"
    """
    kept = local if peer in local.asked else replace(local, asked=(*local.asked, peer))
    return answer_asked(kept, broker)


def answer_asked(local: Node, broker: Broker) -> Outcome:
    """Each peer that has asked is answered if no table away from it is lacking."""
    outcome, me = Outcome(local), broker.me
    for peer in local.asked:
        if all(direction(me, name) == direction(me, peer) for name in local.asking):
            outcome = outcome.then(answer_one, broker, peer)
    return outcome


def answer_one(local: Node, broker: Broker, peer: str) -> Outcome:
    """The rows so far, as if they were the table."""
    kept = local.rows
    so_far = replace(local, rows=united(local, broker.me), asked=tuple(x for x in local.asked if x != peer))
    answer = Outcome(so_far).then(tell_table, broker, peer).then(tell_stamps, broker, peer)
    return replace(answer, local=replace(answer.local, rows=kept))


def answer_and_finish(local: Node, broker: Broker) -> Outcome:
    """With each answer, and each peer that is not asked any more, further peers may be answered.

    Source: Section 6.2, "in each direction R is connected to an OPERATIONAL node"
    """
    return answer_asked(local, broker).then(try_to_finish, broker)


UNEQUAL: Replaced = {is_duplicate: differs}

TREE_IS_TOLD_AGAIN: Replaced = {
    stays: stays_at_the_edge,
    tell_table: tell_tree_and_table,
    take_tree: take_tree_again,
}
"""J goes past a broker that is away, which gets the tree nearby when it recovers."""

ADDRESSED_ONLY_OPEN: Replaced = {
    hand_over: hand_over_addressed,
    entrust: entrust_nothing,
    close: close_nothing,
}
"""Only messages that wait for the recovering broker itself are sent again, and no connection is ever closed."""

ANSWERS_BY_DIRECTION: Replaced = {
    decline: remember_and_answer,
    become_operational: answer_when_done,
    try_to_finish: answer_and_finish,
}
"""A broker that recovers answers another one when it has the tables of all directions away from it."""
