"""A few nodes of certain names, any of which take part, as closure sees them: a counterexample is one of these."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, all_quietly
from gomboc.spec.protocols.skip_plus import legitimacy, skip_plus_with
from gomboc.spec.protocols.skip_plus.models import subsets
from gomboc.spec.protocols.skip_plus.parameters import Parameters
from gomboc.spec.protocols.skip_plus.ranges import UNBOUNDED, ranges
from gomboc.spec.protocols.skip_plus.rules import Rules
from gomboc.spec.protocols.skip_plus.space import ROLE, Names
from gomboc.spec.protocols.skip_plus.state import ABSENT, NeighbourRanges, Node, ascending

OURS = Rules()


@all_quietly
class Few:
    """The names of some nodes, and those that take part: all, or any of them. `exact`: only right states."""

    def __init__(self, path: Path, names: Names, all_live: bool, exact: bool) -> None:
        self.path, self.names, self.exact = path, names, exact
        self.live = names if all_live else self.any_of(subsets(names))

    def any_of(self, values: Any) -> Any:
        """Any of some values."""
        return values[self.path.choose(len(values))]

    def node(self, name: str) -> str:
        """Any node."""
        del name
        return str(self.any_of(self.names))

    def some(self, name: str) -> Names:
        """Any set of nodes."""
        del name
        return self.any_of(subsets(self.names))  # type: ignore[no-any-return]

    def told(self, name: str) -> Any:
        """The ranges of any node that takes part, or unbounded ones."""
        del name
        true = tuple(ranges(node, self.live) for node in self.live)
        return self.any_of((*true, (UNBOUNDED,) * len(self.names[0].rpartition(":")[2])))

    def state(self, me: str) -> Node:
        """The right state of a node, or one that lacks a conjunct."""
        if me not in self.live:
            return ABSENT
        return self.any_of(tuple(self._states(me)))  # type: ignore[no-any-return]

    def _states(self, me: str) -> Iterator[Node]:
        right = legitimacy.right_state(self.live, me)
        yield right
        others = tuple(name for name in self.names if name != me and not self.exact)
        for node in others:
            yield replace(right, neighbours=ascending((*right.neighbours, node)))
            yield replace(right, neighbours=tuple(name for name in right.neighbours if name != node))
            yield replace(right, stable=tuple(name for name in right.stable if name != node))
            yield replace(right, gone=(node,))
            yield replace(right, told=tuple(entry for entry in right.told if entry.node != node))
            said = tuple(NeighbourRanges(entry.node, (UNBOUNDED,)) for entry in right.told)
            yield replace(right, told=said)

    def system(self, model: Any) -> dict[str, Node]:
        """The right states of all nodes."""
        del model
        return {name: legitimacy.right_state(self.live, name) if name in self.live else ABSENT for name in self.names}


def world(path: Path, names: Names, rules: Rules, all_live: bool, exact: bool) -> World:
    """These nodes, with those rules."""
    anchor = Few(path, names, all_live, exact)
    protocol = skip_plus_with(rules, Parameters())
    builders = {"name": anchor.node, "Update.ranges": anchor.told}
    return World(
        protocol,
        anchor.live,
        lambda me, live: (me in anchor.live) == live,
        anchor.node,
        {**builders, "Update.inserts": anchor.some, "Gone.inserts": anchor.some},
        states={ROLE: anchor.state},
        system=anchor.system,
        real=protocol,
    )


@cache
def few(names: Names, rules: Rules = OURS, all_live: bool = False, exact: bool = False) -> Callable[[Path], World]:
    """The worlds of these nodes, with those rules."""
    return partial(world, names=names, rules=rules, all_live=all_live, exact=exact)
