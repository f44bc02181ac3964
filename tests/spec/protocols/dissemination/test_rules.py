"""Dissemination, rule by rule: the messages sent, and the publications that a node holds then."""

from math import ceil, log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Outcome, Received, Send, Timeout
from gomboc.spec.layers.neighbourhood import Moved, Stayed, beside
from gomboc.spec.protocols.dissemination import PROTOCOL, USUAL
from gomboc.spec.protocols.dissemination.legitimacy import premise
from gomboc.spec.protocols.dissemination.rules import Rules, is_between, shares
from gomboc.spec.protocols.dissemination.state import (
    BLANK,
    Broadcast,
    CheckAndPublish,
    CheckTrie,
    Issue,
    Member,
    Publish,
    Subscribe,
    Unsubscribe,
)
from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.publishing.publications import Parameters, published
from gomboc.spec.publishing.trie import EMPTY_HASH, Summary, hash_of_children, root
from gomboc.spec.types.kinds import Crash

ONE, TWO = (published("b", number, "", USUAL) for number in (1, 2))
LISTENING = Member(True, ("a", "c", "d"))


def react(local, taken, me="b", parameters=USUAL):
    return Rules(parameters).react(me, local, taken, CERTAIN[0])


def holding(*publications, **more):
    return Member(True, ("a", "c", "d"), tuple(sorted(publications)), **more)


def forged(publication):
    """The same publication with another node's signature."""
    return replace(publication, signer="a")


def test_a_timeout_tells_the_nearest_neighbour_on_either_side_the_root():
    message = CheckTrie("b", (root((ONE.key,), hash_of_children),))
    assert react(holding(ONE), Timeout()).sends == (Send("a", message), Send("c", message))


def test_a_timeout_repairs_what_may_be_wrong_at_first():
    false = replace(published("a", 1, "", USUAL), signer="b")
    wrong = holding(ONE, false, hashes=(Summary("", EMPTY_HASH),))
    assert react(wrong, Timeout()).local == holding(ONE)


def test_a_node_that_lacks_something_asks_for_it_and_is_given_it():
    asked = react(LISTENING, Received(CheckTrie("a", (root((ONE.key,), hash_of_children),)))).sends
    assert asked == (Send("a", CheckAndPublish("b", (), ONE.key)),)
    given_ = react(holding(ONE, TWO), Received(asked[0].message), "a").sends
    assert given_ == (Send("b", Publish((ONE,))),)
    taken = react(LISTENING, Received(given_[0].message))
    assert (taken.local, taken.delivered, taken.sends) == (holding(ONE), (ONE,), ())


def test_what_is_published_goes_to_each_neighbour_with_what_is_beyond_it():
    taken = react(LISTENING, Commanded(Issue(1, "")))
    assert taken.local == holding(ONE)
    assert taken.delivered == (ONE,)
    assert taken.sends == (
        Send("a", Broadcast(ONE, None, "a")),
        Send("c", Broadcast(ONE, "c", "d")),
        Send("d", Broadcast(ONE, "d", None)),
    )


def test_a_broadcast_goes_on_within_its_interval_also_where_the_publication_was_known():
    for local, delivered in ((LISTENING, (ONE,)), (holding(ONE), ())):
        taken = react(local, Received(Broadcast(ONE, "b", "d")))
        assert taken.sends == (Send("c", Broadcast(ONE, "c", "d")),)
        assert taken.delivered == delivered


def test_what_is_not_valid_goes_nowhere():
    taken = react(LISTENING, Received(Broadcast(forged(ONE), None, None)))
    assert (taken.local, taken.sends, taken.delivered) == (LISTENING, (), ())


def test_a_forged_broadcast_is_not_passed_on_even_if_its_key_is_held():
    taken = react(holding(ONE), Received(Broadcast(forged(ONE), None, None)))
    assert (taken.local, taken.sends, taken.delivered) == (holding(ONE), (), ())


def test_a_forged_publication_and_one_that_is_held_are_not_answered_with_what_is_kept():
    keep = Parameters(key_bits=32, keep=1)
    for offered in (forged(ONE), forged(TWO), TWO):
        taken = react(holding(TWO), Received(Publish((offered,))), parameters=keep)
        assert (taken.local, taken.sends, taken.delivered) == (holding(TWO), (), ())


def test_what_has_expired_goes_nowhere_and_is_answered_with_what_is_kept():
    keep = Parameters(key_bits=32, keep=1)
    assert react(holding(TWO), Received(Broadcast(ONE, None, None)), parameters=keep).sends == ()
    instead = react(holding(TWO), Received(Publish((ONE,))), parameters=keep)
    assert instead.local == holding(TWO)
    assert instead.sends == (Send("a", Publish((TWO,))), Send("c", Publish((TWO,))))


def test_what_is_handed_over_comes_in_chunks():
    in_twos = Parameters(key_bits=32, chunk=2)
    every = tuple(sorted(published("b", number, "", USUAL) for number in range(5)))
    asked = Received(CheckAndPublish("a", (), ""))
    sizes = [len(sent.message.publications) for sent in react(holding(*every), asked, parameters=in_twos).sends]
    assert sizes == [2, 2, 1]


def test_what_is_asked_in_ones_own_name_is_not_answered():
    others = (root((TWO.key,), hash_of_children),)
    for message in (CheckTrie("b", others), CheckAndPublish("b", others, "")):
        assert react(holding(ONE), Received(message)).sends == ()


def test_a_node_answers_with_the_hashes_that_it_has_right_or_not():
    right = root(tuple(sorted((ONE.key, TWO.key))), hash_of_children)
    asked = Received(CheckTrie("a", (right,)))
    assert react(holding(ONE, TWO), asked).sends == ()
    assert react(holding(ONE, TWO, hashes=(Summary(right.prefix, "0" * 32),)), asked).sends != ()


def test_a_node_that_does_not_take_part_publishes_nothing_and_no_node_publishes_what_is_too_large():
    for local, payload in ((BLANK, ""), (LISTENING, "x" * (USUAL.payload_limit + 1))):
        assert react(local, Commanded(Issue(1, payload))) == Outcome(local)
    assert react(LISTENING, Commanded(Issue(1, "x" * USUAL.payload_limit))).delivered


@pytest.mark.parametrize("neighbours", [Moved(("a", "b")), Stayed(("b",))])
def test_a_node_is_no_neighbour_of_itself(neighbours):
    with pytest.raises(ValueError, match=r"^node 'b' has no rule for "):
        react(LISTENING, Commanded(neighbours))


@pytest.mark.parametrize(
    ("command", "after"),
    [
        (Subscribe(), holding(ONE)),
        (Unsubscribe(), Member(False, (), (ONE,))),
        (Unsubscribe(forget=True), BLANK),
        (Crash(), BLANK),
        (Moved(("x",)), Member(True, ("x",), (ONE,))),
        (Stayed(()), Member(True, (), (ONE,))),
    ],
)
def test_what_a_command_changes(command, after):
    assert react(holding(ONE), Commanded(command)).local == after


@pytest.mark.parametrize("message", [CheckTrie("a", ()), Publish((ONE,)), Broadcast(ONE, None, None)])
def test_a_node_that_does_not_take_part_takes_no_notice(message):
    assert react(BLANK, Received(message)).local == BLANK
    assert react(BLANK, Received(message)).sends == ()


@given(st.sets(st.text("abc", min_size=1, max_size=2)), st.text("abc", min_size=1, max_size=2), st.data())
def test_no_two_shares_have_a_name_in_common_and_each_is_smaller(known, me, data):
    ends = st.none() | st.text("abc", max_size=2)
    interval = data.draw(ends), data.draw(ends)
    names = known | {me}
    before = {name for name in names if is_between(name, interval)}
    covered = [{name for name in names if is_between(name, part)} for _, part in shares(me, tuple(known), interval)]
    assert all(part < before for part in covered)
    assert sum(map(len, covered)) == len(set().union(*covered))


@pytest.mark.parametrize("nodes", [2, 4, 7, 16])
def test_a_broadcast_in_a_right_skip_graph_reaches_every_node_once(nodes):
    random = Random(nodes)
    bits = 2 * ceil(log2(nodes))
    names = tuple(f"{n:02}:{random.getrandbits(bits):0{bits}b}" for n in range(nodes))
    reached, waiting = [names[0]], [(names[0], (None, None))]
    for me, interval in waiting:
        for part in shares(me, neighbours(me, names), interval):
            reached.append(part[0])
            waiting.append(part)
    assert sorted(reached) == sorted(names)


def system(*publications):
    return {name: Member(True, beside(name, "abc"), publications) for name in "abc"}


def test_all_that_is_right_is_that_every_node_holds_the_same_and_nothing_new_is_on_its_way():
    right = system(ONE)
    assert legitimacy_faults(PROTOCOL, right, (("a", Publish((ONE,))), ("b", CheckTrie("b", ())))) == ()
    assert premise_faults(PROTOCOL, right, ()) == ()
    (fault,) = legitimacy_faults(PROTOCOL, right, (("a", Broadcast(TWO, None, None)),))
    assert fault.rule == "nothing_new_in_flight"
    assert legitimacy_faults(PROTOCOL, right | {"d": BLANK}, (("d", Publish((TWO,))),)) == ()
    assert legitimacy_faults(PROTOCOL, {"Z": Member(False, (), (TWO,)), **right}, ()) == ()
    assert {fault.rule for fault in legitimacy_faults(PROTOCOL, right | {"c": Member(True, ("b",))}, ())} == {
        "tries_are_equal"
    }


def test_the_premise_is_that_each_knows_a_node_that_is_next_to_it_of_those_that_take_part():
    assert [fault.node for fault in premise(system() | {"b": BLANK}, ())] == ["a", "c"]
    assert premise(system() | {"a": BLANK, "b": Member(True, ("c",))}, ()) == ()
