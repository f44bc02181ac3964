"""Model to explore: a pinned model of a protocol, or one that a module defines under a name."""

import re
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.bad_models import error_text, shown
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.evidence import evidence_on
from gomboc.checker.core.evidence import load as load_part
from gomboc.checker.core.phrases import suggestion
from gomboc.checker.core.user_code import FAULTS, let_through, under_guard
from gomboc.checker.summary.repro_command import explore_again
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Model
from gomboc.spec.core.pinned import Closure, Pinned, Results
from gomboc.spec.core.registry import find_protocol, protocol_names, reference_of, renamed
from gomboc.spec.core.shared_memory import SharedMemory

Explorable = Model | Instance | SharedMemory | Closure


class Target(msgspec.Struct, frozen=True):
    """A model, the name in its report, and the command that reproduces its exploration."""

    name: str
    about: str
    model: Explorable
    command: str
    pinned: Pinned | None = None

    @property
    def file_name(self) -> str:
        """The name in a form that is valid for a file."""
        return re.sub(r"[^0-9A-Za-z_.]", "-", self.name)


def find_targets(text: str, instance: str | None) -> tuple[Target, ...]:
    """The models of a protocol, or the one named by `instance`; or the model of a `module:name`.

    Raises UsageError if there is no such model.
    """
    if ":" in text:
        if instance is not None:
            raise UsageError(f"{text} is one model by itself: --instance chooses among the models of a protocol.")
        return (Target(text, "", load(text), explore_again(text)),)
    models = pinned_models(text)
    chosen = [pinned for pinned in models if instance in (None, pinned.name)]
    if not chosen:
        names = [pinned.name for pinned in models]
        near = suggestion(str(instance), names)
        raise UsageError(f"{text} has no model {instance!r} to explore; it has: {', '.join(names)}.{near}")
    return tuple(_target(text, pinned) for pinned in chosen)


def _target(protocol: str, pinned: Pinned) -> Target:
    command = explore_again(protocol, "--instance", pinned.name)
    return Target(pinned.name, pinned.about, pinned.model, command, pinned)


def pinned_models(protocol: str) -> tuple[Pinned, ...]:
    """The models in `models.py` of that protocol. Raises UsageError if there is no such protocol, or if it has none."""
    if protocol not in protocol_names():
        known = ", ".join(protocol_names())
        raise UsageError(
            f"There is no protocol {protocol!r}; there are: {known}. A model of your own is named package.module:NAME."
            f"{suggestion(protocol, protocol_names())}"
        )
    find_protocol(protocol)
    where = f"{_module_with_models(protocol)}:MODELS"
    models = load_part("models", where)
    if problem := _why_no_models(models):
        raise UsageError(f"The models {where} {problem}: fix it.")
    return tuple(models)


PARTS: dict[str, Any] = {
    "name": str,
    "about": str,
    "model": Explorable,
    "results": Results | None,
    "variant": str | None,
    "long": bool,
}
"""The types of the parts of a pinned model."""


def _why_no_models(models: object) -> str:
    """The fault of a module's MODELS, with the model that has it; empty if there is none."""
    if not isinstance(models, tuple | list):
        return f"are {shown(models)}, and they are to be a tuple"
    for place, pinned in enumerate(models):
        if not isinstance(pinned, Pinned):
            return f"have {shown(pinned)} at place {place}, and a model is a {Pinned.__module__}.Pinned"
        for part, kind in PARTS.items():
            if not isinstance(value := getattr(pinned, part), kind):
                return f"have a model {pinned.name!r} whose {part} is {shown(value)}, which is of another type"
    twice = [name for name, count in Counter(pinned.name for pinned in models).items() if count > 1]
    return f"have two models with the name {twice[0]!r}" if twice else ""


def _module_with_models(protocol: str) -> str:
    """The module of the models: that of its evidence, or `models` in its package. Raises UsageError without one."""
    module = import_module(reference_of(protocol).partition(":")[0])
    where = evidence_on(protocol).models or f"{module.__name__}.models"
    if not evidence_on(protocol).models and not (hasattr(module, "__path__") and find_spec(where)):
        raise UsageError(f"The protocol {protocol} has no models to explore: there is no module {where}.")
    return where


def load(text: str) -> Explorable:
    """The Model, Instance, SharedMemory or Closure of a module, or the result of a function without arguments.

    Modules in the current folder are found too. Raises UsageError if there is none.
    """
    name, _, attribute = text.partition(":")
    with under_guard():
        return _loaded(text, name, attribute)


def _loaded(text: str, name: str, attribute: str) -> Explorable:
    module = _module(name)
    if not hasattr(module, attribute):
        raise UsageError(f"The module {name} has no {attribute!r}: name a model that it has, as package.module:NAME.")
    value = getattr(module, attribute)
    made = _called(text, value) if callable(value) else value
    if not isinstance(made, Explorable):
        raise UsageError(
            f"{text} is {_kind(made)}: name a gomboc.spec.Model, a gomboc.spec.Instance, a gomboc.spec.SharedMemory, "
            "or a function without arguments that returns one."
        )
    return made


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"an {name}" if name[0] in "AEIOUaeiou" else f"a {name}"


def _module(name: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return _tried(lambda: import_module(name), f"The module {name} cannot be imported")


def _called(text: str, function: Callable[[], Any]) -> Any:
    return _tried(function, f"{text} cannot be called without arguments")


def _tried(call: Callable[[], Any], failing: str) -> Any:
    """The result of a call of user code. Raises UsageError for any exception that it raises."""
    try:
        return call()
    except FAULTS as error:
        let_through(error)
        raise UsageError(f"{failing} ({error_text(error)}{renamed(error)}).") from error
