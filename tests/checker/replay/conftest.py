"""The coverage goals of replays: computed once for each size of a protocol, or none."""

from collections.abc import Iterable, Iterator
from unittest.mock import patch

import pytest

from gomboc.checker.summary.coverage import Demanded
from gomboc.checker.summary.coverage_goals import demanded
from gomboc.spec.core.protocol import Protocol

GOALS = "gomboc.checker.replay.run.replay.demanded"


@pytest.fixture(scope="session", autouse=True)
def _goals_computed_once() -> Iterator[None]:
    known: dict[tuple[int, frozenset[int]], tuple[Protocol, Demanded]] = {}

    def once(protocol: Protocol, sizes: Iterable[int]) -> Demanded:
        """The goals by the object, which is kept so that no other one gets its number."""
        key = id(protocol), frozenset(sizes)
        if key not in known:
            known[key] = protocol, demanded(protocol, key[1])
        return known[key][1]

    with patch(GOALS, once):
        yield


@pytest.fixture
def nothing_demanded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few traces need not exercise a protocol."""
    monkeypatch.setattr(GOALS, lambda protocol, sizes: Demanded())
