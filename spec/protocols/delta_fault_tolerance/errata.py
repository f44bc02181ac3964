"""The rules as printed, or without an addition of ours, and the failure that each causes: a row for each variant."""

import msgspec

from gomboc.spec.protocols.delta_fault_tolerance import forwarding, joining, multicast, printed, recovery, sessions
from gomboc.spec.protocols.delta_fault_tolerance.broker import Replaced


class Printed(msgspec.Struct, frozen=True):
    """A variant: its name, the failure that it causes (empty if none is known), its source, and the replaced rules."""

    name: str
    breaks: str
    source: str
    replaced: Replaced


SILENT: Replaced = {
    forwarding.all_recipients: printed.recipients_nearby,
    multicast.stored: printed.stored_unless_rejoin,
}
"""REJOIN goes to brokers nearby only, and has no effect on tables."""

ERRATA = (
    Printed(
        "any_direction",
        "Two brokers that both have subscribers wait for each other's confirmation for ever, without any failure.",
        "Section 4.8, RCPT^PUB",
        {forwarding.leads_away: printed.leads_anywhere, multicast.take_copy: printed.take_copy_once},
    ),
    Printed(
        "not_the_sender",
        "What comes past a failed broker goes to that broker's other neighbours, and comes back.",
        "Section 4.1",
        {forwarding.leads_away: printed.avoids_the_sender},
    ),
    Printed(
        "inverted_duplicates",
        "The second message over a link is taken for a duplicate, confirmed and discarded.",
        "Section 5, isDuplicate",
        {forwarding.is_duplicate: printed.is_newer},
    ),
    Printed(
        "all_stamps",
        "A copy that has come through a broker that is back has a new stamp, and is delivered again.",
        "Section 5",
        {forwarding.is_duplicate: printed.is_nowhere_newer},
    ),
    Printed(
        "printed_index",
        "The index is below 0: rows name a broker that is too near, and not the one delta + 1 away.",
        "Section 4.7, make_copy_send",
        {forwarding.seen_from: printed.seen_from_the_sender},
    ),
    Printed(
        "on_confirmation",
        "A publication whose confirmation is late is delivered after the next one.",
        "Algorithm 1, lines 25 and 26",
        {multicast.arrive: printed.arrive_undelivered, multicast.settle: printed.settle_and_deliver},
    ),
    Printed(
        "not_widened",
        "A message ends where a guide ends, and is confirmed.",
        "Section 6.1",
        {forwarding.widened: printed.not_widened},
    ),
    Printed(
        "not_guided",
        "Who recovers forwards to nobody, and confirms.",
        "Algorithm 1",
        {forwarding.copy: printed.copy_without_guide},
    ),
    Printed(
        "status_of_the_other",
        "Who is asked seems to recover itself, for ever.",
        "Algorithm 7, line 18",
        {recovery.answer: printed.answer_recovering},
    ),
    Printed(
        "discarding",
        "What is sent without a guide before REJOIN is confirmed is discarded, and never confirmed.",
        "Algorithm 5, lines 15 to 23, and Section 6.1",
        {multicast.issue: printed.issue_as_operational, multicast.take_copy: printed.discard_unguided},
    ),
    Printed(
        "answers_at_once",
        "Who recovers takes over a table that is not complete, or waits for what was never sent.",
        "Section 6.2",
        {recovery.decline: printed.answer_at_once},
    ),
    Printed(
        "answers_when_done",
        "Three brokers in a row that recover wait for each other for ever.",
        "Section 6.2",
        {recovery.decline: printed.remember, multicast.become_operational: printed.answer_when_done},
    ),
    Printed(
        "one_sided",
        "Nobody tells the row of a broker that is away as well.",
        "Algorithm 7, line 14",
        {**SILENT, recovery.is_exact: printed.is_never_exact},
    ),
    Printed(
        "addressed_only",
        "What waits for brokers past one that recovers goes on waiting where the connection is closed.",
        "Algorithm 7, line 9",
        {recovery.hand_over: printed.hand_over_addressed, forwarding.entrust: printed.entrust_nothing},
    ),
    Printed(
        "counts_from_zero",
        "What a broker sends after it is back is taken for a duplicate.",
        "Section 4.1",
        {recovery.restart: printed.restart_from_zero},
    ),
    Printed(
        "forgets_its_client",
        "The others go on sending to a client that has forgotten its subscription.",
        "Section 4.1",
        {recovery.crash: printed.forget_the_client},
    ),
    Printed(
        "stamps_first",
        "What was on the way is taken for a duplicate of itself.",
        "decided here",
        {recovery.tell_table: printed.tell_table_and_stamps, recovery.tell_stamps: printed.tell_no_stamps},
    ),
    Printed("no_stamps", "", "Section 6", {recovery.take_stamps: printed.take_no_stamps}),
    Printed(
        "never_closed", "Connections past a broker stay for ever.", "Section 6", {sessions.close: printed.close_nothing}
    ),
    Printed(
        "no_rejoin",
        "What is published to a broker that is back, by who has not heard its REJOIN, is confirmed and lost.",
        "Section 6",
        {multicast.issue: printed.issue_unconfirmed, multicast.completed: printed.complete_unless_rejoin},
    ),
    Printed(
        "silent_rejoin",
        "What goes past a broker that is back is lost for it if its source fails before it hears of that.",
        "Section 6, REJOIN",
        SILENT,
    ),
    Printed(
        "join_unheard",
        "Nobody but its parent knows a leaf that has joined, and nobody goes past that parent to it.",
        "Section 4.6, RCPT^J",
        {joining.make_known: printed.know_alone},
    ),
    Printed("tree_of_links", "", "Algorithm 2, PAR_TOP; Section 4.6, RCPT^J", {recovery.tell_tree: printed.tell_links}),
    Printed(
        "unmarked",
        "Two leaves that join at once do not know each other.",
        "Section 4.6, RCPT^J; Lemma 6",
        {recovery.tell_tree: printed.tell_unmarked},
    ),
    Printed(
        "join_goes_past",
        "Who is away while a leaf joins never knows it.",
        "Section 4.6; Lemma 5",
        {multicast.stays: printed.stays_at_the_edge},
    ),
    Printed(
        "answered_first",
        "A subscription goes past a leaf that has its table, and is not known yet.",
        "Section 4.6, the two phases",
        {joining.admit: printed.answer_first},
    ),
)
"""The variants, one row each."""
