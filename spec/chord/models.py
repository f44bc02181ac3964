"""Small rings that are explored to their end: where each starts, and what must come out.

Each claim is bounded as its instance says. The records were made by `gomboc explore chord --recorded --exhaustive`.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations

from spec.chord import PROTOCOL, configured
from spec.chord.legitimacy import anchor, right_state
from spec.chord.messages import any_message
from spec.chord.parameters import Parameters
from spec.chord.space import ROLE, names_of
from spec.chord.state import Node
from spec.domain import Domain, OneOf
from spec.instance import Instance
from spec.pinned import Pinned
from spec.protocol import Protocol

Names = tuple[str, ...]
States = Mapping[str, Domain]

NOTHING = OneOf(())


def small(bits: int, r: int, meet: bool = False) -> Parameters:
    """Parameters of a small ring, in which a name says its id, and nobody keeps fingers."""
    return Parameters(bits, "number", r, meet, fingers=False)


def protocol(given: Parameters, variant: str | None = None) -> Protocol:
    """The protocol with these parameters, or that printed variant of it."""
    ours = configured({name: getattr(given, name) for name in PROTOCOL.parameters})
    return ours if variant is None else next(each.protocol for each in ours.errata if each.name == variant)


def ring(
    given: Parameters,
    states: States,
    most: int,
    messages: Domain = NOTHING,
    variant: str | None = None,
    **budget: int,
) -> Instance:
    """A ring whose nodes start in those domains, with at most one of those messages, and at most so many later."""
    return Instance(
        protocol=protocol(given, variant),
        locals=tuple((name, ROLE, domain) for name, domain in sorted(states.items())),
        messages=messages,
        in_flight=int(messages != NOTHING),
        copies=1,
        most=most,
        budget=tuple(sorted(budget.items())),
    )


def anything(given: Parameters, nodes: int) -> States:
    """Any predecessor and any list of each of so many members, and with `meet` all others as its peers."""
    names = names_of(given.circle, nodes)
    return {name: OneOf(tuple(_any_state(given, names, name))) for name in names}


def _any_state(given: Parameters, names: Names, me: str) -> Iterator[Node]:
    others = tuple(name for name in names if name != me)
    lists = [each for length in range(given.r + 1) for each in permutations(others, length)]
    for predecessor in (None, *others):
        for successors in lists:
            yield Node("inside", predecessor, successors, peers=others if given.meet else ())


def ideal(given: Parameters, members: int, outside: int = 0) -> States:
    """An ideal ring of so many members, and so many nodes outside."""
    names = names_of(given.circle, members + outside)
    inside = anchor(given, dict.fromkeys(names[:members], True))
    at_first = {name: right_state(given, inside, name) for name in inside}
    return {name: OneOf((at_first.get(name, Node()),)) for name in names}


def heads(given: Parameters, *follows: int) -> States:
    """A ring in which the head of node i is node follows[i], whose predecessor is i."""
    names = names_of(given.circle, len(follows))
    before = {names[head]: name for name, head in zip(names, follows, strict=True)}
    states = {name: Node("inside", before[name], (names[head],)) for name, head in zip(names, follows, strict=True)}
    return {name: OneOf((state,)) for name, state in states.items()}


def with_any_message(given: Parameters, nodes: int, most: int) -> Instance:
    """Any state of so many members, and any message but a false word that a member has crashed."""
    names = names_of(given.circle, nodes)
    return ring(given, anything(given, nodes), most, any_message(given, names, (), ()))


ONE, TWO = small(2, 1), small(2, 2)
MEETING = small(2, 1, meet=True)

MODELS: tuple[Pinned, ...] = (
    Pinned("join", "n = 3, r = 2: one more joins", ring(TWO, ideal(TWO, 3, 1), 3, join=1), None),
    Pinned("crash", "n = 4, r = 2: one crashes", ring(TWO, ideal(TWO, 4), 3, crash=1), None),
    Pinned("grow", "r = 2: two join a lone member", ring(TWO, ideal(TWO, 1, 2), 4, join=2), None),
    Pinned(
        "join_and_crash",
        "n = 3, r = 2: one joins, and one crashes",
        ring(TWO, ideal(TWO, 3, 1), 3, crash=1, join=1),
        None,
    ),
    Pinned(
        "three_once",
        "n = 3, r = 1, with meet: as `three`, with two messages at most",
        ring(MEETING, anything(MEETING, 3), 2),
        None,
    ),
    Pinned(
        "three",
        "n = 3, r = 1, with meet: any predecessors and lists; peers are all others",
        ring(MEETING, anything(MEETING, 3), 3),
        None,
    ),
    Pinned("three_message", "as `three`, and any message in flight", with_any_message(MEETING, 3, 2), None),
    Pinned("backwards", "n = 3, r = 1: the ring backwards", ring(ONE, heads(ONE, 2, 0, 1), 3), None),
    Pinned("two_rings", "n = 4, r = 1: two rings", ring(ONE, heads(ONE, 2, 3, 0, 1), 3), None),
    Pinned("adopts_unasked", "", ring(ONE, ideal(ONE, 2, 1), 4, variant="adopts_unasked", crash=1, join=1), None),
    Pinned("asks_first", "", ring(ONE, ideal(ONE, 2, 1), 4, crash=1, join=1), None),
    Pinned(
        "copies_the_head_only",
        "",
        ring(TWO, ideal(TWO, 3, 1), 3, variant="copies_the_head_only", crash=1, join=1),
        None,
    ),
    Pinned("never_pings", "", ring(TWO, ideal(TWO, 4), 3, variant="never_pings", crash=1), None),
    Pinned("crash_else", "", ring(ONE, ideal(ONE, 2), 3, variant="crash_else", crash=1), None),
    Pinned("fingers_only", "", ring(TWO, ideal(TWO, 3, 1), 3, variant="fingers_only", join=1), None),
    Pinned("stored_lists_only", "", ring(TWO, ideal(TWO, 4), 3, variant="stored_lists_only", crash=2), None),
    Pinned("live_entries_only", "", ring(TWO, ideal(TWO, 4), 3, variant="live_entries_only", crash=2), None),
)
