"""Dependencies of a system's anchor: the nodes that it reads.

Mostly these are few, and as long as it reads no others, their states decide it. The nodes that it reads next may depend
on the states read so far (a database names the first member), so they are tracked for each combination of states. The
watch of a simulation, the columns of a replay and the tables of an exploration all use this module.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class MissingRead(BaseException):  # it is a question, not an error
    """Raised on reading the nodes `names` when their states are not provided.

    No Exception: a protocol that catches those would take a node that is there for one that is not.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(*names)
        self.names = names


class Looked(Mapping[str, Any]):
    """The states of the nodes `names`, as far as they are provided; `at` has the names of the nodes that were read.

    Raises MissingRead when another of these nodes is read, or ValueError if they are `closed`; `lacking` has the nodes
    that the first such read asked for.
    """

    def __init__(self, states: Mapping[str, Any], names: tuple[str, ...]) -> None:
        self._given = states
        self._names = names
        self._at: dict[str, None] = {}
        self.lacking: tuple[str, ...] = ()
        self.closed = False

    @property
    def at(self) -> tuple[str, ...]:
        """The nodes that were read, in the order of their first reading."""
        return tuple(self._at)

    def __getitem__(self, name: str) -> Any:
        if name not in self._given and name in self._names:
            self._ask_for((name,))
        state = self._given[name]
        self._at[name] = None
        return state

    def __iter__(self) -> Iterator[str]:
        lacking = tuple(name for name in self._names if name not in self._given)
        if lacking:
            self._ask_for(lacking)
        self._at.update(dict.fromkeys(self._names))
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _ask_for(self, names: tuple[str, ...]) -> None:
        if self.closed:
            raise ValueError(f"the state of {names[0]} is read after the anchor was made from the others")
        self.lacking = self.lacking or names
        raise MissingRead(names)


def answered(question: Callable[[Looked], Answer], states: Looked) -> Answer:
    """The answer of user code to a question about those states.

    Raises MissingRead if it reads a node that is not provided, even if it catches everything (`except:`): its answer,
    or the exception that it raises then, is not about the node as it is.
    """
    try:
        answer = question(states)
    except Exception:
        _insist_on(states)
        raise
    _insist_on(states)
    # An answer may hold on to the states; what it reads of them later would no longer be tracked.
    states.closed = True
    return answer


def _insist_on(states: Looked) -> None:
    if states.lacking:
        raise MissingRead(states.lacking)
