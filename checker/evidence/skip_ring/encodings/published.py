"""A skip ring that publishes, as closure sees it: the ring of `recorded.py`, and real publications with real tries.

All members hold none or the same one; another one may be new or forged.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.recorded import Database, world
from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, Pruned
from gomboc.checker.prove.closure.values import constant
from gomboc.spec.core.model import Choice
from gomboc.spec.protocols.skip_ring import agreement, legitimacy, publish, ring_with
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.state import Subscriber
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters
from gomboc.spec.publishing.trie import EMPTY_HASH, Summary, hash_of_children, root

PARAMETERS = Parameters(key_bits=2)
OURS = Rules(parameters=PARAMETERS)
PROTOCOL = ring_with(OURS)
PUBLISHED = universe(("v1",), 2, PARAMETERS)
ONE, OTHER = PUBLISHED
FORGED = replace(ONE, signer="v2")
SETS = ((), (ONE,))
ROOTS = tuple(root(tuple(item.key for item in held), hash_of_children) for held in SETS)


class Publishing:
    """Any choice among publications along a path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.held = self.any_of(SETS)

    def any_of(self, values: Any) -> Any:
        """Any of some values."""
        return values[self.path.choose(len(values))]

    def one_of(self, *values: Any) -> Callable[[str], Any]:
        """A builder of any of some values."""

        def build(name: str) -> Any:
            del name
            return self.any_of(values)

        return build

    def of(self, u: Subscriber) -> Subscriber:
        """A subscriber with these publications, or with others, or with a false hash."""
        if u.crashed:
            return u
        others = [held for held in (*SETS, (FORGED,)) if held != self.held]
        states = (self.held, ()), *((held, ()) for held in others), (self.held, (Summary("", EMPTY_HASH),))
        publications, hashes = self.any_of(states)
        return replace(u, publications=publications, hashes=hashes)


def first_of(database: Database) -> str | None:
    """Stands for `agreement.first_member`: some node, if any is recorded; which one, is not looked at."""
    return "the first" if database.path.decide(database.around.any) else None


def alone(tossed: Any, neighbours: Any) -> Any:
    """Stands for `publish.with_neighbour`."""
    del neighbours
    return tossed


def published(path: Path, pair: bool = False, rules: Rules = OURS) -> World:
    """Such a ring of any number of recorded nodes, or of two, with those rules."""
    ring, publishing = world(path, rules, pair), Publishing(path)
    database = ring.anchor

    def neighbour(choice: Choice) -> tuple[Choice, Any]:
        """Stands for `publish.parts_of`: tries are compared with any node, or with none."""
        return choice, database.subscriber("neighbour") if path.choose(2) else None

    def first(ring: Any) -> str | None:
        del ring
        return first_of(database)

    def system(model: Any) -> Any:
        states = database.system(model)
        return {
            node: replace(local, publications=publishing.held) if getattr(local, "label", None) else local
            for node, local in states.items()
        }

    def state(me: Any) -> Subscriber:
        """With other publications than the first member's only where the ring is right."""
        u: Subscriber = ring.states["subscriber"](me)
        if not legitimacy.node_faults(database, me, u):
            return publishing.of(u)
        if publishing.held:
            raise Pruned
        return u

    return World(
        ring.protocol,
        agreement.Anchor(database, publishing.held),
        constant(True),
        database.subscriber,
        {**ring.builders, **_builders(publishing)},
        {},
        {**ring.stand_ins, agreement.first_member: first, publish.parts_of: neighbour, publish.with_neighbour: alone},
        states={"subscriber": state},
        system=system if pair else None,
        real=ring.real,
    )


def _builders(publishing: Publishing) -> dict[str, Any]:
    """The contents of messages: few tuples and prefixes, and publications that are held, new or forged."""
    tuples = publishing.one_of((), *((one,) for one in ROOTS))
    return {
        "CheckTrie.tuples": tuples,
        "CheckAndPublish.tuples": tuples,
        "CheckAndPublish.prefix": publishing.one_of("", "0", "1"),
        "Publish.publications": publishing.one_of((), (ONE,), (OTHER,), (FORGED,)),
        "PublishNew.publication": publishing.one_of(ONE, OTHER, FORGED),
    }
