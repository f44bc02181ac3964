"""Dissemination, rule by rule: the messages sent, and the publications that a node holds then."""

from math import ceil, log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.model import CERTAIN, Commanded, Outcome, Received
from gomboc.spec.layers.neighbourhood import Moved, Stayed, beside
from gomboc.spec.protocols.dissemination import USUAL
from gomboc.spec.protocols.dissemination.legitimacy import premise
from gomboc.spec.protocols.dissemination.rules import Rules, is_between, shares
from gomboc.spec.protocols.dissemination.state import BLANK, Issue, Member
from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.publishing.exchange import CheckAndPublish
from gomboc.spec.publishing.publications import Parameters, published

LISTENING = Member(True, ("a", "c", "d"))


def react(local, taken, me="b", parameters=USUAL):
    return Rules(parameters).react(me, local, taken, CERTAIN[0])


def holding(*publications, **more):
    return Member(True, ("a", "c", "d"), tuple(sorted(publications)), **more)


def test_what_is_handed_over_is_one_chunk_at_a_time():
    in_twos = Parameters(key_bits=32, chunk=2)
    every = tuple(sorted(published("b", number, "", USUAL) for number in range(5)))
    asked = Received(CheckAndPublish("a", (), ""))
    rules, local = Rules(in_twos), holding(*every)
    answers = [rules.react("b", local, asked, choice).sends for choice in rules.choices("b", local, asked)]
    assert [[len(sent.message.publications) for sent in answer] for answer in answers] == [[2], [2], [1]]


def test_a_node_that_does_not_take_part_publishes_nothing_and_no_node_publishes_what_is_too_large():
    for local, payload in ((BLANK, ""), (LISTENING, "x" * (USUAL.payload_limit + 1))):
        assert react(local, Commanded(Issue(1, payload))) == Outcome(local)
    assert react(LISTENING, Commanded(Issue(1, "x" * USUAL.payload_limit))).delivered


@pytest.mark.parametrize("neighbours", [Moved(("a", "b")), Stayed(("b",))])
def test_a_node_is_no_neighbour_of_itself(neighbours):
    with pytest.raises(ValueError, match=r"^node 'b' has no rule for "):
        react(LISTENING, Commanded(neighbours))


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


def system():
    return {name: Member(True, beside(name, "abc")) for name in "abc"}


def test_the_premise_is_that_each_knows_a_node_that_is_next_to_it_of_those_that_take_part():
    assert [fault.node for fault in premise(system() | {"b": BLANK}, ())] == ["a", "c"]
    assert premise(system() | {"a": BLANK, "b": Member(True, ("c",))}, ()) == ()
