"""Claims on joining and leaving, and on what is done on the way."""

from collections.abc import Iterator
from math import log2
from random import Random

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_plus.exhibits.order import follows
from gomboc.checker.evidence.skip_plus.exhibits.rounds import System, a_round, commanded, run
from gomboc.checker.evidence.skip_plus.exhibits.starts import settled as quiet
from gomboc.checker.evidence.skip_plus.exhibits.starts import star
from gomboc.spec.skip_plus.ranges import neighbours
from gomboc.spec.skip_plus.space import assignments
from gomboc.spec.skip_plus.state import Command, Crash, Join, Leave

NODES, SUBJECTS, MOST = (8, 16), 4, 60
SIZES = (*NODES, 32)
COMMANDS = ("join", "leave", "crash")


def degree_on_the_way() -> Evidence:
    """The most that anybody knows, round by round from a star, and in the right graph."""
    names = assignments(16)[0]
    now = star(names, Random(0))
    others = [max(len(each.known(name)) for name in names if name != _middle(now)) for each in list(run(now, MOST))[1:]]
    right = max(len(neighbours(name, names)) for name in names)
    return Evidence(
        settled(max(len(now.known(name)) for name in names) <= right and max(others) <= right),
        {"most": max(others), "right": right, "nodes": len(names)},
    )


def _middle(now: System) -> str:
    return max(now.states, key=lambda name: len(now.known(name)))


def disturbed(what: str, nodes: int) -> Iterator[tuple[str, System, System]]:
    """Right graphs in which one node joins, leaves or crashes: who, before it, and just after it."""
    for number in range(SUBJECTS):
        names = assignments(nodes)[number]
        who, contact = names[(3 * number + 1) % nodes], names[(3 * number + 4) % nodes]
        before = quiet(names, (who,) if what == "join" else ())
        commands: dict[str, Command] = {"join": Join(contact), "leave": Leave(), "crash": Crash()}
        yield who, before, commanded(before, who, commands[what])


def only_neighbours_are_involved() -> Evidence:
    """Who has another set of neighbours after some timeout, while one joins or leaves."""
    strangers, temporary = 0, 0
    for what in ("join", "leave"):
        for nodes in NODES:
            for who, before, after in disturbed(what, nodes):
                names = after.live() if what == "join" else before.live()
                around = {who, *neighbours(who, names)}
                for now in list(run(after, MOST))[1:]:
                    others = [name for name in now.live() if name not in around]
                    strangers += sum(now.states[name].neighbours != before.states[name].neighbours for name in others)
                    temporary += sum(
                        bool(
                            set(now.known(name)) - set(now.states[name].neighbours) - set(neighbours(name, now.live()))
                        )
                        for name in others
                    )
    return Evidence(
        settled(strangers == 0),
        {"runs": 2 * len(NODES) * SUBJECTS, "strangers": strangers, "temporary": temporary},
    )


def membership_takes_few_rounds() -> Evidence:
    """Rounds until all is right again, of joins, leaves and crashes."""
    found = {
        what: {nodes: max(len(list(run(after, MOST))) - 1 for _, _, after in disturbed(what, nodes)) for nodes in SIZES}
        for what in COMMANDS
    }
    outcomes = {follows(each, log2) for each in found.values()}
    return Evidence(
        Result.REPRODUCED if outcomes == {Result.REPRODUCED} else Result.UNDECIDED,
        {
            "sizes": [f"{nodes}" for nodes in SIZES],
            "subjects": SUBJECTS,
            **{what: [f"{taken}" for taken in each.values()] for what, each in found.items()},
        },
    )


def few_edges_are_inserted() -> Evidence:
    """The inserts of one quiet round, and the edges that are inserted anew while one joins or leaves."""
    still = {nodes: _inserts(a_round(quiet(assignments(nodes)[0]))) for nodes in SIZES}
    fresh = {
        what: {nodes: max(_fresh(after) for _, _, after in disturbed(what, nodes)) for nodes in SIZES}
        for what in ("join", "leave")
    }
    outcomes = {follows(each, lambda nodes: log2(nodes) ** 4) for each in fresh.values()}
    join = [most / log2(nodes) ** 4 for nodes, most in fresh["join"].items()]
    return Evidence(
        Result.REPRODUCED if outcomes == {Result.REPRODUCED} else Result.UNDECIDED,
        {
            "sizes": [f"{nodes}" for nodes in SIZES],
            "quiet": [f"{each}" for each in still.values()],
            "powers": [f"{log2(nodes) ** 4:.0f}" for nodes in SIZES],
            **{what: [f"{most}" for most in each.values()] for what, each in fresh.items()},
        },
        {"over these n a join's inserts grow faster than log^4 n": join == sorted(join)},
    )


def _inserts(now: System) -> int:
    return sum(len(message.inserts) for sent in now.inbox.values() for message in sent if hasattr(message, "sender"))


def _fresh(first: System) -> int:
    """How often somebody comes to know somebody it did not know, until all is right."""
    found = 0
    for now in run(first, MOST):
        for name in now.live():
            known = set(now.states[name].neighbours)
            found += len(now.known(name) - known)
    return found


CLAIMS = (
    Claim(
        name="degree_on_the_way",
        title="during convergence, too, no node knows more than O(log n) others",
        source="Slide 33",
        says='"The Skip+ Graph has degree O(log(n))"; of the way there nothing is said.',
        ran="Our rules.",
        result=Result.OURS,
        why="From a star of {nodes} nodes the middle knows all others at first, and tells them of each other: others "
        "come to know {most}, while in the right graph nobody has more than {right} neighbours.",
        evidence=degree_on_the_way,
        counterexample="A star: whoever is in the middle knows n - 1 nodes.",
        instead="Nothing: the rules are as printed.",
        reading="The slides speak of the right graph only.",
        quotes=(Quotation("Slide 33", "The Skip+ Graph has degree O(log(n))"),),
        examined=Result.REFUTED,
    ),
    Claim(
        name="only_neighbours_are_involved",
        title="when a node joins or leaves, only its neighbours are involved",
        source="Slide 33",
        says='"When a node joins/leaves only the neighbors are involved."',
        ran="Our rules.",
        result=Result.REPRODUCED,
        why="In {runs} joins and leaves in right graphs of 8 and 16 nodes, nobody else ever had another set of "
        "neighbours after a timeout.",
        evidence=only_neighbours_are_involved,
        reading="What is counted are the sets of neighbours that are kept. Others are told of a node and move it on: "
        "that happened {temporary} times.",
        quotes=(Quotation("Slide 33", "When a node joins/leaves only the neighbors are involved"),),
    ),
    Claim(
        name="membership_takes_o_log_n_rounds",
        title="joining and leaving take O(log n) rounds",
        source="Slide 33",
        says='"Joins / Leaves can be handled O(log(n)) rounds."',
        ran="Our rules.",
        result=Result.REPRODUCED,
        why="For n = {sizes}: a join took {join} rounds at most, a leave {leave}, a crash {crash}, until nothing was "
        "wrong any more, also on its way.",
        domain="Right graphs with random strings of 2 log2 n bits; {subjects} nodes for each n and kind.",
        evidence=membership_takes_few_rounds,
        quotes=(Quotation("Slide 33", "Joins / Leaves can be handled O(log(n)) rounds"),),
    ),
    Claim(
        name="few_edges_are_inserted",
        title="joining and leaving insert O(log^4 n) edges",
        source="Slide 33",
        says='"At most O(log^4(n)) work (edge inserts)."',
        ran="Our rules.",
        result=Result.UNDECIDED,
        why="For n = {sizes}, a join made somebody know somebody new {join} times at most, a leave {leave} times; "
        "log^4 n is {powers}. Over these n both grow faster than log^4 n, which refutes nothing and shows nothing.",
        evidence=few_edges_are_inserted,
        reading="Counted are inserts of nodes that the receiver does not know. The rules insert the same edges in "
        "each round, also when nothing is wrong: {quiet} for these n.",
        quotes=(Quotation("Slide 33", "At most O(log4(n)) work (edge inserts)"),),
    ),
)
