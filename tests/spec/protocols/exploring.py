"""Pinned models of protocols, each explored once in a process."""

from functools import cache
from importlib import import_module
from typing import Any

import pytest

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Exploration
from gomboc.spec.core.pinned import Pinned


def module_of(protocol: str) -> str:
    """The module with the models of a protocol."""
    return f"gomboc.spec.protocols.{protocol}.models"


def models_of(protocol: str) -> dict[str, Pinned]:
    """The pinned models of a protocol, by name."""
    return {pinned.name: pinned for pinned in import_module(module_of(protocol)).MODELS}


def run(model: Any) -> Exploration:
    """The exploration of a model, without bounds."""
    return explore(model, "auto", Question(), silent)


@cache
def explored(protocol: str, name: str) -> Exploration:
    """The exploration of a pinned model."""
    return run(models_of(protocol)[name].model)


def in_process_of(protocol: str) -> pytest.MarkDecorator:
    """The mark of the tests that explore models of a protocol: one process takes them all."""
    return pytest.mark.xdist_group(f"models of {protocol}")
