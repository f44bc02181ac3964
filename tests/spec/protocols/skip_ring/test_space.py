"""Starts of the skip ring, with and without publications."""

from random import Random

import pytest

from gomboc.spec.core.domain import Record, count, enumerate_values, sample
from gomboc.spec.core.network import begin, is_legitimate
from gomboc.spec.core.protocol import Size, Start, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.space import labels, names, roles
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, PublishNew, Subscriber, Supervisor
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.holdings import false_hashes, stores, universe
from gomboc.spec.publishing.publications import Parameters, is_valid, key_of
from tests.spec.protocols.skip_ring.reconciling import PUBLISHING, THREE_BITS
from tests.spec.protocols.skip_ring.starts import messages_in


def test_the_number_of_starts_of_one_subscriber_is_what_its_variables_multiply_to():
    known, node = 4, 1
    named = node + 1
    claim = 1 + known * named
    entry = 1 + named
    shortcuts = 1 + known * entry + 6 * entry**2 + 4 * entry**3
    database = 1 + known * entry + 6 * entry**2 + 4 * entry**3
    subscriber = (1 + known) * claim**3 * shortcuts
    assert count(PROTOCOL.starts.space(Size(1))) == database * 3 * subscriber == 334_884_375
    assert (
        count(messages_in(1))
        == named * (3 + 2 * known**2 + 2 * 2 * known + 2 + known + 1 + known) + (1 + known) * claim**2
    )


def test_every_message_of_a_small_ring_is_counted_once():
    domain = messages_in(2)
    values = list(enumerate_values(domain))
    assert len(values) == len(set(values)) == count(domain)


def test_the_labels_that_may_occur_are_those_of_the_ring_and_as_many_again():
    assert labels(1) == ("0", "1", "01", "11")
    assert set(map(label_of, range(4))) < set(labels(4))
    assert max(map(len, labels(4))) > max(len(label_of(index)) for index in range(4))


@pytest.mark.parametrize("nodes", range(9))
def test_the_legitimate_start_is_legitimate_with_nothing_in_flight(nodes):
    start = PROTOCOL.starts.start(nodes)
    assert start.in_flight == ()
    assert is_legitimate(PROTOCOL, begin(start, PROTOCOL.discipline))
    assert {node: local.label for node, local in start.locals if node != SUPERVISOR} == {
        f"v{index + 1}": label_of(index) for index in range(nodes)
    }


def test_the_supervisor_is_first_and_every_node_has_a_role():
    assert roles(2) == (("supervisor", "supervisor"), ("v1", "subscriber"), ("v2", "subscriber"))
    assert [type(local) for _, local in PROTOCOL.starts.start(1).locals] == [Supervisor, Subscriber]


def test_legitimate_starts_are_starts_of_the_space():
    start = PROTOCOL.starts.start(1)
    assert isinstance(start, Start)
    locals_, _ = PROTOCOL.starts.space(Size(1)).fields
    supervisor, subscriber = locals_.fields
    assert dict(start.locals)["supervisor"] in set(enumerate_values(supervisor))
    assert dict(start.locals)["v1"] in set(enumerate_values(subscriber))


LONG = configured(PROTOCOL, {"key_bits": 64})


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
