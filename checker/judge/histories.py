"""Observers of a protocol along one run: their state after each delivery."""

from typing import Any

from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Observer


class Histories:
    """The automata of all observers, each in its state after the run so far."""

    def __init__(self, observers: tuple[Observer, ...]) -> None:
        self._observers = observers
        self._seen: dict[tuple[str, str], Any] = {}

    def deliver(self, node: str, delivered: Any) -> dict[str, tuple[Fault, ...]]:
        """Pass a node's delivery, as JSON values, to every observer; returns the faults by observer."""
        faults_by_observer = {}
        for observer in self._observers:
            key = observer.name, observer.sees(node)
            before = self._seen.get(key, observer.blank)
            self._seen[key], faults = observer.observe(node, before, delivered)
            if faults:
                faults_by_observer[observer.name] = faults
        return faults_by_observer
