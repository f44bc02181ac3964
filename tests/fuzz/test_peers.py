"""Nodes take whatever peers send. A small part; more by `python -m tests.fuzz.peers`."""

import pytest

from gomboc.impl.api.lower_layers import LowerLayers
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.errors import UsageError
from tests.fuzz.peers import OVERLAYS, RaisedError, kinds, spoilt
from tests.impl.attacks.system import PARAMETERS


@pytest.mark.parametrize("name", OVERLAYS)
def test_nothing_that_a_peer_sends_raises_anything_out_of_a_node(name):
    sent, read = spoilt(name, 12, seed=1)
    assert len(sent) >= 9
    assert {*sent.values()} == {12}
    assert min(read[kind] for kind in sent) > 0


@pytest.mark.parametrize("name", OVERLAYS)
def test_every_kind_of_every_layer_is_sent(name):
    layers = overlay(name, PARAMETERS.get(name, {})).layers
    every = {(of.implementation.name, kind.__name__) for of in layers for kind in of.implementation.words}
    assert {*kinds(name)} == every


def test_an_exception_out_of_a_layer_is_noticed(monkeypatch):
    def meet(self, directory, met):
        if not met.contact.startswith("n"):
            raise UsageError("no name")

    monkeypatch.setattr(LowerLayers, "_meet", meet)
    with pytest.raises(RaisedError, match="skip_plus: UsageError: no name, after b'"):
        spoilt("skip_plus", 300, seed=1)
