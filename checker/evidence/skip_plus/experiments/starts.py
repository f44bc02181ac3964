"""Where runs of Skip+ begin: right graphs, lines, stars, trees, random maps, all graphs of few nodes."""

from collections.abc import Callable, Iterable, Iterator
from itertools import compress, pairwise, permutations, product
from random import Random

from gomboc.checker.evidence.skip_plus.experiments.rounds import System, a_round, system
from gomboc.spec.core.connection import is_connected
from gomboc.spec.protocols.skip_plus.models import named, right_start
from gomboc.spec.protocols.skip_plus.space import Arrow, Names, assignments, drawn
from gomboc.spec.protocols.skip_plus.state import ABSENT, Node, ascending


def every_naming_once(nodes: int, bits: int) -> Iterator[Names]:
    """Every naming, but one of those that differ only in which bit is called 0 and which 1 behind some prefix.

    Skip+ treats both bits alike, so that all of these have the same graph. The first bit behind each prefix is 0.
    """
    strings = list(map("".join, product("01", repeat=bits)))

    def begun(chosen: tuple[str, ...], met: frozenset[str]) -> Iterator[Names]:
        if len(chosen) == nodes:
            yield named(*chosen)
            return
        for string in strings:
            prefixes = [string[:level] for level in range(bits)]
            if not any(bit == "1" and prefix not in met for prefix, bit in zip(prefixes, string, strict=True)):
                yield from begun((*chosen, string), met.union(prefixes))

    return begun((), frozenset())


def namings(sizes: Iterable[int], bits: Iterable[int]) -> list[Names]:
    """Every naming of so many nodes with strings of so many bits, those of one graph once."""
    return [names for nodes, length in product(sizes, bits) for names in every_naming_once(nodes, length)]


def random_names(nodes: int, seed: int, bits: int) -> Names:
    """Names with random strings of that many bits, decided by the seed."""
    return tuple(f"{index:03d}:{drawn(f'{seed} {index}', bits)}" for index in range(nodes))


def right(names: Names, absent: Iterable[str] = ()) -> System:
    """A right Skip+ of all names but those that do not take part, with nothing on its way."""
    return system(dict(right_start(names, tuple(absent)).locals))


def settled(names: Names, absent: Iterable[str] = ()) -> System:
    """The same with the Updates on their way that are so in every round."""
    return a_round(right(names, absent))


def from_arrows(names: Names, arrows: Iterable[Arrow], absent: Iterable[str] = ()) -> System:
    """Nodes that know the nodes that their arrows point to, and remember nothing; and those that do not take part."""
    known: dict[str, list[str]] = {name: [] for name in names}
    for one, other in arrows:
        known[one].append(other)
    live = {name: Node(True, ascending(others)) for name, others in known.items()}
    return system(live | dict.fromkeys(absent, ABSENT))


def every_connected(names: Names, arrows: Iterable[Arrow] | None = None, absent: Names = ()) -> Iterator[System]:
    """Every weakly connected graph of those nodes, which remember nothing: of those arrows, or of all."""
    thinkable = list(permutations(names, 2) if arrows is None else arrows)
    for chosen in product((False, True), repeat=len(thinkable)):
        there = list(compress(thinkable, chosen))
        if is_connected(names, there):
            yield from_arrows(names, there, absent)


def line(names: Names, random: Random) -> System:
    """A line in random order, each edge known at one end."""
    order = random.sample(names, len(names))
    return from_arrows(names, [_either_way(*pair, random) for pair in pairwise(order)])


def star(names: Names, random: Random) -> System:
    """One node that knows all others."""
    middle = random.choice(names)
    return from_arrows(names, [(middle, other) for other in names if other != middle])


def tree(names: Names, random: Random) -> System:
    """A random tree, each edge known at one end."""
    order = random.sample(names, len(names))
    edges = [(order[index], order[random.randrange(index)]) for index in range(1, len(order))]
    return from_arrows(names, [_either_way(*edge, random) for edge in edges])


def random_map(names: Names, random: Random) -> System:
    """A random tree, and as many further arrows as there are nodes."""
    arrows = _arrows(tree(names, random))
    return from_arrows(names, arrows + [(random.choice(names), random.choice(names)) for _ in names])


Family = Callable[[Names, Random], System]
FAMILIES: tuple[Family, ...] = (line, star, tree, random_map)


def _arrows(now: System) -> list[Arrow]:
    return [(name, other) for name, local in now.states.items() for other in local.neighbours]


def _either_way(one: str, other: str, random: Random) -> Arrow:
    return (one, other) if random.random() < 0.5 else (other, one)


def with_departed(nodes: int, gone: int, seed: int) -> System:
    """A random tree of that many nodes, and others that do not take part, each known to three of those that do."""
    random, names = Random(seed), assignments(nodes + gone)[seed % 16]
    live = ascending(random.sample(names, nodes))
    arrows, absent = _arrows(tree(live, random)), [name for name in names if name not in live]
    arrows += [(one, name) for name in absent for one in random.sample(live, min(3, nodes))]
    return from_arrows(live, arrows, absent)


def samples(sizes: Iterable[int], runs: int, families: Iterable[Family] = FAMILIES) -> Iterator[System]:
    """So many starts of each size and family, each decided by its number."""
    for nodes, seed, family in product(sizes, range(runs), families):
        yield family(assignments(nodes)[seed % 16], Random(seed))
