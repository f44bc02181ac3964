"""Small skip rings that are explored completely: the starts and expected results of each.

The claims are settled for any number of messages in flight, crashes and suspicions, but for convergence of
`printed_linearize`, which is violated, and unknown as far as a random schedule goes. The records were made by
`gomboc explore skip_ring --recorded --exhaustive`, for which `three_unlabelled` needs 10 GB of memory, `three_further`
5.4 and `three_closing` 3.4.
"""

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, optional
from gomboc.spec.core.instance import NO_MESSAGE, Instance, instance_of
from gomboc.spec.core.pinned import HOLDS, UNKNOWN, VIOLATED, Pinned, Results
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


ALL_HOLD = (HOLDS,) * 5
"""Closure, convergence twice (AG EF, and in every fair run), not vacuous, canonical."""

NO_FAIR_CONVERGENCE = (HOLDS, UNKNOWN, VIOLATED, HOLDS, HOLDS)
"""Some run has more than `most` messages in flight, and before that a fair run never becomes legitimate."""

MODELS: tuple[Pinned, ...] = (
    Pinned(
        "two",
        "n = 2, with any database, labels, neighbours and closing edges out of the labels 0 and 1",
        two(labels=2, in_flight=0, most=2),
        Results(209_952, 1_135_194, 6_624_518, 168, ALL_HOLD, 1_076_326),
    ),
    Pinned(
        "one",
        "n = 1, with any database, label and empty shortcuts, and any message in flight; no run comes to the bound",
        one(supervisors(first_labels(3), names(1), 3), shortcuts=3, in_flight=1, most=5),
        Results(1_142_100, 1_252_678, 4_829_456, 264, ALL_HOLD),
    ),
    Pinned(
        "two_hearsay",
        "SR(2) and any Linearize in flight; no run comes to the bound",
        around_right(2, hearsay(2, first_labels(4)), most=10),
        Results(34, 10_752, 107_008, 4_608, ALL_HOLD),
    ),
    Pinned(
        "printed_linearize",
        "the same with the printed Linearize, which is meant to fail: a fair run that never becomes legitimate",
        around_right(2, hearsay(2, first_labels(4)), most=4, coalesce=False, printed="printed_linearize"),
        Results(34, 15_801, 130_826, 1_602, NO_FAIR_CONVERGENCE, 15_591),
        "printed_linearize",
    ),
    Pinned(
        "three_hearsay",
        "SR(3) and any Linearize in flight",
        around_right(3, hearsay(3, first_labels(6)), most=5),
        Results(165, 137_304, 1_548_663, 48_744, ALL_HOLD, 137_256),
    ),
    Pinned(
        "printed_introduce_shortcut",
        "the same with the printed IntroduceShortcut, which costs messages only",
        around_right(3, hearsay(3, first_labels(6)), most=5, printed="printed_introduce_shortcut"),
        Results(165, 196_257, 2_220_075, 67_332, ALL_HOLD, 196_209),
        "printed_introduce_shortcut",
    ),
    Pinned(
        "two_crash",
        "SR(2), of which one crashes at any time, and is suspected in the end",
        disturbed(2, most=4, crash=1),
        Results(2, 12_209, 92_249, 1_890, ALL_HOLD, 7_901),
    ),
    Pinned(
        "two_suspect",
        "SR(2), of which one is suspected once though it is there, and trusted again in the end",
        disturbed(2, most=3, suspect=1),
        Results(2, 23_598, 172_425, 788, ALL_HOLD, 21_288),
    ),
    Pinned(
        "printed_partners",
        "SR(9) but for one shortcut, with the printed partners: no node ever introduces it",
        never_configured(),
        Results(9, 18, 1_007, 9, (HOLDS,)),
        "printed_partners",
    ),
    Pinned(
        "closure",
        "every legitimate state of up to six members",
        closure(6),
        Results(5_039, 10_951, 442_432, 5_039, (HOLDS,)),
    ),
    Pinned(
        "two_anything",
        "SR(2) and any message in flight, with the labels 0 and 1, which may name the supervisor too",
        around_right(2, anything(2, first_labels(2), nameable(names(2))), most=4),
        Results(884, 342_911, 2_835_196, 8_336, ALL_HOLD, 317_264),
    ),
    Pinned(
        "one_supervisor_named",
        "n = 1, with any database of two labels, any label, and any message, all of which may name the supervisor",
        one(supervisors(first_labels(2), nameable(names(1)), 2), 0, in_flight=1, most=5, named=nameable(names(1))),
        Results(84_800, 211_412, 938_174, 256, ALL_HOLD),
    ),
    Pinned(
        "two_suspect_further",
        "as `two_suspect`, with up to four messages in flight",
        disturbed(2, most=4, suspect=1),
        Results(2, 326_230, 2_711_700, 2_762, ALL_HOLD, 294_290),
        long=True,
    ),
    Pinned(
        "two_crash_suspect",
        "as `two_suspect`, and one crashes at any time",
        disturbed(2, most=3, crash=1, suspect=1),
        Results(2, 220_912, 1_578_539, 14_671, ALL_HOLD, 175_331),
        long=True,
    ),
    Pinned(
        "two_three_in_flight",
        "as `two`, with up to three messages in flight",
        two(labels=2, in_flight=0, most=3),
        Results(209_952, 3_655_412, 24_956_710, 1_648, ALL_HOLD, 3_292_140),
        long=True,
    ),
    Pinned(
        "two_false_label",
        "as `two`, and the nodes and neighbours may have the false label 01 too",
        two(labels=3, in_flight=0, most=2),
        Results(2_097_152, 10_780_128, 64_195_840, 168, ALL_HOLD, 10_434_292),
        long=True,
    ),
    Pinned(
        "two_message",
        "n = 2, with any message in flight, and anything but a closing edge out of the labels 0 and 1",
        two(labels=2, in_flight=1, most=2, closing=False),
        Results(5_808_672, 12_173_593, 71_489_728, 376, ALL_HOLD, 12_086_001),
        long=True,
    ),
    Pinned(
        "one_two_messages",
        "n = 1, with any database of two labels, any label, and any two messages in flight",
        one(supervisors(first_labels(2), names(1), 2), shortcuts=0, in_flight=2, most=6),
        Results(1_582_110, 4_486_988, 24_683_738, 896, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "three",
        "n = 3, recorded and with their right labels, and any true claims on either side",
        three(most=4),
        Results(729, 3_418_826, 35_814_417, 18_822, ALL_HOLD, 3_393_803),
        long=True,
    ),
    Pinned(
        "three_further",
        "as `three`, with up to five messages in flight",
        three(most=5),
        Results(729, 21_393_407, 244_325_703, 318_511, ALL_HOLD, 21_211_823),
        long=True,
    ),
    Pinned(
        "three_closing",
        "as `three`, and any true claim is stored as closing edge too",
        three(most=4, closing=True),
        Results(19_683, 14_748_304, 154_481_022, 24_436, ALL_HOLD, 14_583_845),
        long=True,
    ),
    Pinned(
        "three_unlabelled",
        "as `three`, and some may lack their label",
        three(most=4, labelled=False),
        Results(5_832, 42_704_997, 425_409_186, 28_711, ALL_HOLD, 41_861_114),
        long=True,
    ),
)
