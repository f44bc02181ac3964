"""Broadcast over active links, and recovery by digests.

Source: first report, Sections 3.3 and 3.4
"""

from collections.abc import Iterable

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.state import (
    Broadcast,
    Digest,
    Id,
    Item,
    Items,
    Node,
    Publish,
    Request,
    heard,
    id_of,
    key_of,
)
from gomboc.spec.protocols.hyparview.views import without
from gomboc.spec.publishing.answers import next_part
from gomboc.spec.publishing.publications import divided, is_genuine, is_valid, published, size_of


def kept(parameters: Parameters, ids: Iterable[Id]) -> frozenset[Id]:
    """Those ids that are kept: the `keep` highest numbers of each publisher in each topic.

    Source: decided here, as in the skip ring, instead of a time to live
    """
    every = frozenset(ids)
    if parameters.keep is None:
        return every
    numbers: dict[tuple[str, str], list[int]] = {}
    for name in sorted(every):
        numbers.setdefault((name.topic, name.publisher), []).append(name.number)
    return frozenset(
        name for name in every if name.number >= numbers[name.topic, name.publisher][-parameters.keep :][0]
    )


def lacking(parameters: Parameters, held: Iterable[Id], ids: Iterable[Id]) -> tuple[Id, ...]:
    """Those ids that a node that holds `held` lacks, and would keep each; ascending."""
    there = frozenset(held)
    return tuple(sorted(name for name in frozenset(ids) - there if name in kept(parameters, (*there, name))))


def ids_of(items: Iterable[Item]) -> tuple[Id, ...]:
    """The ids of these publications, ascending."""
    return tuple(sorted(map(id_of, items)))


def audited(parameters: Parameters, items: Items) -> Items:
    """The genuine ones of these publications, each under its right key, one of each id, as far as they are kept.

    Source: decided here, as in the skip ring
    """
    by_id: dict[Id, Item] = {}
    for item in items:
        one = item.publication
        if is_genuine(one, parameters.publishing):
            right = published(one.publisher, one.number, one.payload, parameters.publishing)
            by_id.setdefault(id_of(item), Item(item.topic, right))
    return tuple(sorted((by_id[name] for name in kept(parameters, by_id)), key=key_of))


def take_in(parameters: Parameters, local: Node, items: Items) -> Outcome:
    """Hold and deliver those publications that are valid, new, and kept; what is kept is decided topic by topic.

    Where nothing is taken in, nothing expires: a corrupted state is audited in the timeout.

    Source: first report, Section 3.3
    """
    known = {id_of(item) for item in local.held}
    valid = (item for item in items if is_valid(item.publication, parameters.publishing))
    new = audited(parameters, tuple(item for item in valid if id_of(item) not in known))
    ids = kept(parameters, map(id_of, (*local.held, *new)))
    taken = tuple(item for item in new if id_of(item) in ids)
    topics = {item.topic for item in taken}
    after = tuple(item for item in local.held if item.topic not in topics or id_of(item) in ids)
    after = tuple(sorted((*after, *taken), key=key_of))
    local = local if after == local.held else replace(local, held=after)
    return Outcome(with_new(parameters, local, taken) if taken else local, (), tuple(heard(taken)))


def with_new(parameters: Parameters, local: Node, taken: Items) -> Node:
    """The state with these publications among the new ones, if more are held than a digest names.

    Source: decided here
    """
    if len(frozenset(ids_of(local.held))) <= parameters.chunk:
        return local
    return replace(local, new=tuple(sorted({*local.new, *ids_of(taken)})))


def flood(parameters: Parameters, me: str, local: Node, item: Item, sender: str | None) -> Outcome:
    """Deliver a new publication, and send it on to all active nodes but the one that it is from.

    Source: first report, Section 3.3, ReceiveBCast, with the test for duplicates the right way round
    """
    taken = take_in(parameters, local, (item,))
    targets = without(local.active, sender) if taken.delivered else ()
    return replace(taken, sends=tuple(Send(node, Broadcast(me, item)) for node in targets))


def digest(parameters: Parameters, local: Node, me: str) -> Outcome:
    """The ids of the publications held, for every active node: of many, new ones and the next ones in their turn.

    What is held no more is new no more.

    Source: first report, Section 3.4.1; that a digest is limited is decided here
    """
    ids = ids_of(local.held)
    new = tuple(name for name in local.new if name in frozenset(ids))
    local = local if new == local.new else replace(local, new=new)
    if not (ids and local.active):
        return Outcome(local)
    part, new, told = next_part(ids, new, local.told, parameters.chunk)
    return Outcome(replace(local, told=told, new=new), tuple(Send(node, Digest(me, part)) for node in local.active))


def request(parameters: Parameters, me: str, local: Node, message: Digest) -> Outcome:
    """Ask for the publications of a digest that are missing here. Source: first report, Section 3.4.2."""
    missing = lacking(parameters, map(id_of, local.held), message.ids)
    return Outcome(local, (Send(message.sender, Request(me, missing)),) if missing else ())


def publish(parameters: Parameters, me: str, local: Node, message: Request) -> Outcome:
    """Send publications that another node lacks, in messages of which the coin draws one.

    It asks for the others after the next digest. A topic's name has its place in the frame of a publication.

    Source: first report, Section 3.4.3; that one message is sent is decided here
    """
    wanted = frozenset(message.ids)
    items = (item for item in local.held if id_of(item) in wanted)
    parts = divided(items, parameters.chunk, lambda item: size_of(item.publication))
    return Outcome(local, tuple(Send(message.sender, Publish(me, part)) for part in parts))
