"""Small rings that are explored to their end: where each starts, and what must come out.

Each claim is bounded as its instance says. The records were made by `gomboc explore chord --recorded --exhaustive`.
"""

from collections.abc import Iterator
from itertools import permutations

from spec.chord import chord_with
from spec.chord.legitimacy import anchor, right_state
from spec.chord.parameters import Parameters
from spec.chord.rules import Rules
from spec.chord.space import ROLE, names_of
from spec.chord.state import Ask, Message, Node
from spec.domain import Domain, OneOf
from spec.instance import Instance
from spec.pinned import Pinned

Names = tuple[str, ...]


def small(bits: int, r: int, meet: bool = False) -> Parameters:
    """Parameters of a small ring, in which a name says its id, and nobody keeps fingers."""
    return Parameters(bits, "number", r, meet, fingers=False)


def instance(given: Parameters, states: dict[str, Domain], most: int, in_flight: int = 0, messages: Domain = OneOf(()), **budget: int) -> Instance:
    """A ring whose nodes start in those domains, with at most so many messages in flight."""
    return Instance(
        protocol=chord_with(Rules(given)),
        locals=tuple((name, ROLE, domain) for name, domain in sorted(states.items())),
        messages=messages,
        in_flight=in_flight,
        copies=1,
        most=most,
        budget=tuple(sorted(budget.items())),
    )


def anything(given: Parameters, nodes: int, peers: bool = True) -> dict[str, Domain]:
    """Any predecessor and any list of each of so many members, and all others as its peers."""
    names = names_of(given.circle, nodes)
    return {name: OneOf(tuple(_any_state(given, names, name, peers))) for name in names}


def _any_state(given: Parameters, names: Names, me: str, peers: bool) -> Iterator[Node]:
    others = tuple(name for name in names if name != me)
    lists = [each for length in range(given.r + 1) for each in permutations(others, length)]
    for predecessor in (None, *others):
        for successors in lists:
            yield Node("inside", predecessor, successors, peers=others if peers else ())


def ideal(given: Parameters, members: int, outside: int = 0) -> dict[str, Domain]:
    """An ideal ring of so many members, and so many nodes outside, which lie between them."""
    names = names_of(given.circle, members + outside)
    inside = anchor(given, dict.fromkeys(names[:members], True))
    states = {name: OneOf((right_state(given, inside, name),)) for name in inside}
    return states | {name: OneOf((Node(),)) for name in names[members:]}


def arbitrary(nodes: int, r: int, most: int) -> Instance:
    """Any state of so many members, with `meet`; their peers are all others."""
    given = small(2, r, meet=True)
    return instance(given, anything(given, nodes), most)


MODELS: tuple[Pinned, ...] = (
    Pinned("three", "n = 3, r = 1, with meet: any predecessors and lists, and peers are all others", arbitrary(3, 1, 3), None),
    Pinned("crash", "n = 4, r = 2: one crashes", instance(small(2, 2), ideal(small(2, 2), 4), 3, crash=1), None),
    Pinned("join", "n = 3, r = 2: one joins", instance(small(2, 2), ideal(small(2, 2), 3, 1), 3, join=1), None),
)
