"""The rules as printed, or without an addition of ours, and the failure that each causes: one row for each variant."""

import msgspec

from gomboc.spec.delta_fault_tolerance.broker import Replaced
from gomboc.spec.delta_fault_tolerance.errata.forwarding import (
    arrive_undelivered,
    avoids_the_sender,
    copy_without_guide,
    is_newer,
    is_nowhere_newer,
    leads_anywhere,
    not_widened,
    seen_from_the_sender,
    settle_and_deliver,
    take_copy_once,
)
from gomboc.spec.delta_fault_tolerance.errata.joining import (
    answer_first,
    know_alone,
    stays_at_the_edge,
    tell_links,
    tell_unmarked,
)
from gomboc.spec.delta_fault_tolerance.errata.recovery import (
    answer_at_once,
    answer_recovering,
    answer_when_done,
    close_nothing,
    complete_unless_rejoin,
    discard_unguided,
    entrust_nothing,
    forget_the_client,
    hand_over_addressed,
    is_never_exact,
    issue_as_operational,
    issue_unconfirmed,
    recipients_nearby,
    remember,
    restart_from_zero,
    stored_unless_rejoin,
    take_no_stamps,
    tell_no_stamps,
    tell_table_and_stamps,
)
from gomboc.spec.delta_fault_tolerance.forwarding import (
    all_recipients,
    copy,
    entrust,
    is_duplicate,
    leads_away,
    seen_from,
    widened,
)
from gomboc.spec.delta_fault_tolerance.joining import admit, make_known
from gomboc.spec.delta_fault_tolerance.multicast import (
    arrive,
    become_operational,
    completed,
    issue,
    settle,
    stays,
    stored,
    take_copy,
)
from gomboc.spec.delta_fault_tolerance.recovery import (
    answer,
    crash,
    decline,
    hand_over,
    is_exact,
    restart,
    take_stamps,
    tell_stamps,
    tell_table,
    tell_tree,
)
from gomboc.spec.delta_fault_tolerance.sessions import close


class Printed(msgspec.Struct, frozen=True):
    """A variant: its name, the failure that it causes (empty if none is known), its source, and the replaced rules."""

    name: str
    breaks: str
    source: str
    replaced: Replaced


SILENT: Replaced = {all_recipients: recipients_nearby, stored: stored_unless_rejoin}
"""REJOIN goes to brokers nearby only, and has no effect on tables."""

ERRATA: tuple[Printed, ...] = (
    Printed(
        "any_direction",
        "Two brokers that both have subscribers wait for each other's confirmation for ever, without any failure.",
        "Section 4.8, RCPT^PUB",
        {leads_away: leads_anywhere, take_copy: take_copy_once},
    ),
    Printed(
        "not_the_sender",
        "What comes past a failed broker goes to that broker's other neighbours, and comes back.",
        "Section 4.1",
        {leads_away: avoids_the_sender},
    ),
    Printed(
        "inverted_duplicates",
        "The second message over a link is taken for a duplicate, confirmed and discarded.",
        "Section 5, isDuplicate",
        {is_duplicate: is_newer},
    ),
    Printed(
        "all_stamps",
        "A copy that has come through a broker that is back has a new stamp, and is delivered again.",
        "Section 5",
        {is_duplicate: is_nowhere_newer},
    ),
    Printed(
        "printed_index",
        "The index is below 0: rows name a broker that is too near, and not the one delta + 1 away.",
        "Section 4.7, make_copy_send",
        {seen_from: seen_from_the_sender},
    ),
    Printed(
        "on_confirmation",
        "A publication whose confirmation is late is delivered after the next one.",
        "Algorithm 1, lines 25 and 26",
        {arrive: arrive_undelivered, settle: settle_and_deliver},
    ),
    Printed(
        "status_of_the_other",
        "Who is asked seems to recover itself, for ever.",
        "Algorithm 7, line 18",
        {answer: answer_recovering},
    ),
    Printed(
        "discarding",
        "What is sent without a guide before REJOIN is confirmed is discarded, and never confirmed.",
        "Algorithm 5, lines 15 to 23, and Section 6.1",
        {issue: issue_as_operational, take_copy: discard_unguided},
    ),
    Printed(
        "answers_at_once",
        "Who recovers takes over a table that is not complete, or waits for what was never sent.",
        "Section 6.2",
        {decline: answer_at_once},
    ),
    Printed(
        "answers_when_done",
        "Three brokers in a row that recover wait for each other for ever.",
        "Section 6.2",
        {decline: remember, become_operational: answer_when_done},
    ),
    Printed(
        "one_sided",
        "Nobody tells the row of a broker that is away as well.",
        "Algorithm 7, line 14",
        {**SILENT, is_exact: is_never_exact},
    ),
    Printed(
        "addressed_only",
        "What waits for brokers past one that recovers goes on waiting where the connection is closed.",
        "Algorithm 7, line 9",
        {hand_over: hand_over_addressed, entrust: entrust_nothing},
    ),
    Printed(
        "counts_from_zero",
        "What a broker sends after it is back is taken for a duplicate.",
        "Section 4.1",
        {restart: restart_from_zero},
    ),
    Printed(
        "forgets_its_client",
        "The others go on sending to a client that has forgotten its subscription.",
        "Section 4.1",
        {crash: forget_the_client},
    ),
    Printed(
        "stamps_first",
        "What was on the way is taken for a duplicate of itself.",
        "decided here",
        {tell_table: tell_table_and_stamps, tell_stamps: tell_no_stamps},
    ),
    Printed("no_stamps", "", "Section 6", {take_stamps: take_no_stamps}),
    Printed(
        "not_widened", "A message ends where a guide ends, and is confirmed.", "Section 6.1", {widened: not_widened}
    ),
    Printed("not_guided", "Who recovers forwards to nobody, and confirms.", "Algorithm 1", {copy: copy_without_guide}),
    Printed("never_closed", "Connections past a broker stay for ever.", "Section 6", {close: close_nothing}),
    Printed(
        "no_rejoin",
        "What is published to a broker that is back, by who has not heard its REJOIN, is confirmed and lost.",
        "Section 6",
        {issue: issue_unconfirmed, completed: complete_unless_rejoin},
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
        {make_known: know_alone},
    ),
    Printed("tree_of_links", "", "Algorithm 2, PAR_TOP; Section 4.6, RCPT^J", {tell_tree: tell_links}),
    Printed(
        "unmarked",
        "Two leaves that join at once do not know each other.",
        "Section 4.6, RCPT^J; Lemma 6",
        {tell_tree: tell_unmarked},
    ),
    Printed(
        "join_goes_past",
        "Who is away while a leaf joins never knows it.",
        "Section 4.6; Lemma 5",
        {stays: stays_at_the_edge},
    ),
    Printed(
        "answered_first",
        "A subscription goes past a leaf that has its table, and is not known yet.",
        "Section 4.6, the two phases",
        {admit: answer_first},
    ),
)
