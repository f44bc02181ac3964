"""The rules as printed, or without an addition of ours: a row for each variant."""

from collections.abc import Mapping

from gomboc.spec.protocols.delta_fault_tolerance import forwarding, joining, multicast, printed, recovery, sessions
from gomboc.spec.protocols.delta_fault_tolerance.broker import Replaced

SILENT: Replaced = {
    forwarding.all_recipients: printed.recipients_nearby,
    multicast.stored: printed.stored_unless_rejoin,
}
"""REJOIN goes to brokers nearby only, and has no effect on tables."""

VARIANTS: Mapping[str, Replaced] = {
    "any_direction": {forwarding.leads_away: printed.leads_anywhere, multicast.take_copy: printed.take_copy_once},
    "not_the_sender": {forwarding.leads_away: printed.avoids_the_sender},
    "inverted_duplicates": {forwarding.is_duplicate: printed.is_newer},
    "all_stamps": {forwarding.is_duplicate: printed.is_nowhere_newer},
    "printed_index": {forwarding.seen_from: printed.seen_from_the_sender},
    "on_confirmation": {multicast.arrive: printed.arrive_undelivered, multicast.settle: printed.settle_and_deliver},
    "not_widened": {forwarding.widened: printed.not_widened},
    "not_guided": {forwarding.copy: printed.copy_without_guide},
    "status_of_the_other": {recovery.answer: printed.answer_recovering},
    "discarding": {multicast.issue: printed.issue_as_operational, multicast.take_copy: printed.discard_unguided},
    "answers_at_once": {recovery.decline: printed.answer_at_once},
    "answers_when_done": {recovery.decline: printed.remember, multicast.become_operational: printed.answer_when_done},
    "one_sided": {**SILENT, recovery.is_exact: printed.is_never_exact},
    "addressed_only": {recovery.hand_over: printed.hand_over_addressed, forwarding.entrust: printed.entrust_nothing},
    "counts_from_zero": {recovery.restart: printed.restart_from_zero},
    "forgets_its_client": {recovery.crash: printed.forget_the_client},
    "stamps_first": {recovery.tell_table: printed.tell_table_and_stamps, recovery.tell_stamps: printed.tell_no_stamps},
    "no_stamps": {recovery.take_stamps: printed.take_no_stamps},
    "never_closed": {sessions.close: printed.close_nothing},
    "no_rejoin": {multicast.issue: printed.issue_unconfirmed, multicast.completed: printed.complete_unless_rejoin},
    "silent_rejoin": SILENT,
    "join_unheard": {joining.make_known: printed.know_alone},
    "tree_of_links": {recovery.tell_tree: printed.tell_links},
    "unmarked": {recovery.tell_tree: printed.tell_unmarked},
    "join_goes_past": {multicast.stays: printed.stays_at_the_edge},
    "answered_first": {joining.admit: printed.answer_first},
}
"""The rules that each variant replaces; its words are in `errata.toml`."""
