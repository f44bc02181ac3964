"""Service to a broker's own client: publications, subscriptions and deliveries."""

from gomboc.impl.core.reasons import Reason
from gomboc.impl.protocols.delta_fault_tolerance.contents import Publication, Subscription, Unsubscription
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import (
    Confirmed,
    Published,
    Subscribed,
    Unsubscribed,
    Unsubscribing,
)
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import Publication as Matched
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter
from gomboc.impl.protocols.delta_fault_tolerance.forwarding import Finish, admit, dispatch, settle
from gomboc.impl.protocols.delta_fault_tolerance.states import Entry, Own, by_filter
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables


def publish(at: Variables, attributes: Attributes, finish: Finish) -> None:
    """Send a publication; while the broker recovers, queue it.

    Source: Section 4.8
    """
    if at.status != "operational":
        at.queue.append(attributes)
        return
    entry = admit(at, Publication(attributes))
    at.deliver(Published(entry.id, attributes))
    hand_over(at, entry)
    dispatch(at, entry, entry.recipients)
    settle(at, entry, finish)


def hand_over(at: Variables, entry: Entry) -> None:
    """Deliver a publication to the own client, if a filter of the client matches."""
    if isinstance(entry.content, Publication):
        attributes = entry.content.attributes
        filters = at.own.matching(dict(attributes))
        if filters:
            at.deliver(Matched(entry.id, attributes, filters))


def wanted(at: Variables) -> tuple[Filter, ...]:
    """The client's filters, in order, without those that it is ending."""
    return tuple(own.filter for own in sorted(at.own.values(), key=by_filter) if own.phase != "unsubscribing")


def has_room(at: Variables) -> bool:
    """Whether the client may have one more filter."""
    most = at.parameters.most_filters
    return most is None or len(at.own) < most


def subscribe(at: Variables, wanted: Filter, finish: Finish) -> None:
    """Subscribe the client to a filter, unless it is subscribed already, or has as many filters as it may have.

    One that is being ended counts until all brokers have confirmed its end: until then their tables may have it.
    """
    own = at.own.get(wanted)
    if own is None and not has_room(at):
        at.refuse(Reason.TOO_MANY_FILTERS)
        return
    if own is None or own.phase == "unsubscribing":
        at.own[wanted] = Own(wanted, "subscribing", None)
        if at.status == "operational":
            _say(at, wanted, finish)


def unsubscribe(at: Variables, unwanted: Filter, finish: Finish) -> None:
    """End the client's subscription to a filter, if there is one."""
    own = at.own.get(unwanted)
    if own is not None and own.phase != "unsubscribing":
        at.own[unwanted] = Own(unwanted, "unsubscribing", None)
        at.deliver(Unsubscribing(unwanted))
        if at.status == "operational":
            _say(at, unwanted, finish)


def _say(at: Variables, said: Filter, finish: Finish) -> None:
    """Tell all brokers of a subscription, or of its end.

    Source: Section 4.7
    """
    phase = at.own[said].phase
    ending = phase == "unsubscribing"
    entry = admit(at, Unsubscription(at.me, said) if ending else Subscription(at.me, said, at.me))
    at.own[said] = Own(said, phase, None if phase == "subscribed" else entry.id)
    dispatch(at, entry, entry.recipients)
    settle(at, entry, finish)


def confirmed(at: Variables, entry: Entry) -> None:
    """Tell the client that its request has taken effect everywhere."""
    match entry.content:
        case Publication():
            at.deliver(Confirmed(entry.id))
        case Subscription(_, said) | Unsubscription(_, said):
            own = at.own.get(said)
            if own is None or own.id != entry.id:
                return
            if own.phase == "subscribing":
                at.own[said] = Own(said, "subscribed", None)
                at.deliver(Subscribed(said))
            else:
                del at.own[said]
                at.deliver(Unsubscribed(said))


def resume(at: Variables, finish: Finish) -> None:
    """Send the subscriptions, then the publications, that waited while the broker recovered."""
    for own in sorted(at.own.values(), key=by_filter):
        if own.phase != "subscribed" and own.id is None:
            _say(at, own.filter, finish)
    waited, at.queue = at.queue, []
    for attributes in waited:
        publish(at, attributes, finish)
