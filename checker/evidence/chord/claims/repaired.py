"""Claims on Chord as Zave repaired it: which nodes may fail, waiting, and the starts that become right."""

from itertools import islice, product

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import paraphrase
from gomboc.checker.errata.scene import Scene, Script, play
from gomboc.checker.evidence.chord.claims.report import LET_IN
from gomboc.checker.evidence.chord.experiments import free_failures
from gomboc.checker.evidence.chord.experiments.rounds import becomes_right
from gomboc.checker.evidence.chord.experiments.scenes import among, broken, parameters, protocol, ring, script
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


CLAIMS = (
    Claim(
        name="stored_lists_suffice",
        title="no crash breaks the ring that leaves each list a live entry",
        source="Zave 2017, operating assumption",
        says="A node may fail if every member's list keeps a live entry, and r + 1 principals are left.",
        ran="Our rules; the operating assumption counts stored lists only (variant stored_lists_only).",
        result=Result.OURS,
        examined=Result.REFUTED,
        why="In Zave's model nodes read each other's state at once, and stored lists are all there is: none of her "
        "statements on it is disputed here. That the same assumption suffices with messages would be a statement of "
        "ours: a list in an answer is about to replace the one that was checked.",
        counterexample="Two members 0 and 1, r = 1, and 2, which they let in: 1 asks 2, which crashes when its "
        "answer is on its way. After {steps} steps these are false: {conjuncts}.",
        instead="A list counts that an answer or a place on its way is about to bring.",
        evidence=stored_lists_suffice,
        scenes=(
            Scene(
                "list_on_its_way",
                "A list of dead nodes arrives.",
                on_its_way,
                "stored_lists_only",
                1,
                parameters(ONE),
            ),
        ),
        quotes=(
            paraphrase(
                "Zave 2017, operating assumption",
                "A failure leaves each member's list a live entry, and r + 1 principals.",
            ),
        ),
    ),
    Claim(
        name="late_lists_do_not_matter",
        title="answers that come too late need not count",
        source="decided here at first",
        says="An answer of a node that is behind the head is not used, so its list need not count for the operating "
        "assumption.",
        ran="Our rules; the operating assumption counts lists that would be used now (variant lists_used_now).",
        result=Result.OURS,
        why="The head may crash, and then the answer is used.",
        counterexample="Five members and a joiner, r = 2. 0 asks 2; the answer names 3. 1 joins between them; 3 "
        "crashes, then 2, then 1, and all hear of each. The answer arrives, and the list of 0 is 2 and 3. After "
        "{steps} steps these are false: {conjuncts}. Of the last steps the explorer has a shorter run (model "
        "lists_used_now).",
        instead="Every answer on its way to a member counts, and every place on its way to a node outside.",
        evidence=late_lists_do_not_matter,
        scenes=(
            Scene(
                "answer_that_came_too_late",
                "An old answer brings a list of dead nodes.",
                too_late,
                "lists_used_now",
                1,
                parameters(WIDE),
            ),
        ),
        examined=Result.REFUTED,
    ),
    Claim(
        name="waiting_is_harmless",
        title="a node with an open question may keep others waiting",
        source="decided here; Zave 2017 has no messages",
        says="A node that has asked another one answers no question until it is answered.",
        ran="Our rules, but no node answers with a question open (variant waits_for_answers).",
        result=Result.OURS,
        examined=Result.REFUTED,
        why="Members that ask each other wait for ever. Nothing is wrong with the ring, so that the dead state is "
        "legitimate; but no node gets in any more.",
        counterexample="Two members 0 and 1, r = 1, ask each other, and 2 wants in: after five steps no "
        "question is ever answered. After {rounds} rounds 2 is still outside.",
        instead="Questions leave no trace in the asker; a true answer is used whenever it comes.",
        evidence=waiting_is_harmless,
        scenes=(
            Scene(
                "all_wait",
                "Two members wait for each other, and a third node for them.",
                waiting,
                "waits_for_answers",
                1,
                parameters(ONE),
            ),
        ),
        quotes=(paraphrase("Zave 2017", "A node that waits for an answer does nothing else until it has it."),),
    ),
    Claim(
        name="few_principals_suffice",
        title="live entries suffice, however few members no list skips",
        source="Stoica et al. 2003, Section IV-E.3",
        says="As long as every list has a live entry, the ring is maintained.",
        ran="Our rules; the operating assumption does not count principals (variant principals_fail_freely).",
        result=Result.DEPENDS,
        why="With fewer than r + 1 principals a list that was cut short grows again from a stale one, and goes past "
        "its owner.",
        counterexample="An ideal ring of 0, 1, 2 and 4, r = 3. 0 and 4 crash; 2 hears of both, and is left with "
        "1. 3 joins behind 2, asks 1, and takes its list, in which 2 and 4 stand still: 1, 2, 4, of which 2 lies "
        "behind 3, and 4 before 1. After {steps} steps these are false: {conjuncts}. Every list has a live entry "
        "all the way. Shrunk from a random run.",
        domain="The random runs: ids of three bits, r = 3, an ideal ring of four of five nodes, at most two crashes, "
        "one node that joins, {turns} turns, seeds from 0 on.",
        readings=(
            Reading(
                "The ring is maintained, as the words are: one is left in the counterexample, in which 4 is dead, and "
                "{rings} of {runs} random runs break any promise but that of ordered lists.",
                Result.REPRODUCED,
            ),
            Reading(
                "So is the property that makes its next repair safe, that lists skip no member: {broke} of {runs} "
                "random runs end in a state in which these are false: {conjuncts}.",
                Result.REFUTED,
            ),
        ),
        reading="The words speak of the ring. By the published rules it breaks, too, though each list that names "
        "a failing node has another live entry (at_least_one_ring).",
        instead="r + 1 principals are assumed, as Zave 2017 does.",
        evidence=few_principals_suffice,
        scenes=(
            Scene(
                "two_of_three_are_left",
                "Fewer than r + 1 principals are left.",
                too_few,
                "principals_fail_freely",
                1,
                parameters(TWO),
            ),
            Scene(
                "stale_list_goes_past_its_owner",
                "Two of four members crash, and the list of a member that joins is out of order.",
                free_failures.disordered,
                free_failures.VARIANT,
                1,
                parameters(free_failures.GIVEN),
            ),
        ),
        quotes=(
            paraphrase(
                "Stoica et al. 2003, Section IV-E.3",
                "A ring is maintained as long as every successor list has a live entry.",
            ),
        ),
    ),
    Claim(
        name="any_start_becomes_right",
        title="from any state the ring becomes right",
        source="the meaning of self-stabilising; not claimed by the papers",
        says="From any predecessors and successors, the ring becomes ideal.",
        ran="Our rules without `meet`, round by round.",
        result=Result.OURS,
        why="Of all {starts} starts of three members with one successor each, {stuck} never become right.",
        counterexample="Three members with successors that go around backwards: right for each of them, with any "
        "predecessors.",
        instead="Convergence is promised from states that have the invariant; and with `meet` from all.",
        effect="With `meet`, all 729 starts of three members with any list of at most one entry become right (model "
        "three).",
        evidence=any_start,
        examined=Result.REFUTED,
    ),
    Claim(
        name="invariant_implies_its_consequences",
        title="the invariant implies all that was claimed",
        source="Zave 2017",
        says="If every list has a live entry, and no list skips any of r + 1 members, then there is one ring, in "
        "order, with all principals in it, lists are in order, and every member leads to the ring.",
        ran="The definitions of our specification, no rules.",
        result=Result.REPRODUCED,
        why="True of all {rings} rings of three and four nodes with lists of one entry that have the invariant; and z3 "
        "proves it for up to five nodes with lists of two.",
        evidence=consequences,
        lemmas=("invariant_implies_its_consequences", "no_step_skips_a_principal"),
        effect="z3 proves besides, for rings of any size, that no step but a crash takes a principal away. That "
        "proof first failed: a node that had got in behind the sender of a late answer was not counted, and the "
        "explorer found the run.",
        quotes=(paraphrase("Zave 2017", "OneLiveSuccessor and SufficientPrincipals imply the properties of a ring."),),
    ),
    Claim(
        name="padding_is_shortening",
        title="lists may be padded with ids of no node",
        source="Zave 2017",
        says="A list always has r entries: behind the last one stand the ids that follow it.",
        ran="The definitions of our specification, no rules.",
        result=Result.REPRODUCED,
        why="All {lists} lists of one and two entries on a circle of eight places skip the same places with two pads "
        "and without.",
        instead="Lists are shortened.",
        evidence=padding,
        lemmas=("padding_is_shortening",),
        quotes=(paraphrase("Zave 2017", "Lists are extended to r entries by the identifiers that follow."),),
    ),
)
