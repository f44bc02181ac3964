"""The killers by name, from cheap to dear. Each is stated without the rule that a mutant changes.

A killer yields a sentence for each thing that it sees wrong, and the first is enough. The implementation in lockstep is
the last: it reports that a step differs, not the fault.
"""

from tests.mutants import of_claims, of_machines, of_rules, of_runs, of_supervisor, of_values

LOCKSTEP = "the_implementation_in_lockstep"
IN_THE_SUITE = ("the_papers_sentences", "the_lemmas_encodings", LOCKSTEP)
"""Killers that run tests, or look at samples, which the suite has anyway."""

KILLERS = {
    killer.__name__: killer
    for killer in (
        of_values.labels_are_those_of_section_2_1,
        of_values.canonical_is_what_section_2_1_gives_out,
        of_values.each_fault_has_its_name,
        of_values.configurations_and_checks_are_told_from_false_ones,
        of_supervisor.a_leaver_and_the_one_that_takes_its_label_are_told,
        of_supervisor.the_newcomer_gets_the_next_label,
        of_rules.commands_change_the_wish,
        of_rules.the_supervisor_is_no_subscriber,
        of_rules.the_supervisor_hears_what_is_wanted,
        of_claims.both_ends_of_the_list_seek_each_other,
        of_claims.no_node_is_handed_a_claim_about_itself,
        of_claims.of_two_candidates_the_farther_closes_the_ring,
        of_claims.a_shortcut_is_replaced_and_what_was_there_goes_to_the_list,
        of_rules.what_a_configuration_replaces_stays_in_the_list,
        of_values.the_ring_is_definition_2,
        of_supervisor.repair_is_that_of_section_3_1,
        of_supervisor.every_request_is_answered_and_leaves_a_right_database,
        of_supervisor.every_node_is_told_in_turn,
        of_runs.closure_with_harmless_messages,
        of_runs.a_right_ring_costs_two_checks_for_each_edge,
        of_runs.shortcuts_come_back,
        of_values.legitimate_is_the_right_ring_and_no_false_message,
        of_runs.what_is_called_legitimate_is_closed,
        of_rules.every_step_is_well_formed,
        of_rules.no_reference_is_lost,
        of_rules.the_supervisor_is_no_neighbour,
        of_rules.any_node_that_asks_to_be_forgotten_is_forgotten,
        of_rules.those_without_a_label_ask_to_be_forgotten,
        of_rules.every_coin_decides_something,
        of_rules.the_coin_is_that_of_section_3_2_1,
        of_rules.a_timeout_checks_every_neighbour_that_stands_right,
        of_rules.after_a_timeout_no_node_stands_on_the_wrong_side,
        of_rules.after_a_timeout_shortcuts_follow_from_the_neighbours,
        of_rules.a_configuration_is_stored_and_closer_neighbours_are_asked_about,
        of_claims.hearsay_that_contradicts_or_ties_is_probed,
        of_claims.what_a_node_says_of_itself_is_believed,
        of_claims.one_presents_itself_when_probed_or_misjudged,
        of_claims.the_closer_stays_in_the_list_and_the_farther_is_delegated_to_it,
        of_claims.the_closing_edge_finds_its_end,
        of_runs.convergence_after_commands,
        of_runs.the_ring_forms_without_the_supervisor,
        of_runs.convergence_from_anywhere,
        of_machines.the_lemmas_encodings,
        of_machines.every_schedule_of_a_small_ring,
        of_machines.the_papers_sentences,
        of_machines.the_implementation_in_lockstep,
    )
}
