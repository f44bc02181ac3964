"""What is claimed of Chord: each claim settled once, by its own function, and some facts besides.

Source: Stoica et al. 2003; Zave 2012 and 2017; a report on a publish-subscribe system, Section 2.2
"""

import pytest

from checker.errata.claim import Result
from checker.prove.registry import find_lemmas
from spec.chord import PROTOCOL
from spec.chord.errata import ERRATA
from spec.chord.legitimacy import anchor, right, right_state
from spec.chord.names import Circle, between, within
from spec.chord.parameters import Parameters
from spec.chord.space import names_of
from spec.chord.state import Node
from tests.checker.evidence.chord.settled import findings

pytestmark = pytest.mark.xdist_group("claims")

RESULTS = {
    "connected_appendages": "refuted",
    "valid_lists": "refuted",
    "ordered_merges": "refuted",
    "ordered_appendages": "refuted",
    "at_least_one_ring": "refuted",
    "at_most_one_ring": "refuted",
    "ordered_ring": "refuted",
    "ring_is_regenerated": "refuted",
    "candidate_is_adopted": "refuted",
    "joiner_needs_its_head_only": "refuted",
    "closest_preceding_node": "refuted",
    "fingers_by_number": "refuted",
    "crash_replaces_the_successor": "refuted",
    "open_interval_suffices_for_joins": "reproduced",
    "stored_lists_suffice": "refuted",
    "late_lists_do_not_matter": "refuted",
    "waiting_is_harmless": "refuted",
    "few_principals_suffice": "undecided",
    "any_start_becomes_right": "refuted",
    "invariant_implies_its_consequences": "reproduced",
    "padding_is_shortening": "reproduced",
    "half_of_log_n_hops": "reproduced",
    "lists_survive_crashes": "reproduced",
}

QUOTED = [
    ("connected_appendages", "counterexample", "2 events, and no fewer suffice: 0 dies, 2 joins between 1 and 0."),
    ("connected_appendages", "why", "It breaks too if no name returns."),
    ("valid_lists", "counterexample", "3 events, and no fewer suffice: 0 dies, 2 updates, 0 joins between 2 and 1."),
    ("ordered_merges", "counterexample", "5 events"),
    ("ordered_appendages", "counterexample", "10 events"),
    ("at_least_one_ring", "counterexample", "11 events"),
    ("at_most_one_ring", "counterexample", "11 events"),
    ("ordered_ring", "counterexample", "13 events"),
    ("ordered_ring", "why", "If no name returns, it does not break with three nodes."),
    ("candidate_is_adopted", "counterexample", "After 12 steps"),
    ("joiner_needs_its_head_only", "counterexample", "After 5 steps"),
    ("closest_preceding_node", "counterexample", "1,977 of 2,000 random lookups never arrive"),
    ("fingers_by_number", "counterexample", "point to 1 node. A lookup takes 8.3 hops on average, and 3.6"),
    ("stored_lists_suffice", "counterexample", "After 14 steps"),
    ("late_lists_do_not_matter", "counterexample", "After 34 steps"),
    ("any_start_becomes_right", "why", "Of all 216 starts of three members with one successor each, 8 never"),
    ("half_of_log_n_hops", "why", "take 0.35, 0.44, 0.46 of log2 n hops"),
    ("half_of_log_n_hops", "why", "and 0.65, 0.60, 0.57 with the last hop"),
    ("lists_survive_crashes", "why", "398 times with r = 3, 159 times with r = log2 n = 6, and 4 times with"),
]


@pytest.mark.parametrize("name", RESULTS)
def test_the_claim_comes_out_as_it_is_recorded_and_nothing_stated_of_it_is_false(name):
    finding = findings()[name]
    assert finding.found.value == RESULTS[name]
    assert finding.found is finding.recorded
    assert finding.false == ()


def test_every_claim_is_pinned_here():
    assert list(findings()) == list(RESULTS)


@pytest.mark.parametrize(("name", "field", "words"), QUOTED)
def test_the_figures_are_the_ones_that_were_found_before(name, field, words):
    assert words in getattr(findings()[name], field)


def test_every_refuted_claim_has_a_counterexample_and_says_what_we_do():
    refuted = [finding for finding in findings().values() if finding.found is Result.REFUTED]
    assert [each.name for each in refuted if not (each.counterexample and each.instead)] == []


def test_every_claim_says_whose_rules_ran():
    assert [name for name, finding in findings().items() if not finding.ran] == []


def test_every_lemma_that_a_claim_names_is_there():
    known = {lemma.name for lemma in find_lemmas()}
    assert {name for finding in findings().values() for name in finding.lemmas} <= known


def test_the_variants_are_those_of_the_rules():
    """Source: our reading."""
    assert [erratum.name for erratum in PROTOCOL.errata] == [erratum.name for erratum in ERRATA]


SMALL = Parameters(bits=5, ids="number", r=3)


def ideal(nodes):
    return anchor(SMALL, dict.fromkeys(names_of(SMALL.circle, nodes), True))


def test_between_a_node_and_itself_lies_everybody_else():
    """Source: Section 2.2.3, "successor <- myself"; Zave 2017, between."""
    assert all(between(at, place, at) == (place != at) for at in range(8) for place in range(8))
    assert all(within(at, place, at) for at in range(8) for place in range(8))


def test_in_an_ideal_ring_of_more_than_r_each_node_is_in_r_lists():
    """Source: Stoica et al. 2003, Section IV-E.3."""
    for nodes in (4, 5, 9):
        members = ideal(nodes)
        listed = [name for me in members for name in right(SMALL, members, me).successors]
        assert all(listed.count(name) == SMALL.r for name in members)


def test_a_join_changes_the_lists_of_r_members_and_one_predecessor():
    """Source: Stoica et al. 2003, Section IV-E.1."""
    names = names_of(SMALL.circle, 8)
    before, after = (anchor(SMALL, {name: name != gone for name in names}) for gone in (names[3], None))
    states = [(right_state(SMALL, before, me), right_state(SMALL, after, me)) for me in before]
    assert sum(old.successors != new.successors for old, new in states) == SMALL.r
    assert sum(old.predecessor != new.predecessor for old, new in states) == 1


def test_a_lone_member_owns_every_key_and_needs_no_finger():
    """Source: Stoica et al. 2003, Section IV-B."""
    (alone,) = ideal(1)
    assert right_state(SMALL, (alone,), alone) == Node("inside")


def test_fingers_point_beyond_the_head_and_never_to_their_owner():
    """Source: Section 2.2.3, "next not in (myself, successor]"."""
    for nodes in (2, 3, 5, 9):
        members = ideal(nodes)
        for me in members:
            mine = right(SMALL, members, me)
            assert me not in mine.fingers.values()
            assert all(finger >= SMALL.circle.first_finger(me, mine.successors[0]) for finger in mine.fingers)


def test_ids_are_sha_256_of_names():
    """Source: Section 2.1, "applying a HASH function (SHA-256)"."""
    assert Circle().id_of("abc") == 0xBA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD
