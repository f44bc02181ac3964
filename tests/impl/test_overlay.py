from random import Random

import pytest

from impl.errors import UsageError
from impl.overlay import Overlay, overlay
from tests.impl.toy import OVERLAY, TOY


def test_a_blank_core_knows_nobody_and_wants_nothing():
    assert bytes(OVERLAY.blank("subscriber", "ann", Random(1), "news").snapshot()) == b'{"others":null,"wants":false}'
    assert OVERLAY.blank_state("supervisor") == {"members": []}


def test_a_role_whose_beginning_is_not_said_is_refused():
    with pytest.raises(UsageError) as refused:
        Overlay(TOY).blank("king", "ann", Random(1), "news")
    assert str(refused.value) == "toy does not say how a node with role 'king' begins."


def test_an_implementation_is_found_by_its_name():
    assert overlay("skip_ring").implementation.name == "skip_ring"


def test_parameters_that_an_implementation_does_not_have_are_refused(monkeypatch):
    monkeypatch.setattr("impl.overlay.implementation", lambda name: TOY)
    with pytest.raises(UsageError) as refused:
        overlay("toy", {"key_bits": 3})
    assert str(refused.value) == "toy has no parameters."
