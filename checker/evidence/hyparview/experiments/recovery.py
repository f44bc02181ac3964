"""Experiments on the broadcast: duplicates, and the recovery of members that were cut off."""

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.hyparview.experiments.connectivity import Crowd
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.model import Commanded
from gomboc.spec.protocols.hyparview.models import PAIR, holding
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.rules import Rules
from gomboc.spec.protocols.hyparview.space import items_of, line, names
from gomboc.spec.protocols.hyparview.state import Broadcast, Item, Node, Spread, id_of

REFRESHES = 7
"""The time to live of a publication in a cache."""

SIZES = range(2, 9)
"""Members of the lines in which one publishes."""


def no_duplication() -> Evidence:
    """Two members, one of which publishes: every schedule, with any of the two publications held at first."""
    explored = explore(holding(PAIR, 2, 2, 5, spread=1), "auto", Question(), silent)
    verdicts = {finding.promise: finding.verdict for finding in explored.findings}
    return Evidence(
        settled(not isinstance(verdicts["delivered_once"], Violated)),
        {"starts": explored.extent.starts, "states": explored.extent.states},
        {"no promise is violated": not any(isinstance(verdict, Violated) for verdict in verdicts.values())},
    )


class ForwardsDuplicates(Crowd):
    """Members that process a broadcast only if they have delivered it already, and send no digests.

    Source: first report, Section 3.3, ReceiveBCast
    """

    def deliver(self) -> None:
        """Drop broadcasts that are new to their receiver; the others change nothing but go on."""
        while self.in_flight:
            target, message = self.in_flight.pop(0)
            assert isinstance(message, Broadcast)
            if id_of(message.item) in {id_of(item) for item in self.states[target].held}:
                self.in_flight += [(node, Broadcast(target, message.item)) for node in self.states[target].active]


def _line(kind: type[Crowd], nodes: int) -> Crowd:
    crowd = kind(nodes, 0)
    for name, links in line(names(nodes)).items():
        crowd.states[name] = Node("inside", links)
    return crowd


def _published(crowd: Crowd) -> int:
    """The number of members that hold a publication of the first one, once no message is in flight."""
    (item,) = items_of(crowd.rules.parameters, names(1), 1)
    crowd.take(names(1)[0], Commanded(Spread(item.topic, item.publication)))
    crowd.deliver()
    return sum(item in local.held for local in crowd.states.values())


def inverted_test() -> Evidence:
    """A publication of the first of a line: as published it reaches no other member, by our rules all."""
    printed = [_published(_line(ForwardsDuplicates, nodes)) for nodes in SIZES]
    ours = [_published(_line(Crowd, nodes)) for nodes in SIZES]
    return Evidence(
        settled(printed == list(SIZES)),
        {"least": SIZES[0], "most": SIZES[-1]},
        {
            "as published only the publisher delivers it": set(printed) == {1},
            "by our rules all members do": ours == list(SIZES),
        },
    )


def agreement() -> Evidence:
    """Two members without a link, one of which publishes; they are linked after some periods."""
    late = {periods: _recovered(periods, expires=True) for periods in range(1, 2 * REFRESHES)}
    ours = {periods: _recovered(periods, expires=False) for periods in (1, REFRESHES, 10 * REFRESHES)}
    missed = [periods for periods, arrived in late.items() if not arrived]
    return Evidence(
        settled(not missed),
        {"refreshes": REFRESHES, "first": missed[0], "longest": 10 * REFRESHES},
        {
            "it arrives as long as it is in the cache": missed == list(range(REFRESHES, 2 * REFRESHES)),
            "by our rules it arrives however late": all(ours.values()),
        },
    )


def _recovered(periods: int, expires: bool) -> bool:
    """Whether the second member gets a publication of the first one if they are linked after so many periods.

    If it expires, it leaves the cache when it has been refreshed for the last time.
    """
    crowd = Crowd(2, 0, Rules(Parameters()))
    first, second = names(2)
    (item,) = items_of(crowd.rules.parameters, (first,), 1)
    crowd.states = {first: Node("inside", held=(item,)), second: Node("inside")}
    for period in range(periods + 3):
        if expires and period == REFRESHES:
            crowd.states[first] = _without(crowd.states[first], item)
        if period == periods:
            crowd.states = {
                me: replace(crowd.states[me], active=(other,)) for me, other in ((first, second), (second, first))
            }
        crowd.pass_by(1)
    return item in crowd.states[second].held


def _without(local: Node, item: Item) -> Node:
    return replace(local, held=tuple(other for other in local.held if other != item))
