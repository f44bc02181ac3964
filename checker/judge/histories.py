"""What the observers of a protocol have seen of one run, one thing that is delivered after another."""

from typing import Any

from gomboc.spec.model import Fault
from gomboc.spec.promises import Observer


class Histories:
    """The automata of all observers, each as far as the run has come."""

    def __init__(self, observers: tuple[Observer, ...]) -> None:
        self._observers = observers
        self._seen: dict[tuple[str, str], Any] = {}

    def deliver(self, node: str, delivered: Any) -> dict[str, tuple[Fault, ...]]:
        """Show every observer what a node delivers, as JSON values; the faults that this shows, by observer."""
        found = {}
        for observer in self._observers:
            whose = observer.name, observer.sees(node)
            before = self._seen.get(whose, observer.blank)
            self._seen[whose], faults = observer.observe(node, before, delivered)
            if faults:
                found[observer.name] = faults
        return found
