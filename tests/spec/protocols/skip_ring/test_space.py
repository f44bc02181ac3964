from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomboc.checker.testing.strategies import strategy
from gomboc.spec.core.domain import count, enumerate_values, sample
from gomboc.spec.core.network import begin, is_legitimate
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.space import bound, labels, names, roles
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Subscriber, Supervisor
from gomboc.spec.protocols.skip_ring.wellformed import FIELDS
from tests.sampling import share
from tests.spec.protocols.skip_ring.starts import EXAMPLES, messages_in

sizes = st.builds(Size, st.integers(1, 4), st.integers(0, 3))


def is_well_formed(start, size):
    """Whether a start has the nodes that its size says, canonical values, and messages to its own nodes."""
    nodes = [node for node, _ in start.locals]
    values = [local for _, local in start.locals] + [message for _, message in start.in_flight]
    return (
        nodes == [SUPERVISOR, *names(size.nodes)] == [node for node, _ in start.roles]
        and len(start.in_flight) <= size.messages
        and {target for target, _ in start.in_flight} <= set(nodes)
        and not any(map(partial(FIELDS.malformed, None), values))
    )


@given(st.data(), sizes)
@settings(EXAMPLES, max_examples=share(40))
def test_every_start_that_is_drawn_is_well_formed(data, size):
    assert is_well_formed(data.draw(strategy(PROTOCOL.starts.space(size))), size)


@given(sizes, st.integers(0, 10**6))
@EXAMPLES
def test_every_start_that_is_sampled_is_well_formed(size, seed):
    assert is_well_formed(sample(PROTOCOL.starts.space(size), Random(seed)), size)


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


def test_larger_rings_are_given_more_rounds():
    assert [bound(nodes) for nodes in (1, 8, 32)] == [120, 260, 740]
