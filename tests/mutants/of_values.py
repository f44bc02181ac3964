"""Killers that look at values: labels, the ring that a database implies, legitimacy and malformed values.

A killer yields a sentence for each thing that it sees wrong; a specification without a sentence survives it.
"""

from fractions import Fraction
from itertools import product
from random import Random

from msgspec.structs import replace

from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size, legitimacy_faults
from gomboc.spec.protocols.skip_ring import PROTOCOL, labels
from gomboc.spec.protocols.skip_ring.legitimacy import anchor_faults, node_faults, ring_of
from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    Linearize,
    SetData,
    Subscriber,
    Supervisor,
)
from gomboc.spec.protocols.skip_ring.wellformed import FIELDS
from tests.mutants import reference_model

SIZES = (*range(1, 21), 31, 32, 33)


def labels_are_those_of_section_2_1():
    """l, its inverse, and the order and the distances of the labels are those of the numbers r."""
    for index in (*range(300), 2**63, 2**64 - 1):
        bits = reference_model.label(index)
        if (labels.label_of(index), labels.index_of(bits)) != (bits, index):
            yield f"l({index}) is {labels.label_of(index)}, not {bits}, or does not lead back"
        if Fraction(labels.position(bits), labels.CIRCLE) != reference_model.number(bits) or not labels.is_canonical(
            bits
        ):
            yield f"{bits} is not at {reference_model.number(bits)}, or no label"
        if labels.label_at(labels.position(bits)) != bits:
            yield f"another label than {bits} stands where it stands"
    for one, other in product(map(reference_model.label, range(40)), repeat=2):
        way = reference_model.number(other) - reference_model.number(one)
        distances = labels.distance(one, other), labels.clockwise(one, other)
        if distances != (abs(way) * labels.CIRCLE, way % 1 * labels.CIRCLE):
            yield f"from {one} to {other} it is {way}, not {distances}"


def canonical_is_what_section_2_1_gives_out():
    """A value is malformed if and only if a label in it is no l(x), or a table is not ordered."""
    given_out = {reference_model.label(index) for index in range(64)} | {"0" * 63 + "1"}
    strings = ["".join(bits) for size in range(5) for bits in product("01", repeat=size)]
    for bits in (*strings, "0" * 63 + "1", "0" * 64 + "1", "2", "x1"):
        for value in (Subscriber(bits), Linearize(Claim(bits, "a")), Supervisor((Entry(bits, "a"),))):
            if bool(FIELDS.malformed(None, value)) == (bits in given_out):
                yield f"of {value} it is not said rightly whether it is malformed"
    for order in (("1", "0"), ("0", "0")):
        if not FIELDS.malformed(None, Supervisor(tuple(Entry(bits, "a") for bits in order))):
            yield f"a database with the labels {order} is not called malformed"
    if not FIELDS.malformed(None, Supervisor((), -1)):
        yield "a negative next is not called malformed"


def the_ring_is_definition_2():
    """A database implies the graph of Definition 2: every variable of every node, and every configuration."""
    for nodes in SIZES:
        names = [f"v{number}" for number in range(nodes)]
        database, start = reference_model.database_of(names), PROTOCOL.start(nodes)
        ring = ring_of(database)
        for name, right in reference_model.right_states(database).items():
            if ring.nodes.get(name) != right:
                yield f"for n = {nodes}, {name} should be {right}, and is {ring.nodes.get(name)}"
            if ring.configurations[name] != reference_model.configurations(database)[name]:
                yield f"for n = {nodes}, the configuration of {name} is {ring.configurations[name]}"
        if not reference_model.is_legitimate(dict(start.locals), start.in_flight):
            yield f"the start of n = {nodes} is not legitimate"
        edges = {frozenset((u.label, label)) for u in ring.nodes.values() for label in _labels_stored(u)}
        if edges != reference_model.skip_ring(nodes):
            yield f"for n = {nodes}, {len(edges)} edges are stored, which are not those of Definition 2"


def _labels_stored(u):
    return {claim.label for claim in reference_model.slots(u)} | {entry.label for entry in u.shortcuts}


def legitimate_is_the_right_ring_and_no_false_message():
    """A state has no fault if and only if it is the ring of Definition 2 and every message is harmless."""
    for nodes in range(5):
        names = [f"v{number}" for number in range(1, nodes + 1)]
        for states, in_flight in _around_a_right_ring(names, Random(nodes)):
            faults = legitimacy_faults(PROTOCOL, states, in_flight)
            if reference_model.is_legitimate(states, in_flight) == bool(faults):
                yield f"for n = {nodes}, {in_flight or states} has {len(faults)} faults, which is wrong"


def _around_a_right_ring(names, random):
    """Right rings, right rings with one thing wrong, and messages of every kind in one; and there is an outsider."""
    outsider = f"v{len(names) + 1}"
    right = reference_model.world_of(names, (outsider,))
    database = right[SUPERVISOR].database
    yield right, ()
    for target in right:
        yield from (
            (right, ((target, message),))
            for message in reference_model.harmless_messages(database, target, (outsider,))
        )
    domain = PROTOCOL.space(Size(len(names) + 1, 3))
    for _ in range(250):
        start = sample(domain, random)
        altered = dict(start.locals)
        yield right, start.in_flight[:1]
        for node in (*names, outsider):
            for field in Subscriber.__struct_fields__:
                yield {**right, node: replace(right[node], **{field: getattr(altered[node], field)})}, ()
            yield {**right, node: reference_model.OUTSIDE}, ()
            yield {**right, node: replace(right[node], wants=not right[node].wants)}, ()
        yield {**right, SUPERVISOR: altered[SUPERVISOR]}, ()


def each_fault_has_its_name():
    """A fault of a database is named (i) to (iv), and a fault of a node by its variable.

    Source: Section 3.1; Definition 2
    """
    for database, rules in (
        ((Entry("0", "a"), Entry("1", None)), {"no_empty_tuple"}),
        ((Entry("0", "a"), Entry("1", "a")), {"one_label_each"}),
        ((Entry("0", "a"), Entry("01", "b")), {"no_label_missing", "no_label_beyond"}),
        ((Entry("11", "a"),), {"no_label_missing", "no_label_beyond"}),
    ):
        named = {fault.rule for fault in anchor_faults(database)}
        if named != rules:
            yield f"{database} is said to be wrong by {sorted(named)}, not by {sorted(rules)}"
    database = reference_model.database_of(["a", "b", "c"])
    right = reference_model.right_states(database)["c"]
    ring = "label", "left", "right", "ring", "shortcuts", "wants", "crashed"
    for field in ring:
        wrong = {
            "label": "11",
            "ring": Claim("11", "a"),
            "shortcuts": (Entry("0", None),),
            "wants": False,
            "crashed": True,
        }
        faults = node_faults(database, "c", replace(right, **{field: wrong.get(field)}))
        if len(faults) != 1:
            yield f"a wrong {field} is {len(faults)} faults"


def configurations_and_checks_are_told_from_false_ones():
    """A configuration must be the receiver's, and a check name the label that its receiver has.

    Source: Theorem 13, with messages in flight
    """
    states = reference_model.world_of(["a", "b", "c"])
    for message in (
        SetData(Claim("0", "a"), "01", None),
        SetData(None, None, None),
        Check(Claim("1", "b"), "11", CYCLE),
        Check(Claim("11", "b"), "01", CYCLE),
    ):
        if not legitimacy_faults(PROTOCOL, states, (("c", message),)):
            yield f"{message} to c is not called false"
