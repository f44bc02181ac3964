"""A right skip ring stays right by the steps of its subscribers and of its supervisor, however many there are."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.held import held
from gomboc.checker.evidence.skip_ring.encodings.recorded import LABEL, Database, ring_of, world
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.closure.paths import Path, Stack
from gomboc.checker.prove.closure.statement import closure
from gomboc.checker.prove.lemma import Enumeration, Sample
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_ring import PROTOCOL, state
from gomboc.spec.protocols.skip_ring.errata import VARIANTS
from gomboc.spec.protocols.skip_ring.labels import label_of, position
from gomboc.spec.protocols.skip_ring.legitimacy import CONJUNCTS
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.supervisor import NOBODY, configuration, repair

PAIR = partial(world, rules=Rules(), pair=True)
"""Two recorded nodes, with our rules."""

HELD = {pair: partial(held, pair=pair) for pair in (False, True)}
"""The supervisor of any number of nodes, and of two."""


def _closed(without: tuple[str, ...] = (), message: Any = None) -> Iterator[Enumeration]:
    def wanted(case: Case) -> bool:
        return case.role == "subscriber" and (message is None or case.message is message)

    ring = partial(world, rules=Rules()) if message is None else PAIR
    return closure(ring, PROTOCOL, ("gomboc.spec",), without, PAIR, wanted)


def _without(conjunct: str, message: Any) -> Attempt:
    return Attempt(partial(_closed, (conjunct,), message))


def _of_node(conjunct: str) -> Attempt:
    """The timeout of a node that may lack a conjunct of its own state."""
    timeout = Case("subscriber").__eq__
    return Attempt(partial(closure, PAIR, PROTOCOL, ("gomboc.spec",), (conjunct,), PAIR, timeout))


def _with_crashed_members() -> Iterator[Enumeration]:
    """Two recorded nodes, which may have crashed."""
    return closure(PAIR, PROTOCOL, ("gomboc.spec",), ("no_crashed_member",), PAIR, _of_subscribers)


def _printed(name: str, wanted: Callable[[Case], bool], pair: bool = False) -> Attempt:
    """Closure with a rule as printed, for some inputs; with two recorded nodes, a counterexample is one of a system."""
    ring = partial(world, rules=Rules(**VARIANTS[name]), pair=pair)
    return Attempt(partial(closure, ring, PROTOCOL, ("gomboc.spec",), (), PAIR, wanted))


def _of_subscribers(case: Case) -> bool:
    return case.role == "subscriber"


def _held(case: Case | None = None, without: tuple[str, ...] = ()) -> Iterator[Enumeration]:
    """Closure of the supervisor; one case is tried with two recorded nodes, to have a counterexample of a system."""

    def wanted(one: Case) -> bool:
        return one.role == "supervisor" if case is None else one == case

    return closure(HELD[case is not None], PROTOCOL, ("gomboc.spec",), without, PAIR, wanted)


def _of_supervisor(conjunct: str, message: Any = None) -> Attempt:
    return Attempt(partial(_held, Case("supervisor", message), (conjunct,)))


def _repaired(random: Random) -> Sample:
    """What stands for the repair of a right database, and for the labels of numbers, beside the specification's own."""
    count, suspects = random.randint(0, 6), tuple(f"w{node}" for node in range(random.randint(0, 2)))
    table = tuple(sorted(state.Entry(label_of(number), f"v{number}") for number in range(count)))
    recorded = {entry.label for entry in table}
    below = [number < count for number in range(8)]
    return Sample(
        (count, suspects),
        (table, below),
        (repair(table, suspects), [label_of(number) in recorded for number in range(8)]),
    )


def _agrees(random: Random) -> Sample:
    """The configuration of a recorded node, by the axioms and by the specification."""
    count = random.randint(1, 5)
    path = Path((), Stack(lambda: 60.0))
    database = Database(path)
    for number in range(count):
        node = z3.IntVal(number)
        database.node_at(node)
        path.add(database.around.belongs(node), LABEL(node) == position(label_of(number)))
    me = random.randrange(count)
    around = database.around
    beside = [around.last(z3.IntVal(me)), around.next(z3.IntVal(me))]
    for node in beside:
        path.add(z3.Implies(around.belongs(node), z3.And(node >= 0, node < count)))
    table = tuple(sorted(state.Entry(label_of(one), f"v{one}") for one in range(count)))
    said = configuration(table, f"v{me}")
    specified = [None if claim is None else claim.node for claim in (said.pred, said.succ)]
    encoded = [_only(path, node, me) for node in beside]
    other = ring_of(database).configurations.get(state.SUPERVISOR, NOBODY)
    return Sample((count, me), (encoded, other), (specified, configuration(table, state.SUPERVISOR)))


def _only(path: Path, node: Any, me: int) -> str | None:
    """The one node that a term can be; None if it is the node itself."""
    number = path.model().eval(node, model_completion=True)
    assert path.check(node != number) == z3.unsat, "the axioms leave two nodes"
    return None if number.as_long() == me else f"v{number.as_long()}"


NODE_CONJUNCTS = tuple(name for name, _, _ in CONJUNCTS)
"""The conjuncts of a right node, each of which closure needs."""

PROOFS = {
    "closure_of_subscribers_for_every_n": Proof(
        (
            Attempt(_closed),
            _without("configuration_is_current", state.SetData),
            _without("claim_is_true", state.IntroduceShortcut),
            _without("claim_is_true", state.Check),
            _without("no_member_removed", state.RemoveConnections),
            *map(_of_node, NODE_CONJUNCTS),
            Attempt(_with_crashed_members),
            _printed("printed_build_ring", _of_subscribers, pair=True),
            _printed("printed_linearize", _of_subscribers, pair=True),
            _printed("printed_introduce_shortcut", Case("subscriber", state.IntroduceShortcut).__eq__),
            _printed("printed_partners", Case("subscriber").__eq__),
        ),
        _agrees,
        (configuration,),
    ),
    "closure_of_the_supervisor_for_every_n": Proof(
        (
            Attempt(_held),
            _of_supervisor("no_suspect_recorded"),
            _of_supervisor("no_member_removed", state.Unsubscribe),
            _of_supervisor("no_new_subscriber", state.Subscribe),
        ),
        _repaired,
        (repair,),
    ),
}
