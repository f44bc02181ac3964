import pytest
from msgspec import Raw

from gomboc.impl.publishing.publication import Numbers, Publication, PublicationId, handed_over, held
from tests.impl.refusing import refusing

ONE = ("01", "ann", 7, "text", "ann")


def test_a_publication_is_known_by_publisher_and_number():
    assert Publication(*ONE).id == PublicationId("ann", 7)


@pytest.mark.parametrize("content", [ONE, list(ONE), Publication(*ONE)])
def test_whatever_form_a_core_gives_it_a_publication_is_read(content):
    assert handed_over(content) == Publication(*ONE)


def test_what_is_held_ascends_by_number_and_then_by_publisher():
    state = Raw(b'{"wants":true,"publications":[["0","b",2,"","b"],["1","a",2,"","a"],["10","b",1,"","b"]]}')
    assert [publication.id for publication in held(state)] == [
        PublicationId("b", 1),
        PublicationId("a", 2),
        PublicationId("b", 2),
    ]


def test_a_state_without_publications_holds_none():
    assert held(Raw(b'{"wants":true}')) == ()


def test_numbers_ascend_and_no_incarnation_gives_out_those_of_another():
    drawn = [numbers.next() for numbers in map(Numbers, (0, 1, 2)) for _ in range(3)]
    assert drawn == sorted(set(drawn))
    assert drawn[3] == 2**32


def test_the_last_number_is_one_that_every_language_can_read():
    numbers = Numbers(2**21 - 1)
    numbers.given = 2**32 - 1
    assert numbers.next() == 2**53 - 1
    assert numbers.next() is None


@pytest.mark.parametrize("incarnation", [-1, 2**21])
def test_an_incarnation_out_of_range_is_refused(incarnation):
    with refusing(f"An incarnation is from 0 to 2097151, not {incarnation}."):
        Numbers(incarnation)
