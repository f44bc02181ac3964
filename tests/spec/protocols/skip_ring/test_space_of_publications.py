"""The arbitrary starts of a ring that publishes."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.testing.strategies import strategy
from gomboc.spec.core.domain import Record, count, enumerate_values, sample
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    CheckAndPublish,
    CheckTrie,
    Publish,
    PublishNew,
    Subscriber,
)
from gomboc.spec.publishing.holdings import false_hashes, stores, universe
from gomboc.spec.publishing.publications import Parameters, is_valid, key_of
from tests.spec.protocols.skip_ring.reconciling import PUBLISHING, THREE_BITS
from tests.spec.protocols.skip_ring.starts import EXAMPLES

LONG = configured(PROTOCOL, {"key_bits": 64})
sizes = st.builds(Size, st.integers(1, 4), st.integers(0, 3), st.integers(0, 9))


@given(sizes, st.integers(0, 10**6))
@EXAMPLES
def test_every_start_that_is_sampled_is_well_formed(size, seed):
    start = sample(PUBLISHING.starts.space(size), Random(seed))
    values = [local for _, local in start.locals] + [message for _, message in start.in_flight]
    assert [node for node, _ in start.locals] == [SUPERVISOR, *names(size.nodes)]
    assert not any(map(PUBLISHING.naming.malformed, values))


@pytest.mark.parametrize("size", [Size(2, 1, 3), Size(3, 2, 12)])
def test_every_start_that_is_drawn_is_well_formed(size):
    @given(strategy(PUBLISHING.starts.space(size)))
    @EXAMPLES
    def is_well_formed(start):
        assert not any(PUBLISHING.naming.malformed(local) for _, local in start.locals)
        assert not any(PUBLISHING.naming.malformed(message) for _, message in start.in_flight)

    is_well_formed()


def published_in(message):
    """The publications in a message."""
    match message:
        case Publish(publications):
            return publications
        case PublishNew(_, publication):
            return (publication,)
    return ()


def test_every_kind_of_message_is_in_flight_at_times_and_every_kind_of_falsehood_stored():
    starts = [sample(LONG.starts.space(Size(6, 12, 8)), Random(seed)) for seed in range(150)]
    messages = [message for start in starts for _, message in start.in_flight]
    assert {type(message) for message in messages} == set(PROTOCOL.vocabulary.message.__args__)
    stored = [u for start in starts for _, u in start.locals if isinstance(u, Subscriber)]
    held = [publication for u in stored for publication in u.publications]
    assert {is_valid(publication, Parameters(64)) for publication in held} == {True, False}
    assert {publication.signer == publication.publisher for publication in held} == {True, False}
    assert (
        {SUPERVISOR, *names(6)}
        == {publication.signer for publication in held}
        == {publication.publisher for publication in held}
    )
    in_messages = [publication for message in messages for publication in published_in(message)]
    assert (
        {SUPERVISOR, *names(6)}
        == {publication.signer for publication in in_messages}
        == {publication.publisher for publication in in_messages}
    )
    assert {bool(u.hashes) for u in stored} == {u.wants for u in stored} == {True, False}
    assert {len(u.publications) for u in stored} == set(range(9))
    assert {type(publication) for publication in messages} >= {CheckTrie, CheckAndPublish, Publish, PublishNew}


def test_at_most_a_fourth_of_the_applications_want_to_leave_at_first():
    starts = [sample(LONG.starts.space(Size(8, 0, 1)), Random(seed)) for seed in range(100)]
    leaving = [sum(isinstance(u, Subscriber) and not u.wants for _, u in start.locals) for start in starts]
    assert {*leaving} == {0, 1, 2}


@pytest.mark.parametrize("wanted", [0, 1, 5, 8, 9])
def test_the_publications_are_valid_have_keys_of_their_own_and_are_as_many_as_wanted(wanted):
    publications = universe(names(3), wanted, THREE_BITS)
    assert len({publication.key for publication in publications}) == len(publications) == min(wanted, 8)
    assert len({(publication.publisher, publication.number) for publication in publications}) == len(publications)
    assert all(is_valid(publication, THREE_BITS) for publication in publications)
    assert publications == universe(names(3), 8, THREE_BITS)[:wanted]


def test_what_a_subscriber_may_store_is_counted_once():
    domain = stores(universe(names(2), 2, THREE_BITS), names(2), (SUPERVISOR,))
    values = list(enumerate_values(domain))
    assert len(values) == len(set(values)) == count(domain) == 1 + 2 * 9 + 9 * 9
    hashes = false_hashes(universe(names(2), 2, THREE_BITS))
    assert len(set(enumerate_values(hashes))) == count(hashes)


@pytest.mark.parametrize("wanted", [1, 4, 7, 8])
def test_no_two_that_are_genuine_have_one_right_key_also_not_one_of_the_supervisors(wanted):
    domain = stores(universe(names(3), wanted, THREE_BITS), names(3), (SUPERVISOR,))
    drawn = [publication for seed in range(60) for publication in sample(domain, Random(seed))]
    genuine = {
        (publication.publisher, publication.number)
        for publication in drawn
        if publication.signer == publication.publisher
    }
    assert len({key_of(*publication, "", 3) for publication in genuine}) == len(genuine)
    assert (SUPERVISOR in {publisher for publisher, _ in genuine}) == (wanted < 8)


def test_without_publications_the_starts_are_those_of_the_ring():
    for size in (Size(2, 1), Size(3, 0)):
        assert count(PUBLISHING.starts.space(size)) == count(PROTOCOL.starts.space(size))
        assert sample(PUBLISHING.starts.space(size), Random(1)) == sample(PROTOCOL.starts.space(size), Random(1))


def test_with_publications_there_are_as_many_starts_as_its_parts_multiply_to():
    size = Size(2, 1, 2)
    with_them, without = PUBLISHING.starts.space(size), PROTOCOL.starts.space(size)
    assert isinstance(with_them, Record)
    valid = universe(names(2), 2, THREE_BITS)
    more = count(stores(valid, names(2), (SUPERVISOR,))) * count(false_hashes(valid))
    plain = count(without.fields[0])
    assert count(with_them.fields[0]) == plain * more**2
    assert count(with_them) == plain * more**2 * 3 * count(with_them.fields[2])
