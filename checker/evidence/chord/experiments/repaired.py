"""Claims on Chord as Zave repaired it: which nodes may fail, waiting, and the starts that become right."""

from itertools import islice, product

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script, play
from gomboc.checker.evidence.chord.experiments import free_failures
from gomboc.checker.evidence.chord.experiments.report import LET_IN
from gomboc.checker.evidence.chord.experiments.rounds import becomes_right
from gomboc.checker.evidence.chord.experiments.scenes import among, broken, protocol, ring, script
from gomboc.spec.core.model import Commanded
from gomboc.spec.protocols.chord.lists import Lists, examined, unskipped
from gomboc.spec.protocols.chord.models import ONE, TWO, WIDE
from gomboc.spec.protocols.chord.promises import CONSEQUENCES
from gomboc.spec.protocols.chord.space import names_of
from gomboc.spec.protocols.chord.state import Node

ON_ITS_WAY = (
    f"{LET_IN}; n000 Notify n002; n001; n000 StabilizeRequest n001; n001 StabilizeReply n000; "
    "n002 StabilizeRequest n001; n002: Crash; n001 StabilizeReply n002"
)
TOO_LATE = (
    # 0 asks 2; the answer, "3 and 4", is late; 1 gets in between.
    "n000; n002 StabilizeRequest n000; n001: Join n000; n001; n000 JoinRequest n001; "
    "n001 JoinReply n000; n001; n002 StabilizeRequest n001;"
    "n001 StabilizeReply n002; n002 Notify n001; n000; n002 StabilizeRequest n000; "
    "n000 StabilizeReply n002 2; n001 StabilizeRequest n000; n000 StabilizeReply n001;"
    # 3 crashes, all forget it, then 2, and then 1.
    "n003: Crash; n002: Suspect n003; n001: Suspect n003; n001; n002 StabilizeRequest n001; n001 StabilizeReply n002;"
    "n002: Crash; n001: Suspect n002; n001; n004 StabilizeRequest n001; n001 StabilizeReply n004; n000; "
    "n001 StabilizeRequest n000; n000 StabilizeReply n001;"
    "n001: Crash; n000; n001 StabilizeRequest n000; n000 Dead n001; n000 StabilizeReply n002"
)
WAITING = "n002: Join n000; n000; n001; n001 StabilizeRequest n000; n000 StabilizeRequest n001"
ROUNDS = 12


def on_its_way() -> Script:
    """A member asks another one that crashes while its answer is on its way."""
    return script(protocol(ONE, "stored_lists_only"), ring(ONE, 2, 1), ON_ITS_WAY)


def too_late() -> Script:
    """An answer is overtaken by three crashes."""
    return script(protocol(WIDE, "lists_used_now"), among(WIDE, 6, 1), TOO_LATE)


def waiting() -> Script:
    """Two members have asked each other, and a third node wants in."""
    return script(protocol(ONE, "waits_for_answers"), ring(ONE, 2, 1), WAITING, ROUNDS, ROUNDS)


def too_few() -> Script:
    """One of three crashes."""
    return script(protocol(TWO, "principals_fail_freely"), ring(TWO, 3), "n000: Crash")


def _kept(by_name: str, run: Script) -> Evidence:
    by = protocol(ONE if by_name == "stored_lists_only" else WIDE, by_name)
    *_, before, end = play(by, run)
    implied = {name for name in broken(by, end) if name != "invariant"}
    return Evidence(
        settled(not implied),
        {"steps": len(run.turns), "conjuncts": sorted(implied)},
        {
            "no consequence of the invariant was false before": set(broken(by, before)) <= {"invariant"},
            "no command breaks this assumption": not any(
                by.assumption(stage.states, stage.in_flight)
                for turn, stage in zip(run.turns, islice(play(by, run), 1, None), strict=True)
                if isinstance(turn.taken, Commanded)
            ),
        },
    )


def stored_lists_suffice() -> Evidence:
    """The shortest run by our explorer, replayed."""
    return _kept("stored_lists_only", on_its_way())


def late_lists_do_not_matter() -> Evidence:
    """A run of six nodes, replayed."""
    return _kept("lists_used_now", too_late())


def waiting_is_harmless() -> Evidence:
    """A deadlocked run, and the same run without the node that wants to join."""
    by, run = protocol(ONE, "waits_for_answers"), waiting()
    *_, end = play(by, run)
    two = ring(ONE, 2)
    alone = script(
        by,
        two,
        "n000; n001; n001 StabilizeRequest n000; n000 StabilizeRequest n001; n001 Ping n000; n000 Ping n001",
        ROUNDS,
    )
    *_, dead = play(by, alone)
    fine = list(play(protocol(ONE), script(protocol(ONE), ring(ONE, 2, 1), WAITING, ROUNDS)))[-1]
    return Evidence(
        settled(end.is_legitimate(by)),
        {"rounds": ROUNDS},
        {
            "two members alone that wait for each other are legitimate, and nothing is on its way": dead.is_legitimate(
                by
            )
            and not dead.in_flight,
            "by our rules the node gets in, and all is right": fine.is_legitimate(protocol(ONE)),
        },
    )


def few_principals_suffice() -> Evidence:
    """A run in which two of four members crash, replayed; and random runs."""
    by, run = free_failures.freely(), free_failures.disordered()
    implied = free_failures.breaks(by, run)
    broke = [free_failures.random_run(by, seed) for seed in range(free_failures.RUNS)]
    lists = frozenset({"ordered_lists"})
    rings = [free_failures.random_run(by, seed, lists) for seed in range(free_failures.RUNS)]
    *_, end = play(protocol(TWO, free_failures.VARIANT), too_few())
    return by_readings(
        (settled(implied <= lists and not any(rings)), settled(not implied)),
        {
            "steps": len(run.turns),
            "conjuncts": sorted(implied),
            "runs": free_failures.RUNS,
            "turns": free_failures.TURNS,
            "broke": sum(map(bool, broke)),
            "rings": sum(map(bool, rings)),
        },
        {
            "without any one or two of its steps the run breaks nothing": not any(
                free_failures.breaks(by, less) for less in free_failures.shorter(by, run)
            ),
            "the random runs break no other consequence of the invariant": set().union(*broke) == implied,
            "every list has a live entry all the way": not any(
                by.assumption(stage.states, stage.in_flight) for stage in play(by, run)
            ),
            "after one crash of three members, r = 2, the number of principals is too small": "invariant"
            in broken(protocol(TWO, free_failures.VARIANT), end),
        },
    )


def any_start() -> Evidence:
    """Every ring of three with lists of one entry, round by round."""
    names = names_of(ONE.circle, 3)
    others = {name: tuple(other for other in names if other != name) for name in names}
    locals_of = [
        [Node("inside", before, (head,)) for before in (None, *others[name]) for head in others[name]] for name in names
    ]
    starts = [dict(zip(names, states, strict=True)) for states in product(*locals_of)]
    stuck = [start for start in starts if not becomes_right(protocol(ONE), start, 40)]
    backwards = {"n000": "n002", "n001": "n000", "n002": "n001"}
    return Evidence(
        settled(not stuck),
        {"starts": len(starts), "stuck": len(stuck)},
        {
            "in all of these the heads go around backwards": all(
                {name: local.successors[0] for name, local in start.items()} == backwards for start in stuck
            )
        },
    )


def consequences() -> Evidence:
    """Every ring of three and of four nodes with lists of one entry; any of the nodes may be dead."""
    held, invariants = 0, 0
    for nodes in (3, 4):
        for live, heads in product(product((True, False), repeat=nodes), product(range(nodes), repeat=nodes)):
            if not any(live) or any(node == head for node, head in enumerate(heads)):
                continue
            stored = tuple((f"n{node}", (f"n{heads[node]}",)) for node in range(nodes) if live[node])
            rings = examined(WIDE.circle, Lists(stored, (), (), (), not all(live)))
            if rings.without or len(rings.principals) < 2:
                continue
            invariants += 1
            held += not any(fault for conjunct in CONSEQUENCES for fault in conjunct(WIDE.circle, rings))
    return Evidence(settled(held == invariants), {"rings": invariants})


def padding() -> Evidence:
    """Every list of one and two entries on a circle of eight places, padded with one and two ids of no node."""
    places = range(8)
    differ, looked = 0, 0
    for me, listed in product(places, (*product(places, repeat=1), *product(places, repeat=2))):
        padded = (*listed, (listed[-1] + 1) % 8, (listed[-1] + 2) % 8)
        shorter, longer = (
            unskipped(WIDE.circle, tuple(map(_name, places)), ((_name(me), tuple(map(_name, entries))),))
            for entries in (listed, padded)
        )
        looked += 1
        differ += shorter != longer
    return Evidence(settled(differ == 0), {"lists": looked})


def _name(position: int) -> str:
    return f"n{position}"
