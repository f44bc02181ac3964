"""Outputs of a step that could not be carried out: none keeps the others from being so."""

from collections import Counter
from collections.abc import Callable
from types import TracebackType


class Failures:
    """The failed outputs of one node, by layer. While the node `is_starting`, they are counted and not raised."""

    def __init__(self, *, is_starting: bool = False) -> None:
        self.by_layer: Counter[str] = Counter()
        self.is_starting = is_starting


class Failed:
    """Context in which an output is carried out: an exception is counted, and the first one kept.

    With `failures` it is counted for the `layer` there as well.
    """

    def __init__(self, failures: Failures | None = None, layer: str = "") -> None:
        self.count = 0
        self._failures, self._layer = failures, layer
        self._first: Exception | None = None

    def __enter__(self) -> None:
        """Begin an output."""

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """End an output, and count the exception that it has raised; one that is no error leaves the context."""
        if not isinstance(raised, Exception):
            return False
        self.count += 1
        if self._failures is not None:
            self._failures.by_layer[self._layer] += 1
        self._first = self._first or raised
        return True

    def raise_first(self) -> None:
        """Raise the first exception, if there was one and the node is not just starting."""
        if self._first is not None and not (self._failures is not None and self._failures.is_starting):
            raise self._first


def each(*calls: Callable[[], object]) -> None:
    """Make each of these calls, whatever the others raise; then raise the first exception."""
    failed = Failed()
    for call in calls:
        with failed:
            call()
    failed.raise_first()
