"""Small skip rings that are explored completely: the starts. The results are in `models.toml`.

The claims are settled for any number of messages in flight, crashes and suspicions, but for convergence of
`printed_linearize`, which is violated, and unknown as far as a random schedule goes. Of memory, `three_unlabelled`
needs 10 GB, `three_further` 5.4 and `three_closing` 3.4.
"""

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, optional
from gomboc.spec.core.instance import NO_MESSAGE, Instance, instance_of
from gomboc.spec.core.pinned import read_models
from gomboc.spec.core.protocol import variant
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.small import (
    NO_SHORTCUTS,
    NOTHING,
    alone,
    anything,
    closure,
    first_labels,
    hearsay,
    in_order,
    never_configured,
    right_start,
    subscribers,
    supervisors,
)
from gomboc.spec.protocols.skip_ring.space import claims, nameable, names
from gomboc.spec.protocols.skip_ring.state import Claim, Supervisor


def ring(members: tuple[Domain, ...], supervisor: Domain, messages: Domain, in_flight: int, most: int) -> Instance:
    """A ring with nodes that start in those domains, and at most `in_flight` of those messages in flight at first."""
    states = dict(zip(nameable(names(len(members))), (supervisor, *members), strict=True))
    return instance_of(PROTOCOL, states, messages, in_flight, most)


def one(
    supervisor: Domain, shortcuts: int, in_flight: int, most: int, named: tuple[str, ...] | None = None
) -> Instance:
    """A ring of one: any label of four, up to `shortcuts` shortcuts without nodes, any messages in flight."""
    labels = first_labels(4)
    return ring((alone(labels, shortcuts),), supervisor, anything(1, labels, named), in_flight, most)


def two(labels: int, in_flight: int, most: int, closing: bool = True) -> Instance:
    """A ring of two: any tuples of the labels 0 and 1 in the database, any claims of `labels` labels at subscribers.

    Without `closing` no closing edge is stored at first.
    """
    known = first_labels(labels)
    members = tuple(_knowing(known, (other,), closing) for other in reversed(names(2)))
    return ring(members, supervisors(first_labels(2), names(2), 2), anything(2, known), in_flight, most)


def three(most: int, closing: bool = False, labelled: bool = True) -> Instance:
    """A ring of three, recorded by the supervisor: with their right labels, and any true claims on either side.

    With `closing` any true claim is stored as closing edge too. Unless they are `labelled`, some may lack their label.
    """
    members = names(3)
    right = {entry.node: entry.label for entry in in_order(members)}

    def subscriber(me: str) -> Domain:
        claim = optional(OneOf(tuple(Claim(right[node], node) for node in members if node != me)))
        label = OneOf((right[me],))
        slots = claim, claim, claim if closing else NOTHING
        return subscribers(label if labelled else optional(label), slots, NO_SHORTCUTS)

    known = OneOf((Supervisor(database=in_order(members)),))
    return ring(tuple(subscriber(me) for me in members), known, NO_MESSAGE, 0, most)


def _knowing(labels: tuple[str, ...], others: tuple[str, ...], closing: bool) -> Domain:
    claim = optional(claims(labels, others))
    return subscribers(optional(OneOf(labels)), (claim, claim, claim if closing else NOTHING), NO_SHORTCUTS)


def around_right(
    nodes: int, messages: Domain, most: int, coalesce: bool = True, printed: str | None = None
) -> Instance:
    """SR(nodes) with one of those messages in flight at first, by our rules or with one as printed."""
    starts = [dict(right_start(names(nodes), turn).locals) for turn in range(nodes)]
    states = {node: OneOf(tuple(dict.fromkeys(start[node] for start in starts))) for node in starts[0]}
    return replace(instance_of(variant(PROTOCOL, printed), states, messages, 1, most), coalesce=coalesce)


def disturbed(nodes: int, most: int, **budget: int) -> Instance:
    """SR(nodes) with a budget of commands from outside; commands that are owed come eventually."""
    return replace(around_right(nodes, NO_MESSAGE, most), in_flight=0, budget=tuple(sorted(budget.items())))


MODELS = read_models(
    __name__,
    {
        "two": two(labels=2, in_flight=0, most=2),
        "one": one(supervisors(first_labels(3), names(1), 3), shortcuts=3, in_flight=1, most=5),
        "two_hearsay": around_right(2, hearsay(2, first_labels(4)), most=10),
        "printed_linearize": around_right(
            2, hearsay(2, first_labels(4)), most=4, coalesce=False, printed="printed_linearize"
        ),
        "three_hearsay": around_right(3, hearsay(3, first_labels(6)), most=5),
        "printed_introduce_shortcut": around_right(
            3, hearsay(3, first_labels(6)), most=5, printed="printed_introduce_shortcut"
        ),
        "two_crash": disturbed(2, most=4, crash=1),
        "two_suspect": disturbed(2, most=3, suspect=1),
        "printed_partners": never_configured(),
        "closure": closure(6),
        "two_anything": around_right(2, anything(2, first_labels(2), nameable(names(2))), most=4),
        "one_supervisor_named": one(
            supervisors(first_labels(2), nameable(names(1)), 2), 0, in_flight=1, most=5, named=nameable(names(1))
        ),
        "two_suspect_further": disturbed(2, most=4, suspect=1),
        "two_crash_suspect": disturbed(2, most=3, crash=1, suspect=1),
        "two_three_in_flight": two(labels=2, in_flight=0, most=3),
        "two_false_label": two(labels=3, in_flight=0, most=2),
        "two_message": two(labels=2, in_flight=1, most=2, closing=False),
        "one_two_messages": one(supervisors(first_labels(2), names(1), 2), shortcuts=0, in_flight=2, most=6),
        "three": three(most=4),
        "three_further": three(most=5),
        "three_closing": three(most=4, closing=True),
        "three_unlabelled": three(most=4, labelled=False),
    },
)
