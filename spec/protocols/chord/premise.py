"""The premise of convergence, and the part of a state that the promises read."""

from collections.abc import Iterator
from typing import Any

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.chord.legitimacy import anchor, share
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import Dead, FixFingerReply, JoinReply, Node, Notify, Outside, StabilizeReply


def premise(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """A joining node eventually asks a member; with `meet`, the membership names each node's right head to it.

    The right head is meant among members and joining nodes, for any of these that get in: false messages may let them
    in anywhere. Without `meet`, no node that is outside is named as a member is: it would not answer, and be named for
    ever. No more is demanded then: convergence from any other state is claimed, and does not hold.

    Source: decided here
    """
    return (
        *_contacts(states),
        *(_peers(parameters, states) if parameters.meet else _unheard(parameters, states, in_flight)),
    )


def _unheard(parameters: Parameters, states: States, in_flight: InFlight) -> Iterator[Fault]:
    """The members that name a node outside, or are about to: as a neighbour, or as a finger."""
    outside = {name for name, local in states.items() if local.status == "outside"}
    if not outside:
        return
    known = ((name, local) for name, local in sorted(states.items()) if local.status == "inside")
    for name, value in (*known, *in_flight):
        wrong = sorted(outside & {*_counted_on(parameters, value)} - {name})
        if wrong and name in states and states[name].status != "crashed":
            yield Fault("no_outside_node_is_named", name, "a member", wrong[0], "decided here")


def _counted_on(parameters: Parameters, value: Any) -> tuple[str, ...]:
    """The nodes that a state or message names as members."""
    match value:
        case Node():
            named = (value.predecessor, *value.successors, *_fingers(parameters, value))
        case StabilizeReply():
            named = (value.sender, value.predecessor, *value.successors)
        case JoinReply(sender, successors):
            named = (sender, *successors)
        case Notify(sender):
            named = (sender,)
        case FixFingerReply(_, owner) if parameters.fingers:
            named = (owner,)
        case _:
            return ()
    return tuple(name for name in named if name is not None)


def _fingers(parameters: Parameters, local: Node) -> tuple[str, ...]:
    return tuple(name for _, name in local.fingers) if parameters.fingers else ()


def _contacts(states: States) -> Iterator[Fault]:
    for name, local in sorted(states.items()):
        if local.contact is None:
            continue
        asked, at = {name}, local.contact
        while at not in asked and states[at].contact is not None:
            asked.add(at)
            at = states[at].contact
        if states[at].status == "outside":
            yield Fault("contact_is_a_member", name, "a member, in the end", at, "decided here")


def _peers(parameters: Parameters, states: States) -> Iterator[Fault]:
    around = anchor(parameters, {name: share(local) or local.contact is not None for name, local in states.items()})
    for index, name in enumerate(around):
        peers = states[name].peers
        for head in around[index + 1 :] + around[:index]:
            if head not in peers:
                yield Fault("peers_name_the_head", name, head, peers, "decided here")
            if head not in peers or share(states[head]):
                break


def projection(parameters: Parameters, value: Node | Any) -> tuple[Any, ...] | None:
    """The part that premise, assumption, environment and promises read.

    Of messages, these are the nodes that they name as members, and the report that a node is none.

    With `meet`, no promise reads messages.
    """
    match value:
        case Node():
            peers = value.peers if parameters.meet else ()
            return value.status, value.predecessor, value.successors, _fingers(parameters, value), value.contact, peers
        case _ if parameters.meet:
            return None
        case StabilizeReply(sender, predecessor, successors):
            return "StabilizeReply", sender, predecessor, successors
        case JoinReply(sender, successors):
            return "JoinReply", sender, successors
        case Dead(node) | Outside(node):
            return "Dead", node
    named = _counted_on(parameters, value)
    return ("Named", *named) if named else None
