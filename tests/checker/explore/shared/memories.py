"""Any small shared memory, for Hypothesis: machines that see some others, and move as a table says."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from hypothesis import strategies as st

from gomboc.spec.core.model import Kind
from gomboc.spec.core.shared_memory import Counted, Machine, SharedMemory


def machine(name: str, values: tuple[Any, ...], sees: tuple[str, ...], table: Mapping[Any, Any]) -> Machine:
    """A machine with the moves of a table for each combination of values; none where the table has none."""
    return Machine(name, values, sees, lambda *view: dict(table.get(view, ())))


@st.composite
def memories(draw: st.DrawFn, most_machines: int = 3) -> SharedMemory:
    """A memory of one to three machines with one to three values each, and every kind of promise."""
    count = draw(st.integers(1, most_machines))
    names = [f"n{index}" for index in range(count)]
    domains = {name: tuple("xyz"[: draw(st.integers(1, 3))]) for name in names}
    result = []
    for name in names:
        others = [other for other in names if other != name]
        sees = tuple(draw(st.permutations(others))[: draw(st.integers(0, len(others)))])
        views = product(*(domains[name_seen] for name_seen in (name, *sees)))
        moves = st.lists(st.sampled_from(domains[name]), max_size=2).map(lambda to: tuple(zip("ab", to, strict=False)))
        result.append(machine(name, domains[name], sees, {view: draw(moves) for view in views}))
    weights = draw(st.dictionaries(st.sampled_from("xyz"), st.integers(-1, 2)))
    least = draw(st.integers(-1, 3))

    def weigh(machine: Machine, own: Any, *seen: Any) -> int:
        return weights.get(own, 0) + len(set(seen))

    promises = [Counted(kind, f"few_{kind.value}", lambda total: total <= 1, "nowhere") for kind in Kind]
    promises += [Counted(kind, f"weighed_{kind.value}", lambda total: total >= least, "here", weigh) for kind in Kind]
    return SharedMemory("any", tuple(result), tuple(promises))
