"""Experiments on Chord as Zave repaired it: which nodes may fail, waiting, and the starts that become right."""

from itertools import product

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import play
from gomboc.checker.evidence.chord.experiments.free_failures import (
    DISORDERED,
    FREELY,
    RUNS,
    TURNS,
    breaks,
    random_run,
    shorter,
)
from gomboc.checker.evidence.chord.experiments.scenes import becomes_right, protocol, scene
from gomboc.spec.core.model import Commanded
from gomboc.spec.protocols.chord.lists import Lists, examined, unskipped
from gomboc.spec.protocols.chord.models import ONE, WIDE
from gomboc.spec.protocols.chord.promises import CONSEQUENCES
from gomboc.spec.protocols.chord.space import names_of
from gomboc.spec.protocols.chord.state import Node


def assumption_suffices(name: str) -> Evidence:
    """A run in which no command breaks the variant's assumption, replayed: the consequences that are false at last."""
    played = scene(name)
    turns, stages, by = played.script().turns, played.stages(), played.protocol
    implied = played.broken() - {"invariant"}
    return Evidence(
        settled(not implied),
        {"steps": len(turns), "conjuncts": sorted(implied)},
        {
            "no consequence of the invariant was false before": played.broken(-2) <= {"invariant"},
            "no command breaks this assumption": not any(
                by.promises.assumption(stage.states, stage.in_flight)
                for turn, stage in zip(turns, stages[1:], strict=True)
                if isinstance(turn.taken, Commanded)
            ),
        },
    )


def waiting_is_harmless() -> Evidence:
    """A deadlocked run, and the same run without the node that wants to join."""
    waits = scene("all_wait")
    asks = "n000; n001; n001 StabilizeRequest n000; n000 StabilizeRequest n001; n001 Ping n000; n000 Ping n001"
    alone = replace(waits, nodes=2, outside=(), turns=asks)
    dead = alone.stages()[-1]
    fine = replace(waits, variant=None).stages()[-1]
    return Evidence(
        settled(waits.stages()[-1].is_legitimate(waits.protocol)),
        {"rounds": waits.rounds},
        {
            "two members alone that wait for each other are legitimate, and nothing is on its way": not dead.in_flight
            and dead.is_legitimate(waits.protocol),
            "by our rules the node gets in, and all is right": fine.is_legitimate(protocol(ONE)),
        },
    )


def few_principals_suffice() -> Evidence:
    """A run in which two of four members crash, replayed; and random runs."""
    run = DISORDERED.script()
    implied, lists = breaks(FREELY, run), frozenset({"ordered_lists"})
    broke, rings = ([random_run(FREELY, seed, kept) for seed in range(RUNS)] for kept in (frozenset[str](), lists))
    return by_readings(
        (settled(implied <= lists and not any(rings)), settled(not implied)),
        {
            "steps": len(run.turns),
            "conjuncts": sorted(implied),
            "runs": RUNS,
            "turns": TURNS,
            "broke": sum(map(bool, broke)),
            "rings": sum(map(bool, rings)),
        },
        {
            "without any one or two of its steps the run breaks nothing": not any(
                breaks(FREELY, less) for less in shorter(FREELY, run)
            ),
            "the random runs break no other consequence of the invariant": set().union(*broke) == implied,
            "every list has a live entry all the way": not any(
                FREELY.promises.assumption(stage.states, stage.in_flight) for stage in play(FREELY, run)
            ),
            "after one crash of three members, r = 2, the number of principals is too small": "invariant"
            in scene("two_of_three_are_left").broken(),
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


def loops_are_undone() -> Evidence:
    """The ring of three members with successors that go around backwards."""
    names = names_of(ONE.circle, 3)
    backwards = {name: Node("inside", None, (names[at - 1],)) for at, name in enumerate(names)}
    return Evidence(settled(becomes_right(protocol(ONE), backwards, 40)), {})


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
    places = tuple(f"n{position}" for position in range(8))
    lists = list(product(range(8), (*product(range(8), repeat=1), *product(range(8), repeat=2))))

    def kept(me: int, listed: tuple[int, ...]) -> object:
        return unskipped(WIDE.circle, places, ((places[me], tuple(places[entry] for entry in listed)),))

    same = [kept(me, listed) == kept(me, (*listed, (listed[-1] + 1) % 8, (listed[-1] + 2) % 8)) for me, listed in lists]
    return Evidence(settled(all(same)), {"lists": len(lists)})
