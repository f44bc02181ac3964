"""Outputs of a step that could not be carried out: none keeps the others from being so."""

from types import TracebackType


class Failed:
    """Context in which an output is carried out: an exception is counted, and the first one kept."""

    def __init__(self) -> None:
        self.count = 0
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
        self._first = self._first or raised
        return True

    def raise_first(self) -> None:
        """Raise the first exception, if there was one."""
        if self._first is not None:
            raise self._first
