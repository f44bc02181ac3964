"""The rules as printed, or without an addition of ours, and the failure that each causes."""

from collections.abc import Callable

import msgspec

from gomboc.spec.delta_fault_tolerance.errata.forwarding import (
    AllStamps,
    AnyDirection,
    InvertedDuplicates,
    NotGuided,
    NotTheSender,
    NotWidened,
    OnConfirmation,
    PrintedIndex,
)
from gomboc.spec.delta_fault_tolerance.errata.joining import AnsweredFirst, NotWaitedFor, TreeOfLinks, Unheard, Unmarked
from gomboc.spec.delta_fault_tolerance.errata.recovery import (
    AddressedOnly,
    AnswersAtOnce,
    AnswersWhenDone,
    CountsFromZero,
    Discarding,
    ForgetsItsClient,
    NeverClosed,
    NoRejoin,
    NoStamps,
    OneSided,
    SilentRejoin,
    StampsFirst,
    StatusOfTheOther,
)
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.rules import Rules


class Printed(msgspec.Struct, frozen=True):
    """A variant: its name, the failure that it causes (empty if none is known), its source, and its rules."""

    name: str
    breaks: str
    source: str
    rules: Callable[[Parameters], Rules]


ERRATA: tuple[Printed, ...] = (
    Printed(
        "any_direction",
        "Two brokers that both have subscribers wait for each other's confirmation for ever, without any failure.",
        "Section 4.8, RCPT^PUB",
        AnyDirection,
    ),
    Printed(
        "not_the_sender",
        "What comes past a failed broker goes to that broker's other neighbours, and comes back.",
        "Section 4.1",
        NotTheSender,
    ),
    Printed(
        "inverted_duplicates",
        "The second message over a link is taken for a duplicate, confirmed and discarded.",
        "Section 5, isDuplicate",
        InvertedDuplicates,
    ),
    Printed(
        "all_stamps",
        "A copy that has come through a broker that is back has a new stamp, and is delivered again.",
        "Section 5",
        AllStamps,
    ),
    Printed(
        "printed_index",
        "The index is below 0: rows name a broker that is too near, and not the one delta + 1 away.",
        "Section 4.7, make_copy_send",
        PrintedIndex,
    ),
    Printed(
        "on_confirmation",
        "A publication whose confirmation is late is delivered after the next one.",
        "Algorithm 1, lines 25 and 26",
        OnConfirmation,
    ),
    Printed(
        "status_of_the_other",
        "Who is asked seems to recover itself, for ever.",
        "Algorithm 7, line 18",
        StatusOfTheOther,
    ),
    Printed(
        "discarding",
        "What is sent without a guide before REJOIN is confirmed is discarded, and never confirmed.",
        "Algorithm 5, lines 15 to 23, and Section 6.1",
        Discarding,
    ),
    Printed(
        "answers_at_once",
        "Who recovers takes over a table that is not complete, or waits for what was never sent.",
        "Section 6.2",
        AnswersAtOnce,
    ),
    Printed(
        "answers_when_done",
        "Three brokers in a row that recover wait for each other for ever.",
        "Section 6.2",
        AnswersWhenDone,
    ),
    Printed(
        "one_sided",
        "Nobody tells the row of a broker that is away as well.",
        "Algorithm 7, line 14",
        OneSided,
    ),
    Printed(
        "addressed_only",
        "What waits for brokers past one that recovers goes on waiting where the connection is closed.",
        "Algorithm 7, line 9",
        AddressedOnly,
    ),
    Printed(
        "counts_from_zero",
        "What a broker sends after it is back is taken for a duplicate.",
        "Section 4.1",
        CountsFromZero,
    ),
    Printed(
        "forgets_its_client",
        "The others go on sending to a client that has forgotten its subscription.",
        "Section 4.1",
        ForgetsItsClient,
    ),
    Printed(
        "stamps_first",
        "What was on the way is taken for a duplicate of itself.",
        "decided here",
        StampsFirst,
    ),
    Printed("no_stamps", "", "Section 6", NoStamps),
    Printed("not_widened", "A message ends where a guide ends, and is confirmed.", "Section 6.1", NotWidened),
    Printed("not_guided", "Who recovers forwards to nobody, and confirms.", "Algorithm 1", NotGuided),
    Printed("never_closed", "Connections past a broker stay for ever.", "Section 6", NeverClosed),
    Printed(
        "no_rejoin",
        "What is published to a broker that is back, by who has not heard its REJOIN, is confirmed and lost.",
        "Section 6",
        NoRejoin,
    ),
    Printed(
        "silent_rejoin",
        "What goes past a broker that is back is lost for it if its source fails before it hears of that.",
        "Section 6, REJOIN",
        SilentRejoin,
    ),
    Printed(
        "join_unheard",
        "Nobody but its parent knows a leaf that has joined, and nobody goes past that parent to it.",
        "Section 4.6, RCPT^J",
        Unheard,
    ),
    Printed("tree_of_links", "", "Algorithm 2, PAR_TOP; Section 4.6, RCPT^J", TreeOfLinks),
    Printed(
        "unmarked",
        "Two leaves that join at once do not know each other.",
        "Section 4.6, RCPT^J; Lemma 6",
        Unmarked,
    ),
    Printed(
        "join_goes_past",
        "Who is away while a leaf joins never knows it.",
        "Section 4.6; Lemma 5",
        NotWaitedFor,
    ),
    Printed(
        "answered_first",
        "A subscription goes past a leaf that has its table, and is not known yet.",
        "Section 4.6, the two phases",
        AnsweredFirst,
    ),
)
