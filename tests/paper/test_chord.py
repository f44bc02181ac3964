"""Facts about Chord that its claims rest on; the claims themselves are in `test_claims.py`, once.

Source: Stoica et al. 2003; Zave 2012 and 2017; a report on a publish-subscribe system, Section 2.2
"""

from gomboc.spec.protocols.chord import PROTOCOL
from gomboc.spec.protocols.chord.errata import VARIANTS
from gomboc.spec.protocols.chord.legitimacy import anchor, right, right_state
from gomboc.spec.protocols.chord.names import Circle, between, within
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import names_of
from gomboc.spec.protocols.chord.state import Node


def test_the_variants_are_those_of_the_rules():
    """Source: our reading."""
    assert [erratum.name for erratum in PROTOCOL.variants.errata] == [*VARIANTS]


SMALL = Parameters(bits=5, ids="number", r=3)


def ideal(nodes):
    return anchor(SMALL, dict.fromkeys(names_of(SMALL.circle, nodes), True))


def test_between_a_node_and_itself_lies_every_node_else():
    """Source: Section 2.2.3, "successor <- myself"; Zave 2017, between."""
    assert all(between(at, point, at) == (point != at) for at in range(8) for point in range(8))
    assert all(within(at, point, at) for at in range(8) for point in range(8))


def test_in_an_ideal_ring_of_more_than_r_each_node_is_in_r_lists():
    """Source: Stoica et al. 2003, Section IV-E.3."""
    for nodes in (4, 5, 9):
        members = ideal(nodes)
        listed = [name for me in members for name in right(SMALL, members, me).successors]
        assert all(listed.count(name) == SMALL.r for name in members)


def test_a_join_changes_the_lists_of_r_members_and_one_predecessor():
    """Source: Stoica et al. 2003, Section IV-E.1."""
    names = names_of(SMALL.circle, 8)
    before, after = (anchor(SMALL, {name: name != gone for name in names}) for gone in (names[3], None))
    states = [(right_state(SMALL, before, me), right_state(SMALL, after, me)) for me in before]
    assert sum(old.successors != new.successors for old, new in states) == SMALL.r
    assert sum(old.predecessor != new.predecessor for old, new in states) == 1


def test_a_lone_member_owns_every_key_and_needs_no_finger():
    """Source: Stoica et al. 2003, Section IV-B."""
    (alone,) = ideal(1)
    assert right_state(SMALL, (alone,), alone) == Node("inside")


def test_fingers_point_beyond_the_head_and_never_to_their_owner():
    """Source: Section 2.2.3, "next not in (myself, successor]"."""
    for nodes in (2, 3, 5, 9):
        members = ideal(nodes)
        for me in members:
            mine = right(SMALL, members, me)
            assert me not in mine.fingers.values()
            assert all(finger >= SMALL.circle.first_finger(me, mine.successors[0]) for finger in mine.fingers)


def test_ids_are_sha_256_of_names():
    """Source: Section 2.1, "applying a HASH function (SHA-256)"."""
    assert Circle().id_of("abc") == 0xBA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD
