"""The filters that an index has tried one by one."""

import pytest

from gomboc.impl.protocols.delta_fault_tolerance.filters import matches


@pytest.fixture
def tried(monkeypatch):
    """The arguments of each trial, in order."""
    trials = []
    monkeypatch.setattr(
        "gomboc.impl.protocols.delta_fault_tolerance.index.matches",
        lambda *arguments: trials.append(arguments) or matches(*arguments),
    )
    return trials
