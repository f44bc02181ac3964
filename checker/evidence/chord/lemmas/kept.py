"""Zave's invariant is kept by the real rules, for any number of nodes, from any lists that have it."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from gomboc.checker.evidence.chord.encodings.members import OURS
from gomboc.checker.evidence.chord.encodings.principal import Known, invariant, invariant_with
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.closure.statement import closure
from gomboc.checker.prove.closure.values import constant
from gomboc.checker.prove.lemma import Enumeration, Sample
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.chord.errata import AdoptsUnasked
from gomboc.spec.protocols.chord.lists import examined, lists_of
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import CRASHED, Dead, JoinReply, Node, StabilizeReply, StabilizeRequest

LONGEST = 2
"""The longest list of successors."""

PROTOCOL = invariant_with(OURS, OURS, constant(None))

NODES = tuple(f"n{place}" for place in range(8))


def _kept(*lengths: int, kind: Any = None, without: tuple[str, ...] = (), rules: Rules = OURS) -> Iterator[Enumeration]:
    def wanted(case: Case) -> bool:
        return kind is None or case.message is kind

    worlds = (invariant(r, rules) for r in lengths)
    every = (closure(one, PROTOCOL, ("gomboc.spec",), without, invariant(1), wanted) for one in worlds)
    return chain.from_iterable(every)


def _without(conjunct: str, kind: Any) -> Attempt:
    return Attempt(partial(_kept, 1, kind=kind, without=(conjunct,)))


def _agrees(random: Random) -> Sample:
    """Principals and lists without a live entry of a system, by the conjuncts and by the specification."""
    parameters = Parameters(3, "number", random.randint(1, 3), fingers=False)
    members, crashed, outside = _parted(random)
    states: dict[str, Any] = {name: Node("inside", None, _own(random, name, parameters.r)) for name in members}
    states |= dict.fromkeys(crashed, CRASHED) | {name: Node(contact=members[0]) for name in outside}
    in_flight = tuple(_message(random, parameters.r, (members, crashed, outside)) for _ in range(random.randint(0, 4)))
    rules = Rules(parameters)

    def faults(name: str) -> tuple[Fault, ...]:
        known = Known(parameters.circle, frozenset(members), name)
        return legitimacy_faults(invariant_with(rules, rules, constant(known)), states, in_flight)

    kept = {name for name in members if all(fault.rule != "no_list_skips_a_principal" for fault in faults(name))}
    dead = {fault.node for fault in faults(members[0]) if fault.rule == "every_list_has_a_live_entry"}
    ring = examined(parameters.circle, lists_of(parameters, states, in_flight))
    return Sample(
        (parameters.r, states, in_flight), (kept, dead), ({*ring.principals}, {name for name, _ in ring.without})
    )


def _parted(random: Random) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    nodes = random.sample(NODES, random.randint(2, 8))
    members = random.randint(1, len(nodes))
    crashed = random.randint(members, len(nodes))
    return tuple(nodes[:members]), tuple(nodes[members:crashed]), tuple(nodes[crashed:])


def _list(random: Random, me: str, r: int) -> tuple[str, ...]:
    """The next places, of which some are left out, or any others."""
    at = int(me[1:])
    following = [f"n{(at + step) % 8}" for step in range(1, 8) if random.random() < 0.7]
    if random.random() < 0.2:
        random.shuffle(following)
    return tuple(following[: random.randint(1, r)])


def _own(random: Random, me: str, r: int) -> tuple[str, ...]:
    """The list of a member, which knows a node: another one is of a ring that grows, and out of the lemma's range."""
    return _list(random, me, r) or (f"n{(int(me[1:]) + 1) % 8}",)


def _message(random: Random, r: int, nodes: tuple[tuple[str, ...], ...]) -> tuple[str, Any]:
    """An answer or a place, of a node that may have crashed since."""
    members, crashed, outside = nodes
    sender = random.choice((*members, *crashed))
    if outside and random.random() < 0.4:
        return random.choice(outside), JoinReply(sender, _list(random, sender, r))
    return random.choice(members), StabilizeReply(sender, None, _list(random, sender, r))


PROOFS = {
    "the_invariant_is_kept_for_every_n": Proof(
        (
            Attempt(partial(_kept, *range(1, LONGEST + 1))),
            _without("no_member_is_reported", Dead),
            _without("no_node_names_itself", StabilizeRequest),
            Attempt(partial(_kept, 1, kind=StabilizeReply, rules=AdoptsUnasked())),
        ),
        _agrees,
        (examined, lists_of),
        {"longest": LONGEST},
    ),
}
