"""A right Skip+ stays right, however many nodes take part: every rule, seen at any three nodes."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from gomboc.checker.evidence.skip_plus.encodings.few import few
from gomboc.checker.evidence.skip_plus.encodings.seen import ORDERS, Seen, seen
from gomboc.checker.evidence.skip_plus.encodings.strings import names
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.closure.paths import Path, Stack
from gomboc.checker.prove.closure.stand_ins import Installed
from gomboc.checker.prove.closure.statement import closure
from gomboc.checker.prove.lemma import Enumeration, Sample
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.core.model import CERTAIN, Input, Outcome, Received, Timeout
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.errata import VARIANTS
from gomboc.spec.protocols.skip_plus.legitimacy import right_state
from gomboc.spec.protocols.skip_plus.models import MISFITS, named
from gomboc.spec.protocols.skip_plus.names import prefix_length
from gomboc.spec.protocols.skip_plus.ranges import meets, neighbours, ranges
from gomboc.spec.protocols.skip_plus.rules import Rules
from gomboc.spec.protocols.skip_plus.state import Gone, Update, ascending

ROOTS = ("gomboc.spec",)
THREE = named("0", "0", "1")
FOUR = named("0", "0", "1", "0")
"""Three nodes, which are neighbours always, and four of which the first and the last are none."""

TIMEOUT = Case("node")


def _closed(rules: Rules | None = None) -> Iterator[Enumeration]:
    """Closure for every n; only the timeout introduces nodes that follow one another."""
    for wanted, orders in ((TIMEOUT.__eq__, ORDERS), (TIMEOUT.__ne__, ORDERS[:3])):
        ring = partial(seen, own=rules, orders=orders)
        yield from closure(ring, PROTOCOL, ROOTS, conjuncts=partial(seen, orders=ORDERS[:1]), only=wanted)


def _few(world: Any, case: Case, without: tuple[str, ...] = ()) -> Attempt:
    return Attempt(partial(closure, world, PROTOCOL, ROOTS, without, few(THREE), case.__eq__))


def _without(conjunct: str, message: Any) -> Attempt:
    return _few(few(THREE), Case("node", message), (conjunct,))


def _agrees(random: Random) -> Sample:
    """A step in a system of a few nodes, seen at three of them, and the same step of what is seen."""
    length = random.randint(1, 2)
    strings = ["".join(random.choice("01") for _ in range(length)) for _ in range(random.randint(3, 6))]
    every = names(strings)
    three = tuple(random.sample(every, 3))
    me, one, other = three
    live = tuple(name for name in every if name == me or random.random() < 0.9)
    around = right_state(live, me).neighbours
    known = [name for name in three if name in around]
    taken: Input = Timeout()
    if known and random.random() < 0.5:
        sender = random.choice(known)
        taken = Received(Update(sender, ranges(sender, live), (random.choice(known),)))
    local = right_state(live, me)
    outcome = PROTOCOL.actor.react(me, local, taken, CERTAIN[0])
    low, high = sorted((one, other))
    between = [
        name for name in around if low < name < high and prefix_length(me, name) == prefix_length(me, one) < length
    ]
    apart = {low, high} <= {*around} and high not in neighbours(low, live)
    alike = prefix_length(me, low) == prefix_length(me, high)
    nodes = ascending((*three, *(between[:1] if apart and alike else ())))
    seen_there = [_seen_step(nodes, (me, low, high), live, taken, level) for level in range(length)]
    return Sample(
        (every, live, three, taken), _union(seen_there), _union([_shown(outcome, {name: name for name in three})])
    )


def _seen_step(nodes: tuple[str, ...], three: tuple[str, ...], live: tuple[str, ...], taken: Input, level: int) -> Any:
    """The same step of what is seen at these nodes; of the levels of Rule 3b, one is seen."""
    roles = dict(zip(three, "mot", strict=True))
    path = Path((), Stack(lambda: 60.0))
    world = seen(path, orders=("".join(roles.get(node, "b") for node in nodes),))
    anchor: Any = world.anchor
    place = {node: str(index) for index, node in enumerate(nodes)}
    _draw(anchor, place, live, level)
    installed = Installed(ROOTS)
    neighbours.cache_clear()
    installed.put(world.stand_ins)
    try:
        local = right_state(anchor, place[three[0]])
        if isinstance(taken, Received) and isinstance(taken.message, Update):
            said = taken.message
            inserts = tuple(place[node] for node in said.inserts)
            sender: Any = place[said.sender]
            taken = Received(Update(sender, anchor.ranges(sender, anchor), inserts))
        outcome = world.protocol.actor.react(place[three[0]], local, taken, CERTAIN[0])
    finally:
        installed.restore()
        neighbours.cache_clear()
    return _shown(outcome, {place[name]: name for name in three})


def _draw(anchor: Seen, place: dict[str, str], live: tuple[str, ...], level: int) -> None:
    """That the nodes are those of a certain system."""
    path, near = anchor.path, {node: neighbours(node, live) for node in place if node in live}
    path.add(anchor.length == len(next(iter(place)).rpartition(":")[2]), anchor.level == level)
    for node, at in place.items():
        path.add(anchor.live(at) == (node in live))
        for other, beside in place.items():
            if other != node:
                path.add(anchor.common(at, beside) == prefix_length(node, other))
                path.add(anchor.beside(at, beside) == (other in near.get(node, ())))


def _shown(outcome: Outcome, shown: dict[str, str]) -> Any:
    """What an outcome has of some nodes."""
    local: Any = outcome.local
    held = [[shown[node] for node in nodes if node in shown] for nodes in (local.neighbours, local.stable, local.gone)]
    told = [shown[entry.node] for entry in local.told if entry.node in shown]
    sent = {
        shown[send.target]: {shown[node] for node in _inserts(send.message) if node in shown}
        for send in outcome.sends
        if send.target in shown
    }
    return (*held, told), sent


def _inserts(message: Any) -> tuple[str, ...]:
    assert isinstance(message, Update | Gone), "the messages of Skip+"
    return message.inserts


def _union(steps: list[Any]) -> Any:
    """What is seen of one step at all levels: the same node, and all inserts."""
    (local, first), *others = steps
    assert all(step[0] == local for step in others), "a level that the node after the step depends on"
    return local, {node: sorted(first[node].union(*[sent[node] for _, sent in others])) for node in first}


PROOFS = {
    "closure_of_skip_plus_for_every_n": Proof(
        (
            Attempt(_closed),
            *(
                _without(conjunct, None)
                for conjunct in ("range_is_known", "no_temporary_edge", "no_crash_notice_pending")
            ),
            _few(few(FOUR, all_live=True), TIMEOUT, ("flags_are_right",)),
            _few(few(FOUR, all_live=True), TIMEOUT, ("ranges_are_true",)),
            _without("no_request_from_crashed_nodes", Gone),
            _without("target_is_live", Update),
            _without("sender_is_neighbour", Update),
            _without("range_is_current", Update),
            _without("insert_is_stable", Update),
            *(
                _few(few(MISFITS, VARIANTS[name], all_live=True, exact=True), TIMEOUT)
                for name in ("linearize_at_least", "ranges_end_at_oneself")
            ),
            *(
                Attempt(partial(_closed, VARIANTS[name]))
                for name in ("printed_introduction", "forwarded_edges_stay", "nothing_comes_back")
            ),
        ),
        _agrees,
        (neighbours, meets),
    )
}
