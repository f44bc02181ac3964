"""Claims of Section 3.1 and Lemma 9: the supervisor's database, and its repair."""

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script, delivery, until_legitimate
from gomboc.checker.evidence.skip_ring.experiments import printed_supervisor as printed
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of, position
from gomboc.spec.protocols.skip_ring.space import names, roles
from gomboc.spec.protocols.skip_ring.state import (
    FIELDS,
    SUPERVISOR,
    Entry,
    GetConfiguration,
    Subscribe,
    Subscriber,
    Supervisor,
)
from gomboc.spec.protocols.skip_ring.supervisor import subscribe

LABELS, ENOUGH = 5, 12
"""The labels of the databases that are tried, and the timeouts after which one counts as never repaired."""

NOT_CANONICAL: printed.Table = {"0": "a", "10": "b"}
TWO_COPIES: printed.Table = {"0": "v1", "1": "v1", "01": "v2"}


def gap_is_filled() -> Evidence:
    """Line 44 on a database with a label that is no l(j), and on all small ones with canonical labels only."""
    filled = _is_filled(NOT_CANONICAL)
    tables = list(printed.every_table(LABELS, (None, "a", "b", "c")))
    entries = tuple(Entry(label, node) for label, node in NOT_CANONICAL.items())
    canonical = all(map(_is_filled, tables))
    return by_readings(
        (settled(canonical), settled(filled and canonical)),
        {
            "tables": len(tables),
            "labels": LABELS - 1,
            "refused": [f"{fault.found}" for fault in FIELDS.malformed(None, Supervisor(entries))],
        },
        {
            "10 and 1 are the same number": position("10") == position("1"),
        },
    )


def _is_filled(table: printed.Table) -> bool:
    try:
        printed.check_labels(table)
    except printed.NoTupleError:
        return False
    return True


def timeouts_to_repair(table: printed.Table, following: int = 0) -> int:
    """The printed timeouts after which a database is not corrupted, and stays so for a whole turn."""
    last_unsound = 0
    for number in range(1, ENOUGH + 1):
        last_unsound = last_unsound if printed.is_sound(table) else number
        table, following = printed.timeout(table, following)
    return last_unsound


def database_is_repaired() -> Evidence:
    """Lemma 9 on every database over five labels and three subscribers."""
    tables = list(printed.every_table(LABELS, (None, "a", "b", "c")))
    needed = [max(timeouts_to_repair(table, following) for table in tables) for following in range(LABELS)]
    return Evidence(
        settled(max(needed) + LABELS < ENOUGH),
        {
            "tables": len(tables),
            "most": max(needed),
            "each": [f"{most} from next = {following}" for following, most in enumerate(needed)],
            "labels": LABELS,
            "slow": SLOW,
        },
        {"the slowest named needs as many": timeouts_to_repair(SLOW, 1) == timeouts_to_repair(SLOW, 2) == max(needed)},
    )


SLOW: printed.Table = {"0": "a", "1": "b", "01": "a", "11": "c", "001": "b"}


def copies_then_subscribe() -> Evidence:
    """Databases that lose a record if a request and then a subscription come before the next timeout."""
    tables = [table for table in printed.every_table(LABELS, ("a", "b", "c")) if _has_no_gap(table)]
    first = printed.check_multiple_copies(TWO_COPIES, "v1")
    ours = subscribe(Supervisor(tuple(sorted(Entry(label, node) for label, node in TWO_COPIES.items()))), "v3")
    lost = sum(map(_loses, tables))
    sound = [table for table in tables if printed.is_sound(table)]
    unsound = sum(not printed.is_sound(after) for table in sound for after in _after_requests(table))
    return by_readings(
        (settled(unsound == 0), settled(lost == 0)),
        {
            "sound": len(sound),
            "unsound": unsound,
            "tables": len(tables),
            "labels": LABELS,
            "lost": lost,
            "united": sum(map(_loses_as_set, tables)),
            "before": TWO_COPIES,
            "between": first,
            "after": printed.subscribe(first, "v3"),
            "ours": {entry.label: entry.node for entry in ours.local.database},
        },
        {"on a set, the next CheckLabels gives each of them a label of its own": all(map(_is_mended_as_set, tables))},
    )


def _has_no_gap(table: printed.Table) -> bool:
    return bool(table) and set(table) == {label_of(i) for i in range(len(table))}


def _after_requests(table: printed.Table) -> list[printed.Table]:
    """The database after any subscriber's request for its configuration, and the subscription of a new one after it."""
    asked = [printed.check_multiple_copies(table, node) for node in table.values()]
    return [*asked, *(printed.subscribe(database, "new") for database in asked)]


def _loses(table: printed.Table) -> bool:
    known = set(table.values())
    after = (printed.subscribe(printed.check_multiple_copies(table, asked), "new") for asked in known)
    return any(not known < set(database.values()) for database in after)


def _loses_as_set(table: printed.Table) -> bool:
    """The same on a set of tuples, to which line 8 adds one: two may have one label."""
    known = set(table.values())
    after = (printed.subscribe_united(printed.check_multiple_copies(table, asked), "new") for asked in known)
    return any(not known < {node for _, node in tuples} for tuples in after)


def _is_mended_as_set(table: printed.Table) -> bool:
    """Whether CheckLabels leaves a set with so many labels as tuples, whichever configuration is asked for first."""
    after = [printed.subscribe_united(printed.check_multiple_copies(table, asked), "new") for asked in table.values()]
    return all(len({label for label, _ in printed.check_labels_united(tuples)}) == len(tuples) for tuples in after)


def copies_then_newcomer() -> Script:
    """The database has v1 twice and v2; v1's configuration is asked for; v3, which is not recorded, subscribes."""
    database = tuple(sorted(Entry(label, node) for label, node in TWO_COPIES.items()))
    states = {**dict.fromkeys(names(3), Subscriber()), SUPERVISOR: Supervisor(database)}
    asked = (SUPERVISOR, GetConfiguration("v1")), (SUPERVISOR, Subscribe("v3"))
    script = Script(
        Start(roles(3), tuple(sorted(states.items())), asked), tuple(delivery(*message) for message in asked)
    )
    return until_legitimate(PROTOCOL, script)


NEWCOMER = Scene(
    "copies_then_newcomer",
    "the database of the counterexample under our rules: it is repaired before v3 is recorded, and no record is lost",
    copies_then_newcomer,
)


CLAIMS = (
    Claim(
        name="lemma_9_gap_can_be_filled",
        title="a tuple that can fill a gap always exists",
        source="Lemma 9 (iii); Algorithm 3, line 44",
        says='"Note that (l(j), w) has to exist in this case, since otherwise i >= |database| = n, which is a '
        'contradiction."',
        ran="Algorithm 3, lines 38 to 45, as printed, on a hash map from label to subscriber.",
        result=Result.DEPENDS,
        why="The database is a subset of (bit strings) x V, and not every bit string is some l(j): those that end in "
        "0 are none, except 0 itself. A gap is then noticed, and there is no tuple to fill it.",
        evidence=gap_is_filled,
        counterexample="database = (0, a), (10, b): n = 2, l(1) = 1 is missing, and no l(j) with j > 1 is there.",
        instead="Labels that are no l(j) are refused wherever they come from (here: {refused}). 10 and 1 are also "
        "the same number under r, so that two nodes would have one place on the ring.",
        readings=(
            Reading(
                "Only words that are some l(j) are labels: there is a tuple in all {tables} databases over l(0) to "
                "l({labels}), three subscribers and empty tuples.",
                Result.REPRODUCED,
            ),
            Reading("Any bit string may be a label in a corrupted database, as its type is printed.", Result.REFUTED),
        ),
        reading='The database is printed as a subset of (bit strings) x V. Section 2.1 says of l(x): "we call" it "a '
        'label".',
        lemmas=("labels_are_a_bijection",),
        quotes=(
            Quotation(
                "Lemma 9 (iii), proof",
                "Note that (l(j), w) has to exist in this case, since otherwise i >= |database| = n, which is a "
                "contradiction.",
            ),
        ),
    ),
    Claim(
        name="lemma_9_database_is_repaired",
        title="the database does not stay corrupted",
        source="Lemma 9; Algorithm 3, lines 1-5 and 31-45",
        says='"Eventually the supervisor\'s database will not be corrupted anymore."',
        ran="Algorithm 3, lines 1 to 5 and 31 to 45, as printed, on a hash map from label to subscriber.",
        result=Result.REPRODUCED,
        why="With labels that are some l(j), and no requests in between, the printed Timeout repairs every one of "
        "the {tables} databases over {labels} labels, three subscribers and empty tuples, after at most {most} "
        "calls, for instance {slow}. More than one is needed since CheckMultipleCopies, called after "
        "CheckLabels, leaves gaps of its own.",
        domain="Every first value of `next`, which may be corrupted too: {each}.",
        evidence=database_is_repaired,
        instead="One repair, before every request and in every timeout, is enough: copies first, gaps afterwards.",
        lemmas=("repair_yields_the_first_labels", "relabelling_terminates"),
        quotes=(Quotation("Lemma 9", "Eventually the supervisor's database will not be corrupted anymore."),),
    ),
    Claim(
        name="copies_then_subscribe",
        title="between two timeouts the database may be taken for sound",
        source="Section 3.1 (ii); Algorithm 3, lines 6-10 and 31-37",
        says='All repairs are local; "therefore we assume that the database of the supervisor is always in a '
        'non-corrupted state from this point on". Subscribe stores a newcomer at l(n).',
        ran="Algorithm 3, lines 6 to 10 and 31 to 37, as printed: on a hash map, and on a set. The trace is of ours.",
        result=Result.DEPENDS,
        why="CheckMultipleCopies, when called for a request, removes copies, and leaves gaps until the next Timeout. "
        "n is smaller by then, and l(n) may be the label of a subscriber. With the hash map of Section 3.1, that "
        "record is overwritten. The lost subscriber learns it at its next request (Algorithm 3, line 30), and "
        "subscribes again (Algorithm 4, line 5). It happens only as long as there are copies, that is, to initial "
        "states.",
        evidence=copies_then_subscribe,
        counterexample="{before}; v1's configuration is requested: {between}; v3 subscribes: {after}. v2 is lost.",
        readings=(
            Reading(
                'From the point on at which the repairs are done, as Lemma 9 has it "eventually": each of the {sound} '
                "databases that are not corrupted (at most {labels} labels, three subscribers) stays so through a "
                "request for a configuration and a subscription after it.",
                Result.REPRODUCED,
            ),
            Reading(
                "From the first state on: in {lost} of the {tables} databases that have no gap (as many labels and "
                "subscribers), a request for a configuration followed by a subscription loses a record.",
                Result.REFUTED,
            ),
        ),
        reading='The sentence says "we assume", and Lemma 9 proves less, so that the first reading is the nearer one. '
        "Line 8 prints a union of sets. On a set of tuples no record is lost (in {united} of these databases); "
        "two tuples may have one label then; another label is missing, which is condition (iii), and the next "
        "CheckLabels moves one of the two there.",
        instead="Repair before service, gaps included. The same requests then give {ours}.",
        lemmas=("subscribe_overwrites_no_node",),
        scenes=(NEWCOMER,),
        quotes=(
            Quotation(
                "Section 3.1",
                "Therefore we assume that the database of the supervisor is always in a non-corrupted state from"
                " this point on.",
            ),
            Quotation("Algorithm 3, line 8", "database <- database + {(l(n), v)}"),
        ),
        prose=(
            Quotation(
                "Section 3.1",
                "Note that when using a hashmap for the database, we do not need to check explicitly whether "
                "there are multiple tuples with the same label or whether there are tuples with the label set to"
                " bottom.",
            ),
        ),
    ),
)
