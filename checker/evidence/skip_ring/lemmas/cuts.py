"""The potential of the sorted list: for every cut of the line, the shortest reference across it never gets longer."""

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.lists import Lists, Reference, after, before, lists
from gomboc.checker.evidence.skip_ring.encodings.recorded import LABEL
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.closure.paths import Path, Stack
from gomboc.checker.prove.closure.statement import closure
from gomboc.checker.prove.lemma import Enumeration, Replayed, Sample, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.core.model import Input, Received
from gomboc.spec.protocols.skip_ring import PROTOCOL, state
from gomboc.spec.protocols.skip_ring.labels import distance, label_of, position

READ_SHORTCUTS = None, state.IntroduceShortcut, state.RemoveConnections
"""The inputs whose rules read shortcuts, None for the timeout; no other rule does, but to forget the node itself."""

NODES = 5
"""The number of nodes in samples."""


def _kept() -> Iterator[Enumeration]:
    def reads(case: Case) -> bool:
        return case.role == "subscriber" and case.message in READ_SHORTCUTS

    def others(case: Case) -> bool:
        return case.role == "subscriber" and case.message not in READ_SHORTCUTS

    for shortcut, wanted in ((True, reads), (False, others)):
        yield from closure(partial(lists, shortcut=shortcut), PROTOCOL, ("gomboc.spec",), only=wanted)


def _changed(case: Case, without: tuple[str, ...] = (), closing: bool = False) -> Iterator[Enumeration]:
    """One case, without shortcuts, so that a counterexample is one of real labels."""
    world = partial(lists, shortcut=False, closing=closing)
    return closure(world, PROTOCOL, ("gomboc.spec",), without, only=case.__eq__)


def _without(conjunct: str, case: Case) -> Attempt:
    return Attempt(partial(_changed, case, (conjunct,)), _replayed)


def _replayed(values: Values, closing: bool = False) -> Replayed:
    """The cuts that the specification's own step leaves to longer references than before."""
    me, local, taken = values["node"], values["before"], values["input"]
    labels = {me: local.label}
    for claim in (local.left, local.right, local.ring, *_claims(taken)):
        if claim is not None:
            labels[claim.node] = claim.label
    labels |= {entry.node: entry.label for entry in local.shortcuts if entry.node is not None}
    choice = PROTOCOL.actor.choices(me, local, taken)[0]
    outcome = PROTOCOL.actor.react(me, local, taken, choice)
    return Replayed([], widened(labels, before(me, local, taken, closing), after(me, outcome, closing)))


def _claims(taken: Input) -> tuple[state.Claim | None, ...]:
    match taken:
        case Received(state.SetData(pred, _, succ)):
            return pred, succ
        case Received(state.Check(claim) | state.Introduce(claim) | state.Present(claim) | state.Linearize(claim)):
            return (claim,)
    return ()


def widened(labels: Mapping[str, str], old: tuple[Reference, ...], new: tuple[Reference, ...]) -> list[str]:
    """The labels just above which lies a cut whose shortest reference was shorter, or the only one."""

    def shortest(cut: str, references: tuple[Reference, ...]) -> int | None:
        ends = ((labels[holder], claim.label) for holder, claim in references)
        across = [distance(one, other) for one, other in ends if min(one, other) <= cut < max(one, other)]
        return min(across, default=None)

    found = []
    for cut in sorted(labels.values()):
        once, now = shortest(cut, old), shortest(cut, new)
        if once is not None and (now is None or now > once):
            found.append(cut)
    return found


def _drawn(random: Random) -> tuple[dict[str, str], state.Subscriber, Input]:
    """Some nodes with their labels, any slots of v0, and a message to it."""
    labels = {f"v{node}": label_of(index) for node, index in enumerate(random.sample(range(64), NODES))}

    def claim() -> Any:
        node = f"v{random.randrange(1, NODES)}"
        return state.Claim(labels[node], node)

    left, right, ring = (claim() if random.random() < 0.6 else None for _ in range(3))
    flag, said = random.choice((state.LIST, state.CYCLE)), claim()
    messages = (
        state.Linearize(said),
        state.Introduce(said, flag),
        state.Present(said, flag),
        state.Check(said, labels["v0"], flag),
        state.SetData(claim(), labels["v0"], claim()),
        state.RemoveConnections(said.node),
    )
    return labels, state.Subscriber(labels["v0"], left, right, ring), Received(random.choice(messages))


def _agrees(random: Random) -> Sample:
    """Whether a step of the specification keeps all cuts crossed, by the formula and by trying each cut."""
    labels, u, taken = _drawn(random)
    closing = random.random() < 0.5
    outcome = PROTOCOL.actor.react("v0", u, taken, PROTOCOL.actor.choices("v0", u, taken)[0])
    old, new = before("v0", u, taken, closing), after("v0", outcome, closing)
    path = Path((), Stack(lambda: 60.0))
    database = Lists(path)
    path.add(*[LABEL(z3.IntVal(int(node[1:]))) == position(label) for node, label in labels.items()])
    kept = database.stays_crossed(_symbols(database, old), _symbols(database, new))
    encoded = path.check(z3.Not(kept)) == z3.unsat
    return Sample((u, taken, closing), encoded, not widened(labels, old, new))


def _symbols(database: Lists, references: tuple[Reference, ...]) -> tuple[Reference, ...]:
    def node(name: str) -> Any:
        return database.node_at(z3.IntVal(int(name[1:])))

    return tuple((node(holder), database.claim(z3.IntVal(int(claim.node[1:])))) for holder, claim in references)


PROOFS = {
    "the_shortest_reference_across_a_cut_never_gets_longer": Proof(
        (
            Attempt(_kept),
            _without("configuration_is_inner", Case("subscriber", state.SetData)),
            _without("slots_are_sorted", Case("subscriber")),
            _without("no_member_removed", Case("subscriber", state.RemoveConnections)),
            Attempt(partial(_changed, Case("subscriber"), closing=True), partial(_replayed, closing=True)),
        ),
        _agrees,
        (distance,),
    )
}
