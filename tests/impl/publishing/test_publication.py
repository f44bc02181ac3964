import pytest
from msgspec import Raw

from gomboc.impl.publishing.publication import Publication, PublicationId, handed_over, held

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
