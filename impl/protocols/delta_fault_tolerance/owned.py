"""The subscriptions of the own client, by filter, with an index that matches publications."""

from collections.abc import Iterable, Mapping

from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, Value, text
from gomboc.impl.protocols.delta_fault_tolerance.index import Index
from gomboc.impl.protocols.delta_fault_tolerance.states import Own


class Owned(dict[Filter, Own]):
    """Subscriptions by filter; subscriptions that are not being ended are in an index."""

    __slots__ = ("_index",)

    def __init__(self, subscriptions: Iterable[Own]) -> None:
        super().__init__()
        self._index: Index[Filter] = Index()
        for subscription in subscriptions:
            self[subscription.filter] = subscription

    def __setitem__(self, predicates: Filter, own: Own) -> None:
        was, now = self._is_wanted(predicates), own.phase != "unsubscribing"
        super().__setitem__(predicates, own)
        if now and not was:
            self._index.add(predicates, predicates)
        elif was and not now:
            self._index.remove(predicates)

    def __delitem__(self, predicates: Filter) -> None:
        if self._is_wanted(predicates):
            self._index.remove(predicates)
        super().__delitem__(predicates)

    def matching(self, attributes: Mapping[str, Value]) -> tuple[Filter, ...]:
        """The filters that a publication with these attributes matches, without those being ended, in order."""
        return tuple(sorted(self._index.matching(attributes), key=text)) if self else ()

    def _is_wanted(self, predicates: Filter) -> bool:
        own = self.get(predicates)
        return own is not None and own.phase != "unsubscribing"
