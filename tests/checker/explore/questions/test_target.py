"""Targets are found by a protocol's name or by module and name; each model has a command that finds it again."""

import pytest
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.questions.target import find_targets, load, pinned_models
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Model
from gomboc.spec.core.pinned import Closure
from gomboc.spec.protocols.skip_ring.models import MODELS
from tests.checker.cli import explored


def test_every_pinned_model_is_a_target_with_a_command():
    targets = find_targets("skip_ring", None)
    assert [target.pinned for target in targets] == list(MODELS)
    assert targets[0].command == "gomboc explore skip_ring --instance two"
    assert {type(target.model) for target in targets} == {Instance, Closure}


def test_one_is_found_by_its_name():
    (target,) = find_targets("skip_ring", "closure")
    assert (target.name, target.file_name) == ("closure", "closure")


def test_a_model_of_a_module_is_taken_as_it_is_or_made():
    assert load("tests.checker.cli.explored:COUNTER") is explored.COUNTER
    assert isinstance(load("tests.checker.cli.explored:four_machines"), Model)
    (target,) = find_targets("tests.checker.cli.explored:linear", None)
    assert target.model is explored.linear
    assert (target.command, target.pinned) == ("gomboc explore tests.checker.cli.explored:linear", None)
    assert target.file_name == "tests.checker.cli.explored-linear"


def test_a_protocol_without_models_is_named(monkeypatch):
    monkeypatch.setattr("gomboc.checker.explore.questions.target.find_spec", lambda name: None)
    with pytest.raises(UsageError) as refused:
        pinned_models("skip_ring")
    assert str(refused.value) == (
        "The protocol skip_ring has no models to explore: there is no module gomboc.spec.protocols.skip_ring.models."
    )


TWO = MODELS[0]


@pytest.mark.parametrize(
    ("models", "problem"),
    [
        (3, "are 3, and they are to be a tuple"),
        ((TWO, 3), "have 3 at place 1, and a model is a gomboc.spec.core.pinned.Pinned"),
        ((TWO, TWO), "have two models with the name 'two'"),
        ((replace(TWO, model=3),), "have a model 'two' whose model is 3, which is of another type"),
        ((replace(TWO, results=3),), "have a model 'two' whose results is 3, which is of another type"),
        ((replace(TWO, name=3),), "have a model 3 whose name is 3, which is of another type"),
    ],
)
def test_models_that_cannot_be_explored_are_refused_with_their_module_and_the_model(monkeypatch, models, problem):
    monkeypatch.setattr("gomboc.spec.protocols.skip_ring.models.MODELS", models)
    with pytest.raises(UsageError) as refused:
        pinned_models("skip_ring")
    assert str(refused.value) == f"The models gomboc.spec.protocols.skip_ring.models:MODELS {problem}: fix it."


def test_a_module_that_imports_an_old_name_is_told_the_new_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "of_old.py").write_text("from spec.model import Model\n")
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(UsageError, match=r"; write gomboc\.spec or, if it is yours, put its folder on PYTHONPATH\)\.$"):
        find_targets("of_old:MODEL", None)
