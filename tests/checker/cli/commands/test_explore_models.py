"""`gomboc explore PROTOCOL`: its models, listed, chosen, and compared with their records."""

import json

import pytest
from msgspec.structs import replace

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED
from gomboc.spec.protocols.skip_ring import models
from tests.checker.cli.command import gomboc


def test_without_a_name_the_first_model_of_a_protocol_is_explored(monkeypatch):
    hearsay = next(pinned for pinned in models.MODELS if pinned.name == "two_hearsay")
    monkeypatch.setattr(models, "MODELS", (hearsay, *(p for p in models.MODELS if p is not hearsay)))
    assert gomboc("explore", "skip_ring").out.startswith("two_hearsay: SR(2) and any Linearize in flight")


def test_the_models_of_a_protocol_are_listed():
    ran = gomboc("explore", "skip_ring", "--list")
    assert ran.code == HOLDS
    assert ran.out.splitlines() == [f"{pinned.name}: {pinned.about}" for pinned in models.MODELS]
    lines = gomboc("explore", "skip_ring", "--list", "--format", "json").out.splitlines()
    documents = [json.loads(line) for line in lines]
    names = [(pinned.name, pinned.about) for pinned in models.MODELS]
    assert [(document["name"], document["about"]) for document in documents] == names
    assert {document["format"] for document in documents} == {"gomboc-explore"}


@pytest.fixture
def one_model(monkeypatch):
    """The only model that there is, with that record; and a long one without any."""

    def plant(**results):
        (short,) = [pinned for pinned in models.MODELS if pinned.name == "two_hearsay"]
        short = replace(short, results=replace(short.results, **results))
        monkeypatch.setattr(models, "MODELS", (short, replace(short, name="longer", long=True, results=None)))

    return plant


def test_what_comes_out_as_recorded_is_said_to(one_model):
    one_model()
    ran = gomboc("explore", "skip_ring", "--recorded")
    assert ran.code == HOLDS
    assert ran.out.splitlines()[-1] == "  as recorded"
    assert "longer" not in ran.out


def test_long_models_are_explored_when_asked_for_and_without_a_record_only_told(one_model):
    one_model()
    ran = gomboc("explore", "skip_ring", "--recorded", "--exhaustive")
    assert ran.code == HOLDS
    assert ran.out.count("  as recorded") == 1
    assert "\nlonger: " in ran.out


def test_what_differs_from_its_record_is_a_failure_that_says_where(one_model):
    one_model(states=10_000, verdicts=("holds", "violated", "holds", "holds", "holds"))
    ran = gomboc("explore", "skip_ring", "--recorded")
    assert ran.code == VIOLATED
    assert ran.out.splitlines()[-1] == (
        "  not as recorded: states: 10,752, recorded 10,000; "
        "verdicts: holds, holds, holds, holds, holds, recorded holds, violated, holds, holds, holds"
    )
    assert gomboc("explore", "skip_ring", "--recorded", "--format", "json").code == VIOLATED


def test_a_record_is_open_if_the_exploration_was_stopped(one_model):
    one_model()
    assert gomboc("explore", "skip_ring", "--recorded", "--states", "100").code == UNKNOWN
