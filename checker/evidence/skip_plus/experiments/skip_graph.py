"""Skip graphs without the plus, as tables: for each level the nearest node on either side that shares so many bits."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from gomboc.spec.core.connection import is_connected
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.space import Names

Table = tuple[tuple[str | None, str | None], ...]
"""For each level the predecessor and the successor in the list of one's prefix."""

Tables = Mapping[str, Table]
View = tuple[Table, tuple[tuple[str, Table], ...]]
"""A node's own table, and those of all nodes in it."""


def right_tables(names: Names) -> Tables:
    """The tables of the right skip graph of those nodes. Source: Slide 8."""
    levels = range(len(string_of(names[0])) + 1)
    return {me: tuple(_beside(me, names, level) for level in levels) for me in names}


def _beside(me: str, names: Names, level: int) -> tuple[str | None, str | None]:
    members = [name for name in names if name != me and prefix_length(me, name) >= level]
    before, after = [name for name in members if name < me], [name for name in members if name > me]
    return max(before, default=None), min(after, default=None)


def neighbours(table: Table) -> Names:
    """All nodes in a table, ascending."""
    return tuple(sorted({name for pair in table for name in pair if name is not None}))


def view(me: str, tables: Tables) -> View:
    """The view of a node: its own table, and those of its neighbours."""
    return tables[me], tuple((name, tables[name]) for name in neighbours(tables[me]))


def right_views(names: Names) -> Mapping[str, frozenset[View]]:
    """For each node, its possible views in the right skip graph of some of those nodes."""
    seen: dict[str, set[View]] = {name: set() for name in names}
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            tables = right_tables(chosen)
            for me in chosen:
                seen[me].add(view(me, tables))
    return {name: frozenset(views) for name, views in seen.items()}


def looks_right(tables: Tables) -> bool:
    """Whether each node has a view that it could have in the right skip graph of some of the nodes."""
    views = right_views(tuple(sorted(tables)))
    return all(view(me, tables) in views[me] for me in tables)


def hangs_together(tables: Tables) -> bool:
    """Whether the tables make a connected graph."""
    edges = [(me, name) for me, table in tables.items() for name in neighbours(table)]
    return is_connected(tuple(sorted(tables)), edges)


def wrong_and_unnoticed(names: Names) -> Iterator[Tables]:
    """All connected tables of those nodes that are not right, and in which each node sees nothing wrong."""
    right, views = right_tables(names), right_views(names)
    candidates = [sorted({table for table, _ in views[name]}, key=str) for name in names]
    for chosen in product(*candidates):
        tables = dict(zip(names, chosen, strict=True))
        if tables != right and all(view(me, tables) in views[me] for me in names) and hangs_together(tables):
            yield tables
