"""The suspicions of one host: what its failure detector, or the application in its place, holds of other nodes.

Suspicions concern all instances, and those that begin later. A role that remembers suspicions is told of each once, and
of its end. A role that remembers none is told again as long as its timeouts send to a suspect. Where the detector is
part of the system, it repeats itself: nothing is told twice here.
"""

from collections.abc import Iterable, Iterator

from gomboc.impl.core.automaton import Failing, Output, Send


class Suspicions:
    """The suspects of one host, and the commands that its instances are due for them: none if nodes never fail."""

    def __init__(self, failing: Failing | None, role: str) -> None:
        self._failing = None if failing is None or failing.suspect is None else failing
        self._remembers = self._failing is not None and role not in self._failing.forgets
        self._repeats = self._failing is not None and self._failing.watches is None
        self.suspects: set[str] = set()

    def of(self, node: str) -> Iterator[object]:
        """The command for an instance, by which it suspects a node."""
        return self._told((node,))

    def begin(self, node: str) -> Iterator[object]:
        """Suspect a node; yield the command for each instance."""
        if self._repeats:
            self.suspects.add(node)
        yield from self._told((node,))

    def end(self, node: str) -> Iterator[object]:
        """Suspect a node no more; yield the command for each instance, if it remembers the suspicion."""
        self.suspects.discard(node)
        if self._remembers and self._failing is not None and self._failing.trust is not None:
            yield self._failing.trust(node)

    def at_start(self) -> Iterator[object]:
        """The commands for an instance that begins."""
        return self._told(sorted(self.suspects) if self._remembers else ())

    def after_timeout(self, outputs: Iterable[Output]) -> Iterator[object]:
        """The commands for an instance after a timeout with these outputs."""
        if not self.suspects or self._remembers:
            return iter(())
        return self._told(sorted(self.suspects.intersection(sent.to for sent in outputs if isinstance(sent, Send))))

    def _told(self, nodes: Iterable[str]) -> Iterator[object]:
        if self._failing is not None and self._failing.suspect is not None:
            yield from map(self._failing.suspect, nodes)
