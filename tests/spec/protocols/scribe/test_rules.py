"""Rules of Scribe beyond its scenarios: inputs without a rule, expired publications, and reports that are owed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.model import CERTAIN, Commanded, Offer, Received, Timeout
from gomboc.spec.protocols.scribe.cited import rule
from gomboc.spec.protocols.scribe.environment import environment
from gomboc.spec.protocols.scribe.parameters import Parameters
from gomboc.spec.protocols.scribe.rules import Rules
from gomboc.spec.protocols.scribe.state import (
    BLANK,
    CRASHED,
    FIELDS,
    Child,
    Heartbeat,
    Id,
    Issue,
    Node,
    Publish,
    Request,
    Subscribe,
    named,
    top_ids,
)
from gomboc.spec.protocols.scribe.state import Submit as Submitted
from gomboc.spec.publishing.publications import published
from gomboc.spec.types.kinds import Suspect

IDS = st.lists(st.builds(Id, st.sampled_from("ab"), st.integers(0, 5)), max_size=9).map(tuple)


def test_an_input_without_a_rule_is_said_to_have_none():
    with pytest.raises(KeyError, match="there is no rule for"):
        rule(BLANK, Received("nonsense"))


@given(IDS, IDS, st.sampled_from([1, 2, 3, None]))
def test_what_is_too_old_for_a_part_is_too_old_for_all(some, others, keep):
    assert top_ids((*top_ids(some, keep), *top_ids(others, keep)), keep) == top_ids((*some, *others), keep)
    assert keep is None or all(
        len([one for one in top_ids(some, keep) if one.publisher == publisher]) <= keep for publisher in "ab"
    )


@given(IDS, IDS, st.sampled_from([1, 2, None]))
def test_whatever_is_held_is_delivered_once(held, delivered, keep):
    parameters = Parameters(keep=keep)
    items = {published(one.publisher, one.number, "", parameters) for one in held}
    local = Node(True, None, publications=tuple(sorted(items)), delivered=top_ids(delivered, keep))
    outcome = Rules(parameters).deliver(local, local.publications)
    assert not {Id(item.publisher, item.number) for item in outcome.delivered} & {*local.delivered}
    assert Rules(parameters).deliver(outcome.local, local.publications).delivered == ()


def test_a_payload_that_is_too_large_is_not_published():
    rules = Rules(Parameters(payload_limit=3))
    assert rules.react("a", BLANK, Commanded(Issue(1, "four")), CERTAIN[0]).local == BLANK


def test_malformed_values_are_named():
    parameters = Parameters(key_bits=2, chunk=1, keep=1)
    items = tuple(sorted(published("a", number, "", Parameters(key_bits=32)) for number in (1, 2)))
    wrong = (
        Node(False, None, "a", crashed=True),
        Node(False, "a", method="broadcast"),
        Node(True, "a", delivered=(Id("a", 1), Id("a", 2))),
        Node(True, "a", children=(Child("c", 1), Child("b", 1))),
        Node(True, "a", children=(Child("c", -1),)),
        *(Node(True, "a", pending=(key,)) for key in ("0", "012", "0a")),
        Publish("a", items),
        Node(True, "a", told="0"),
        *(message for keys in (("00", "01"), ("0",)) for message in (Subscribe("a", 1, keys), Heartbeat("a", keys))),
        Request("a", ("00", "01")),
    )
    assert [value for value in wrong if not FIELDS.malformed(parameters, value)] == []
    assert FIELDS.malformed(parameters, CRASHED) == ()


def test_a_publication_on_its_way_names_the_publisher_that_is_to_hear_of_it():
    assert named(Submitted(published("b", 1, "", Parameters()))) == ("b",)
    assert named(Node(True, "a", "b", (Child("c", 1),))) == ("a", "b", "c")


def test_the_detector_owes_a_report_to_the_parent_and_the_children_of_a_crashed_node():
    states = {
        "a": Node(True, "a", None, (Child("b", 1),)),
        "b": CRASHED,
        "c": Node(True, "a", "b"),
        "d": Node(True, "a"),
    }
    owed = [offer for offer in environment(states, ()) if offer.owed]
    assert owed == [Offer("a", Suspect("b"), "", owed=True), Offer("c", Suspect("b"), "", owed=True)]


def test_a_timeout_outside_the_tree_has_another_rule():
    assert [rule(local, Timeout()).name for local in (BLANK, Node(True, None))] == ["retry", "restate"]
