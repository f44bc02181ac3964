"""The supervisor's database: its printed repair and rules, on every small table."""

from functools import cache
from itertools import permutations

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_ring.experiments import printed_supervisor as printed
from gomboc.checker.evidence.skip_ring.experiments.ring import database_of, levels, members
from gomboc.spec.protocols.skip_ring import state
from gomboc.spec.protocols.skip_ring.labels import distance, index_of, label_of, position
from gomboc.spec.protocols.skip_ring.supervisor import get_configuration, subscribe

LABELS, ENOUGH = 5, 12
"""The labels of the databases that are tried, and the timeouts after which one counts as never repaired."""

NOT_CANONICAL: printed.Table = {"0": "a", "10": "b"}

TWO_COPIES: printed.Table = {"0": "v1", "1": "v1", "01": "v2"}

SLOW: printed.Table = {"0": "a", "1": "b", "01": "a", "11": "c", "001": "b"}


def gap_is_filled() -> Evidence:
    """Line 44 on a database with a label that is no l(j), and on all small ones with canonical labels only."""
    filled = _is_filled(NOT_CANONICAL)
    tables = list(printed.every_table(LABELS, (None, "a", "b", "c")))
    entries = tuple(state.Entry(label, node) for label, node in NOT_CANONICAL.items())
    canonical = all(map(_is_filled, tables))
    return by_readings(
        (settled(canonical), settled(filled and canonical)),
        {
            "tables": len(tables),
            "labels": LABELS - 1,
            "refused": [f"{fault.found}" for fault in state.FIELDS.malformed(None, state.Supervisor(entries))],
        },
        {"10 and 1 are the same number": position("10") == position("1")},
    )


def _is_filled(table: printed.Table) -> bool:
    try:
        printed.check_labels(table)
    except printed.NoTupleError:
        return False
    return True


Ordered = tuple[tuple[str, str | None], ...]
"""The tuples of a database, in the order in which a loop meets them."""


def timeouts_to_repair(table: printed.Table, following: int = 0) -> int:
    """The printed timeouts after which a database is not corrupted, and stays so for a whole turn."""
    last_unsound, ordered = 0, tuple(table.items())
    for number in range(1, ENOUGH + 1):
        is_sound, ordered, following = _timeout(ordered, following)
        last_unsound = last_unsound if is_sound else number
    return last_unsound


@cache
def _timeout(ordered: Ordered, following: int) -> tuple[bool, Ordered, int]:
    """Whether a database is not corrupted, and what a timeout makes of it: few are there after the first one."""
    table = dict(ordered)
    after, following = printed.timeout(table, following)
    return printed.is_sound(table), tuple(after.items()), following


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


def copies_then_subscribe() -> Evidence:
    """Databases that lose a record if a request and then a subscription come before the next timeout."""
    every = printed.every_table(LABELS, ("a", "b", "c"))
    tables = [table for table in every if table and set(table) == {label_of(i) for i in range(len(table))}]
    first = printed.check_multiple_copies(TWO_COPIES, "v1")
    ours = subscribe(
        state.Supervisor(tuple(sorted(state.Entry(label, node) for label, node in TWO_COPIES.items()))), "v3"
    )
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


def text_and_pseudocode_agree() -> Evidence:
    """An unknown subscriber's request, copies in every order, and equal distances: by the text and by the lines."""
    two = state.Supervisor(database_of(2))
    asked, integrated = get_configuration(two, "v3").local.database, subscribe(two, "v3").local.database
    copies = [table for table in printed.every_table(3, ("a", "b")) if len(set(table.values())) < len(table)]
    orders = {number: list(map(dict, permutations(table.items()))) for number, table in enumerate(copies)}
    other = {number: sum(map(_keeps_any_other, arrangements)) for number, arrangements in orders.items()}
    labels = [label_of(index) for index in range(8)]
    equal = {
        (held, requested)
        for own in labels
        for held in labels
        for requested in labels
        if held < own and requested < own and distance(held, own) == distance(requested, own)
    }
    return Evidence(
        settled(asked == integrated and not any(other.values())),
        {
            "recorded": {entry.label: entry.node for entry in integrated},
            "asked": {entry.label: entry.node for entry in asked},
            "other": sum(other.values()),
            "orders": sum(map(len, orders.values())),
            "broken": sum(map(bool, other.values())),
            "sorted": sum(_keeps_any_other(dict(sorted(table.items()))) for table in copies),
            "tables": len(copies),
        },
        {"distances are equal only for one label": all(held == requested for held, requested in equal)},
    )


def _keeps_any_other(table: printed.Table) -> bool:
    """Whether for some node the first tuple that the loop meets is not that with the lowest label."""
    lowest = {node: label for label, node in sorted(table.items(), key=lambda row: index_of(row[0]), reverse=True)}
    return any(label not in printed.check_multiple_copies(table, node) for node, label in lowest.items())


def empty_and_single() -> Evidence:
    """Line 3 with an empty database; the neighbours of the only subscriber in a sorted ring of one."""
    undefined = False
    try:
        divmod(1, len(printed.check_labels({})))
    except ZeroDivisionError:
        undefined = True
    alone = [state.Entry("0", "v1")]
    neighbours = {alone[(0 - 1) % len(alone)], alone[(0 + 1) % len(alone)]}
    u = members(1)["v1"]
    return Evidence(
        settled(not undefined),
        {},
        {
            "the only node of a ring is its own predecessor and successor": neighbours == set(alone),
            "by our rules it has no neighbours": (u.left, u.right, u.ring) == (None, None, None),
            "for n = 1 there are no levels": levels(1) == 0,
        },
    )
