"""Experiments on links: walks of new nodes as published, and requests that are always accepted."""

from collections.abc import Mapping

from gomboc.checker.errata.claim import Evidence, Result, by_readings, settled
from gomboc.checker.evidence.hyparview.experiments.connectivity import after_failures, grown
from gomboc.checker.evidence.hyparview.experiments.induction import induction
from gomboc.checker.evidence.hyparview.experiments.scenes import scene
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Exploration
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Outcome, Received
from gomboc.spec.protocols.hyparview.models import SMALL, one_sided
from gomboc.spec.protocols.hyparview.rules import Drawn, Rules
from gomboc.spec.protocols.hyparview.state import ForwardJoin, Join, Message, Node
from gomboc.spec.protocols.hyparview.views import without

NODES, SEEDS = 64, 2
"""Nodes of a simulated overlay, and runs for each figure."""


class WalksToZero(Rules, frozen=True):
    """A walk ends at a node without an active node, or with no hop left; where it can go nowhere it is lost.

    Source: HyParView, Algorithm 1, FORWARDJOIN, "#activeView == 0"
    """

    def forward_join(self, me: str, local: Node, message: ForwardJoin, drawn: Drawn) -> Outcome:
        """Nothing where hops are left, but no node is left to go to."""
        stuck = message.ttl > 0 and local.active and not without(local.active, message.sender, message.joiner)
        return Outcome(local) if stuck else super().forward_join(me, local, message, drawn)


def _explored(model: Instance) -> Exploration:
    return explore(model, "auto", Question(), silent)


def _violated(exploration: Exploration) -> list[str]:
    return sorted({finding.promise for finding in exploration.findings if isinstance(finding.verdict, Violated)})


def walk_ends_untold() -> Evidence:
    """Lines of four with links at one end: by the published rules such a link may stay, by ours none does."""
    published, ours = (_explored(one_sided(SMALL, 4, 4, printed)) for printed in ("adds_untold", None))
    shown = scene("link_at_one_end_stays")
    return Evidence(
        settled(not _violated(published)),
        {"states": published.extent.states, "ours": ours.extent.states, "starts": ours.extent.starts},
        {
            "by the published rules a fair run never becomes right": _violated(published) == ["convergence"],
            "by ours no fair run stays wrong": not _violated(ours),
            "no state of the run is right": not any(shown.right()),
            "by our rules the same start becomes right": shown.by_our_rules().right()[-1],
        },
    )


def right_states_stay_right() -> Evidence:
    """Every right state of four members, every step, and any right messages in flight: what was right stays right."""
    ours = induction(SMALL, 4)
    return Evidence(settled(not ours.astray), {"states": ours.states, "steps": ours.steps})


def every_request_is_accepted() -> Evidence:
    """The same if every request is accepted: one step leads out of the right states, which is replayed."""
    *before, end = scene("right_link_is_displaced").right()
    run = {"in the run the line is right until the request is accepted": all(before) and not end}
    return _led_astray("accepts_all", run)


def refusing_while_asking() -> Evidence:
    """The same if a node refuses while it keeps its last place for another one; and a run to a link at one end."""
    shown = scene("refused_and_accepted")
    run = {
        "the line is right at first": shown.right()[0],
        "in the end a link is at one end": shown.wrong_at_the_end() == {"links_are_known_at_both_ends"},
    }
    return _led_astray("refuses_while_it_asks", run)


def _led_astray(printed: str, run: Mapping[str, bool]) -> Evidence:
    astray, fewer, ours = induction(SMALL, 4, printed), induction(SMALL, 3, printed), induction(SMALL, 4)
    return Evidence(
        settled(not astray.astray),
        {"states": ours.states, "steps": ours.steps},
        {"by ours no step does": not ours.astray, "of three members with two places none does": not fewer.astray}
        | dict(run),
    )


def walk_at_the_last_node() -> Evidence:
    """Two members and a new node: the links of the new one after its walk, in every order of the messages."""
    one, zero = (sorted(_links_of_a_joiner(kind(SMALL))) for kind in (Rules, WalksToZero))
    return by_readings(
        (settled(one == [2]), settled(zero == [2])),
        {"one": one, "zero": zero},
    )


def _links_of_a_joiner(rules: Rules) -> set[int]:
    """The numbers of links of node c, which joins a and b through a, when no message is left, in every order."""
    begun = {"a": Node("inside", ("b",)), "b": Node("inside", ("a",)), "c": Node("outside", contact="a")}
    first: tuple[tuple[str, Message], ...] = (("a", Join("c")),)
    ends, open_ = set[int](), [(begun, first)]
    while open_:
        states, in_flight = open_.pop()
        if not in_flight:
            ends.add(len(states["c"].active))
        for at, (target, message) in enumerate(in_flight):
            taken = Received(message)
            for choice in rules.choices(target, states[target], taken):
                outcome = rules.react(target, states[target], taken, choice)
                sent = tuple((send.target, send.message) for send in outcome.sends)
                open_.append(({**states, target: outcome.local}, (*in_flight[:at], *in_flight[at + 1 :], *sent)))
    return ends


def connected_after_failures() -> Evidence:
    """The share of live nodes that links at both ends connect, after failures, and after joins all at once."""
    crowds = [grown(NODES, seed) for seed in range(SEEDS)]
    half, most = ([after_failures(crowd, share)[1] for crowd in crowds] for share in (0.5, 0.9))
    joined = [grown(NODES, seed, at_once=True).together() for seed in range(SEEDS)]
    return Evidence(
        Result.UNDECIDED,
        {"nodes": NODES, "seeds": SEEDS, "half": _whole(half), "most": _whole(most), "joined": _whole(joined)},
    )


def _whole(shares: list[float]) -> int:
    return sum(share == 1 for share in shares)
