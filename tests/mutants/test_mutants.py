import pytest

from tests.mutants import table
from tests.mutants.__main__ import killers_for
from tests.mutants.judging import judge, mutated, places, source_of
from tests.mutants.killers import IN_THE_SUITE, KILLERS, LOCKSTEP
from tests.mutants.mutants import MUTANTS, SURVIVORS

pytestmark = pytest.mark.long

BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
WRITTEN = table.PATH.read_text(encoding="utf-8")

SEEN_BY = {
    "leading_bit_stays": (
        "labels_are_those_of_section_2_1",
        "the_newcomer_gets_the_next_label",
        "the_ring_is_definition_2",
        "repair_is_that_of_section_3_1",
        "every_request_is_answered_and_leaves_a_right_database",
        "every_node_is_told_in_turn",
        "the_lemmas_encodings",
        "the_papers_sentences",
    ),
    "list_the_wrong_way_round": (
        "of_two_candidates_the_farther_closes_the_ring",
        "a_shortcut_is_replaced_and_what_was_there_goes_to_the_list",
        "what_a_configuration_replaces_stays_in_the_list",
        "closure_with_harmless_messages",
        "a_right_ring_costs_two_checks_for_each_edge",
        "shortcuts_come_back",
        "after_a_timeout_no_node_stands_on_the_wrong_side",
        "the_closer_stays_in_the_list_and_the_farther_is_delegated_to_it",
        "convergence_after_commands",
        "the_ring_forms_without_the_supervisor",
        "convergence_from_anywhere",
        "the_implementation_in_lockstep",
    ),
    "leaver_is_not_told": ("every_schedule_of_a_small_ring",),
    "longest_label_too_short": ("canonical_is_what_section_2_1_gives_out",),
    "missing_label_is_not_named": ("each_fault_has_its_name",),
    "check_may_misjudge": (
        "configurations_and_checks_are_told_from_false_ones",
        "legitimate_is_the_right_ring_and_no_false_message",
    ),
    "hearsay_may_be_false": ("what_is_called_legitimate_is_closed",),
    "one_that_moves_is_not_told": ("a_leaver_and_the_one_that_takes_its_label_are_told",),
    "wish_reversed": ("commands_change_the_wish",),
    "parting_ends_the_wish": ("the_supervisor_hears_what_is_wanted", "every_step_is_well_formed"),
    "one_end_only_seeks": ("both_ends_of_the_list_seek_each_other",),
    "inner_neighbour_is_told_of_itself": ("no_node_is_handed_a_claim_about_itself",),
    "shortcut_is_not_forgotten": (
        "any_node_that_asks_to_be_forgotten_is_forgotten",
        "those_without_a_label_ask_to_be_forgotten",
    ),
    "leaver_tosses_a_coin": ("every_coin_decides_something",),
    "coin_reversed": ("the_coin_is_that_of_section_3_2_1",),
    "closing_edge_on_the_wrong_end": ("a_timeout_checks_every_neighbour_that_stands_right",),
    "shortcuts_of_one_side": ("after_a_timeout_shortcuts_follow_from_the_neighbours",),
    "shortcut_counts_as_kept": ("a_configuration_is_stored_and_closer_neighbours_are_asked_about",),
    "introductions_are_first_hand": ("hearsay_that_contradicts_or_ties_is_probed",),
    "half_a_tie_is_reported": ("what_a_node_says_of_itself_is_believed",),
    "probe_is_not_answered": ("no_reference_is_lost", "one_presents_itself_when_probed_or_misjudged"),
    "claim_handed_to_the_wrong_end": ("the_closing_edge_finds_its_end",),
    "supervisor_subscribes": ("the_supervisor_is_no_subscriber",),
    "supervisor_is_introduced": ("the_supervisor_is_no_neighbour",),
}
"""Some mutants, with killers that see them; every killer stands here once."""


def test_every_mutant_changes_one_line_that_is_there():
    for mutant in MUTANTS:
        assert len(places(mutant)) == 1, mutant.name
        assert mutated(mutant) != source_of(mutant).read_text(encoding="utf-8"), mutant.name


def test_no_two_mutants_have_a_name_or_a_change_in_common():
    assert len(BY_NAME) == len(MUTANTS)
    assert len({(mutant.file, mutant.before, mutant.after) for mutant in MUTANTS}) == len(MUTANTS)


def test_there_are_at_least_forty_mutants_and_they_change_every_file_of_rules():
    assert len(MUTANTS) >= 40
    files = {"build_list", "build_ring", "labels", "legitimacy", "rules", "subscriber", "supervisor"}
    assert {mutant.file for mutant in MUTANTS} == files


def test_the_table_is_in_step_with_the_mutants():
    """If not: python -m tests.mutants."""
    assert [(name, change) for name, change, _ in table.read(WRITTEN)] == [(m.name, table.change(m)) for m in MUTANTS]


def test_every_killer_that_the_table_names_is_there_and_every_survivor_is_explained():
    killers = {killer for _, _, killer in table.read(WRITTEN)}
    assert killers <= KILLERS.keys() | {table.SURVIVES}
    assert {name for name, _, killer in table.read(WRITTEN) if killer == table.SURVIVES} == SURVIVORS.keys()
    assert all(f"| {name} | {why} |" in WRITTEN for name, why in SURVIVORS.items())


def test_the_last_killer_is_the_implementation_in_lockstep():
    assert list(KILLERS)[-1] == LOCKSTEP


def test_the_killer_that_the_table_names_is_tried_first_and_lockstep_last():
    (mutant, *_) = MUTANTS
    row = WRITTEN.split("|---|---|---|---|")[0] + "|---|---|---|---|\n| {} | changed | {} | seen |\n"
    dear, last = list(KILLERS)[-2:]
    for named, first in ((dear, dear), (last, next(iter(KILLERS))), (table.SURVIVES, next(iter(KILLERS)))):
        tried = killers_for(mutant, row.format(mutant.name, named))
        assert (tried[0], tried[-1]) == (first, LOCKSTEP)
        assert sorted(tried) == sorted(KILLERS)


def test_every_killer_has_a_mutant_here_that_it_sees():
    named = [killer for killers in SEEN_BY.values() for killer in killers]
    assert sorted(named) == sorted(KILLERS)


@pytest.mark.parametrize("name", SEEN_BY)
def test_a_mutant_is_killed(name):
    seen = judge(BY_NAME[name], SEEN_BY[name], first=False)
    assert [verdict.killer for verdict in seen if verdict.saw is not None] == list(SEEN_BY[name])


@pytest.mark.dear
def test_the_specification_as_it_is_survives_every_killer():
    """Those that the suite runs anyway are left out here; `python -m tests.mutants` begins with all of them."""
    others = tuple(killer for killer in KILLERS if killer not in IN_THE_SUITE)
    seen = judge(None, others, first=False)
    assert [(verdict.killer, verdict.saw) for verdict in seen] == [(killer, None) for killer in others]
