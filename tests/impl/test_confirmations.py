from gomboc.impl.confirmations import Confirmations
from gomboc.impl.publication import Publication, PublicationId


def publication(key, number):
    return Publication(key, "ann", number, "x", "ann")


ONE, TWO = PublicationId("ann", 1), PublicationId("ann", 2)


def test_what_is_held_is_open_until_another_member_holds_its_part_of_the_trie():
    there = Confirmations()
    there.add(publication("0101", 1))
    there.add(publication("0110", 2))
    there.confirm("011")
    assert there.open({"0101", "0110"}) == (ONE,)
    there.confirm("")
    assert there.open({"0101", "0110"}) == ()


def test_a_node_that_waits_is_called_once():
    there, confirmed = Confirmations(), []
    there.add(publication("0101", 1))
    there.expect(ONE, confirmed.append)
    there.confirm("1")
    assert confirmed == []
    there.confirm("0")
    there.confirm("0")
    assert confirmed == [ONE]


def test_what_is_held_no_more_is_not_open():
    there = Confirmations()
    there.add(publication("0101", 1))
    there.add(publication("0110", 2))
    assert there.open({"0110"}) == (TWO,)
    assert len(there) == 1
