"""The ideal ring stays ideal, for any number of members: every rule, along every path, on symbolic nodes."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.chord.encodings.members import Members, SymbolicParameters, chord
from gomboc.checker.prove.closure.around import Around
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.closure.paths import Path, Stack
from gomboc.checker.prove.closure.statement import closure
from gomboc.checker.prove.closure.symbols import Number
from gomboc.checker.prove.lemma import Enumeration, Sample
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.chord import PROTOCOL
from gomboc.spec.protocols.chord.errata import AdoptsUnasked, CopiesHeadOnly, FingersOnly, NeverPings
from gomboc.spec.protocols.chord.legitimacy import owner, right
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import FixFingerReply

LONGEST = 3
"""The longest list of successors."""

PLACES = 8


def _closed(*lengths: int, without: tuple[str, ...] = (), only: Any = None, **options: Any) -> Iterator[Enumeration]:
    worlds = (chord(r, **options) for r in lengths)

    def wanted(case: Case) -> bool:
        return only is None or case.message is only

    every = (closure(world, PROTOCOL, ("gomboc.spec",), without, chord(1), wanted) for world in worlds)
    return chain.from_iterable(every)


def _meeting() -> Iterator[Enumeration]:
    """With peers: lists of one and of two entries, and fingers beside lists of one."""
    yield from _closed(1, 2, meet=True)
    yield from _closed(1, meet=True, fingers=True)


def _without(conjunct: str, **options: Any) -> Attempt:
    return Attempt(partial(_closed, 1, without=(conjunct,), **options))


class Drawn(Around):
    """A ring of certain members, and of no others."""

    def __init__(self, path: Path, members: tuple[int, ...]) -> None:
        super().__init__(path)
        self.drawn = members
        for place in members:
            self.knows(z3.IntVal(place))

    def knows(self, node: Any) -> None:
        """Add that the node belongs if it is one of them, and only then."""
        if node.get_id() not in self._nodes:
            self.path.add(self.belongs(node) == z3.Or([node == place for place in self.drawn]))
        super().knows(node)


def _agrees(random: Random) -> Sample:
    """The ideal state of a member, and the owner of a place, by the axioms and by the specification."""
    drawn = tuple(sorted(random.sample(range(PLACES), random.randint(1, 5))))
    r, place, at = random.randint(1, LONGEST), random.randrange(PLACES), random.choice(drawn)
    path = Path((), Stack(lambda: 60.0))
    members = Members(path)
    members.around = Drawn(path, drawn)
    ideal = members.right(SymbolicParameters(r=r, fingers=False), members, members.node_at(z3.IntVal(at)))
    nearest = members.owner(None, members, Number(path, z3.IntVal(place)))
    encoded = [_only(path, node) for node in (ideal.predecessor, *ideal.successors, nearest)]
    names, parameters = tuple(f"n{one}" for one in drawn), Parameters(3, "number", r, fingers=False)
    said = right(parameters, names, f"n{at}")
    specified = [said.predecessor, *said.successors, owner(Circle(3, "number"), names, place)]
    return Sample((drawn, r, at, place), encoded, specified)


def _only(path: Path, node: Any) -> str | None:
    """The one node that a symbol can be; None if it is None."""
    if node is None:
        return None
    number = path.model().eval(node.term, model_completion=True)
    assert path.check(node.term != number) == z3.unsat, "the axioms leave two nodes"
    return f"n{number.as_long()}"


PROOFS = {
    "closure_for_every_n": Proof(
        (
            Attempt(partial(_closed, 1, 2, 3)),
            _without("predecessor_is_right"),
            _without("successors_are_right"),
            _without("all_nodes_inside"),
            _without("answers_are_right"),
            _without("notifiers_are_members"),
            _without("the_dead_are_dead"),
            _without("outsiders_are_outside"),
            _without("no_node_is_joining"),
            _without("no_crashed_node_is_listed"),
            *(Attempt(partial(_closed, 1, rules=printed())) for printed in (AdoptsUnasked, NeverPings, CopiesHeadOnly)),
        ),
        _agrees,
        (owner,),
        {"longest": LONGEST},
    ),
    "closure_for_every_n_with_fingers": Proof(
        (
            Attempt(partial(_closed, 1, 2, fingers=True)),
            _without("owners_are_right", only=FixFingerReply, fingers=True, exact=True),
            Attempt(partial(_closed, 1, fingers=True, rules=FingersOnly())),
        ),
        _agrees,
        (owner,),
    ),
    "closure_for_every_n_with_meet": Proof(
        (Attempt(_meeting), _without("answers_are_right", meet=True)),
        _agrees,
        (owner,),
    ),
}
