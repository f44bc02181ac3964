"""Nodes take whatever peers send. A small part; more by `python -m tests.fuzz.peers`."""

import pytest

from gomboc.impl.api.lower_layers import LowerLayers
from gomboc.impl.core.errors import UsageError
from tests.fuzz.peers import OVERLAYS, RaisedError, spoilt


@pytest.mark.parametrize("name", OVERLAYS)
def test_nothing_that_a_peer_sends_raises_anything_out_of_a_node(name):
    counts = spoilt(name, 300, seed=1)
    assert len(counts) >= 9


def test_an_exception_out_of_a_layer_is_noticed(monkeypatch):
    def meet(self, directory, met):
        if not met.contact.startswith("n"):
            raise UsageError("no name")

    monkeypatch.setattr(LowerLayers, "_meet", meet)
    with pytest.raises(RaisedError, match="skip_plus: UsageError: no name, after b'"):
        spoilt("skip_plus", 5000, seed=1)
