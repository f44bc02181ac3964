"""The rules of Algorithm 5, one by one, and properties of each from any state."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.testing.strategies import strategy
from gomboc.spec.core.model import CERTAIN, Commanded, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.agreement import missing
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS
from gomboc.spec.protocols.skip_ring.state import FIELDS, SUPERVISOR, Claim, Entry, PublishRequest, Subscriber
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import is_valid, right_set
from gomboc.spec.publishing.trie import EMPTY_HASH, Summary, hash_of_children, summary
from tests.sampling import share
from tests.spec.protocols.skip_ring.reconciling import EVERY, PUBLISHING, THREE_BITS, holding
from tests.spec.protocols.skip_ring.starts import EXAMPLES, inputs

B, C, D = Claim("01", "b"), Claim("11", "c"), Entry("101", "d")
U = Subscriber("1", left=B, right=C, shortcuts=(Entry("0", "b"), D, Entry("111", None)))
FALSE_HASH = "0" * 32
FEWER = settings(EXAMPLES, max_examples=share(60))

SIZE = Size(3, 2, 4)
_locals, _, _channel = PUBLISHING.starts.space(SIZE).fields
subscribers = strategy(_locals.fields[1])
messages = strategy(_channel.elements.fields[1]).filter(lambda message: isinstance(message, OF_PUBLICATIONS))
VALID = universe(("v1", "v2", "v3"), 4, THREE_BITS)
requests = st.builds(PublishRequest, st.integers(0, 3), st.sampled_from(["", "more"]))
every_input = st.one_of(inputs, st.builds(Received, messages), st.builds(Commanded, requests))
wishes = st.booleans()


def outcomes(local, taken, protocol=PUBLISHING, me="v1"):
    """The outcome of a step for each fall of its coins."""
    return [protocol.actor.react(me, local, taken, choice) for choice in protocol.actor.choices(me, local, taken)]


def heard(u, message, me="u", protocol=PUBLISHING):
    """The outcome of a message at a subscriber."""
    (outcome,) = outcomes(u, Received(message), protocol, me)
    return outcome


def keys(publications):
    return tuple(publication.key for publication in publications)


# The timeout


def test_the_coin_names_each_ring_neighbour_once_with_equal_chances():
    u = Subscriber("1", left=B, right=Claim("11", "u"), ring=Claim("0", "a"))
    chances = {choice.name: choice.probability for choice in PUBLISHING.actor.choices("u", u, Timeout())}
    plain = {choice.name: choice.probability for choice in PROTOCOL.actor.choices("u", u, Timeout())}
    assert chances == {f"{name} {node}": chance / 2 for name, chance in plain.items() for node in ("b", "a")}
    assert sum(chances.values()) == Fraction(1)
    twice = Subscriber("0", right=Claim("1", "b"), ring=Claim("1", "b"))
    assert [choice.name for choice in PUBLISHING.actor.choices("u", twice, Timeout())] == ["ask b", "silent b"]


@pytest.mark.parametrize(
    "u",
    [
        Subscriber("1"),
        Subscriber(None),
        Subscriber("1", wants=False),
        Subscriber("1", crashed=True),
        Subscriber("1", left=Claim("0", "supervisor")),
    ],
)
def test_one_without_a_neighbour_or_a_label_tosses_the_coin_of_the_ring_and_sends_no_trie(u):
    assert PUBLISHING.actor.choices("u", u, Timeout()) == PROTOCOL.actor.choices("u", u, Timeout())
    sent = [send.message for outcome in outcomes(u, Timeout(), me="u") for send in outcome.sends]
    assert not [message for message in sent if isinstance(message, CheckTrie)]


@given(subscribers)
@FEWER
def test_after_a_timeout_a_trie_is_right_with_or_without_a_label(u):
    for outcome in outcomes(u, Timeout()):
        assert outcome.local.hashes == ()
        assert outcome.local.publications == right_set(u.publications, THREE_BITS)


@given(subscribers)
@FEWER
def test_a_timeout_does_to_the_ring_what_it_does_without_publications(u):
    plain = {choice.name: choice for choice in PROTOCOL.actor.choices("v1", u, Timeout())}
    for choice in PUBLISHING.actor.choices("v1", u, Timeout()):
        fallen = plain[choice.name.partition(" ")[0]]
        without = PROTOCOL.actor.react("v1", replace(u, publications=(), hashes=()), Timeout(), fallen)
        outcome = PUBLISHING.actor.react("v1", u, Timeout(), choice)
        assert replace(outcome.local, publications=(), hashes=()) == without.local
        assert [send for send in outcome.sends if not isinstance(send.message, CheckTrie)] == list(without.sends)


# CheckTrie


def asked(u, prefix, hash_=FALSE_HASH):
    """The answer to a check of one node."""
    outcome = heard(u, CheckTrie("b", (Summary(prefix, hash_),)))
    assert outcome.local == u
    assert {send.target for send in outcome.sends} <= {"b"}
    return [send.message for send in outcome.sends]


HOLDS = replace(U, publications=holding({"000", "010", "100", "101"}))


def held(label):
    return summary(keys(HOLDS.publications), label, hash_of_children)


def test_a_false_hash_is_believed_until_the_next_audit_but_only_where_there_is_a_node():
    false = replace(HOLDS, hashes=(Summary("0", FALSE_HASH), Summary("01", FALSE_HASH), Summary("1", FALSE_HASH)))
    assert asked(false, "0") == []
    assert asked(false, "0", held("0").hash) == [CheckTrie("u", (held("000"), held("010")))]
    assert asked(false, "") == [CheckTrie("u", (Summary("0", FALSE_HASH), held("10")))]
    assert asked(false, "1") == [CheckAndPublish("u", (held("10"),), "11")]
    assert asked(replace(U, hashes=(Summary("", FALSE_HASH),)), "", EMPTY_HASH) == []


# CheckAndPublish and Publish


@pytest.mark.parametrize(("chunk", "sizes"), [(1, [1] * 8), (3, [3, 3, 2]), (4, [4, 4]), (9, [8])])
def test_an_answer_is_one_chunk_of_the_publications_any_with_the_same_chance(chunk, sizes):
    protocol = configured(PROTOCOL, {"key_bits": 3, "chunk": chunk})
    u, taken = replace(U, publications=EVERY), Received(CheckAndPublish("b", (), ""))
    choices = protocol.actor.choices("u", u, taken)
    sent = [protocol.actor.react("u", u, taken, choice).sends for choice in choices]
    assert [len(message.publications) for ((_, message),) in map(parts, sent)] == sizes
    assert tuple(publication for ((_, message),) in map(parts, sent) for publication in message.publications) == EVERY
    assert {choice.probability for choice in choices} == {Fraction(1, len(sizes))}


def parts(sends):
    return tuple((send.target, send.message) for send in sends)


def test_a_node_that_gives_no_answer_tosses_no_coin():
    protocol = configured(PROTOCOL, {"key_bits": 3, "chunk": 1})
    u = replace(U, publications=EVERY)
    silent = (replace(u, label=None), "b"), (replace(u, crashed=True), "b"), (u, "u"), (u, SUPERVISOR)
    for local, sender in silent:
        assert protocol.actor.choices("u", local, Received(CheckAndPublish(sender, (), ""))) == CERTAIN


@given(subscribers, st.lists(st.sampled_from(VALID), max_size=3), wishes)
@FEWER
def test_what_is_handed_over_is_stored_and_delivered_once_by_publisher_and_number(u, offered, wants):
    u = replace(u, wants=wants)
    outcome = heard(u, Publish(tuple(offered)))
    stored = {publication.key for publication in u.publications}
    new = {publication for publication in offered if publication.key not in stored} if wants else set()
    assert set(outcome.local.publications) == {*u.publications, *new}
    assert list(outcome.delivered) == sorted(new, key=lambda publication: (publication.publisher, publication.number))
    assert outcome.sends == ()


def test_a_payload_of_exactly_the_limit_is_published():
    ((first, *_),) = (outcomes(U, Commanded(PublishRequest(7, "\u00e4" * 2048)), me="u"),)
    assert len(first.delivered) == 1


# Any state, any rule


@given(subscribers, every_input, wishes)
@FEWER
def test_every_step_leaves_canonical_values_only_and_sends_to_others_only(u, taken, wants):
    for outcome in outcomes(replace(u, wants=wants), taken):
        values = outcome.local, *(send.message for send in outcome.sends)
        assert [FIELDS.malformed(THREE_BITS, value) for value in values] == [()] * len(values)
        assert "v1" not in [send.target for send in outcome.sends]


@given(subscribers, every_input, wishes)
@FEWER
def test_no_step_loses_a_publication(u, taken, wants):
    """Of the exceptions, which are commands and `keep`, none is drawn here."""
    for outcome in outcomes(replace(u, wants=wants), taken):
        assert set(right_set(u.publications, THREE_BITS)) <= set(right_set(outcome.local.publications, THREE_BITS))


@given(subscribers, every_input, wishes)
@FEWER
def test_what_is_delivered_is_what_is_new_and_valid(u, taken, wants):
    for outcome in outcomes(replace(u, wants=wants), taken):
        assert all(is_valid(delivery, THREE_BITS) for delivery in outcome.delivered)
        if not isinstance(taken, Timeout):
            assert set(outcome.delivered) == set(outcome.local.publications) - set(u.publications)


@given(subscribers, st.builds(Received, messages))
@FEWER
def test_without_parameters_a_message_about_publications_has_no_effect_at_all(u, taken):
    assert outcomes(u, taken, PROTOCOL) == [Outcome(u)]


@given(subscribers, requests)
@FEWER
def test_without_parameters_nothing_is_published(u, request):
    assert outcomes(u, Commanded(request), PROTOCOL) == [Outcome(u)]


@given(st.data())
@FEWER
def test_the_potential_rises_in_no_step_but_by_a_publication_or_a_join(data):
    started = data.draw(strategy(PUBLISHING.starts.space(SIZE)))
    states, in_flight = dict(started.locals), list(started.in_flight)
    before = missing(states, in_flight, THREE_BITS)
    acts = [(node, Timeout()) for node in states if node != "supervisor"]
    acts += [(target, Received(message)) for target, message in in_flight]
    assume(states["supervisor"].database)
    node, taken = data.draw(st.sampled_from([act for act in acts if act[0] != "supervisor"] or acts))
    if isinstance(taken, Received):
        in_flight.remove((node, taken.message))
    choice = data.draw(st.sampled_from(PUBLISHING.actor.choices(node, states[node], taken)))
    outcome = PUBLISHING.actor.react(node, states[node], taken, choice)
    states[node] = outcome.local
    sent = [(send.target, send.message) for send in outcome.sends]
    assert missing(states, in_flight + sent, THREE_BITS) <= before
