from gomboc.impl.core.automaton import HeldElsewhere
from gomboc.impl.publishing.confirmations import Confirmations
from gomboc.impl.publishing.publication import Publication, PublicationId


def publication(key, number):
    return Publication(key, "ann", number, "x", "ann")


def holding(*keys):
    """Confirmations of publications that are held under these keys, numbered from 1."""
    there = Confirmations("news")
    for number, key in enumerate(keys, 1):
        there.add(publication(key, number), lambda: keys)
    return there


ONE, TWO = PublicationId("ann", 1), PublicationId("ann", 2)


def held(*prefixes, by="ben"):
    return HeldElsewhere(by, prefixes)


def test_what_is_held_is_open_until_another_member_holds_its_part_of_the_trie():
    there = holding("0101", "0110")
    there.confirm(held("011"))
    assert there.open({"0101", "0110"}) == (ONE,)
    there.confirm(held(""))
    assert there.open({"0101", "0110"}) == ()


def test_a_node_that_waits_is_called_once():
    there, confirmed = Confirmations("news"), []
    there.expect(ONE, "0101", confirmed.append)
    there.confirm(held("1"))
    assert confirmed == []
    there.confirm(held("0"))
    there.confirm(held("0"))
    assert confirmed == [ONE]


def test_a_member_may_name_what_it_holds_by_ids_and_by_whole_keys():
    there = holding("0101", "0110", "0111")
    there.confirm(HeldElsewhere("ben", ids=(("sport", "ann", 1), ("news", "ann", 2), ("news", "bob", 3))))
    assert there.open({"0101", "0110", "0111"}) == (ONE, PublicationId("ann", 3))
    there.confirm(held("0000", "0101"))
    assert there.open({"0101", "0110", "0111"}) == (PublicationId("ann", 3),)


def test_what_is_held_no_more_is_not_open():
    there = holding("0101", "0110")
    assert there.open({"0110"}) == (TWO,)
    assert len(there) == 1


def test_what_is_held_no_more_does_not_pile_up():
    there, keys = Confirmations("news"), [f"{number:016b}" for number in range(1_000)]
    for number, key in enumerate(keys):
        there.add(publication(key, number), lambda number=number: keys[number - 1 : number + 1])
        assert len(there) <= 65
    assert there.open(keys[-2:]) == (PublicationId("ann", 998), PublicationId("ann", 999))


def test_copies_are_members_and_each_counts_once():
    there = Confirmations("news")
    copies = there.watch(ONE, "0101")
    for holder in (held("011"), HeldElsewhere("ben", ids=(("sport", "ann", 1), ("news", "ann", 2)))):
        there.confirm(holder)
    assert len(copies) == 0
    for holder in (
        held("01"),
        held("0101"),
        held("1", "01", by="cai"),
        HeldElsewhere("dan", ids=(("news", "ann", 1),)),
    ):
        there.confirm(holder)
    assert len(copies) == 3
    there.release(copies)
    there.confirm(held("", by="eve"))
    assert len(copies) == 3


def test_a_holder_without_a_name_may_be_any_of_the_others():
    copies = Confirmations("news").watch(ONE, "0101")
    copies.hear(held("", by=None))
    copies.hear(held("", by=None))
    assert len(copies) == 1
    copies.hear(held("", by="ben"))
    assert len(copies) == 1
