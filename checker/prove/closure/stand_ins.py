"""Functions of the whole anchor in the place of which a proof puts others, and caches that must keep no symbols."""

import builtins
import gc
import sys
from collections.abc import Mapping
from functools import _lru_cache_wrapper
from typing import Any

StandIns = Mapping[Any, Any]
"""What stands in the place of a function, built in or not, or of a fixed name, wherever a module names it."""


class Installed:
    """Puts stand-ins where modules below these packages name the originals; `restore` takes them out again.

    Each path has its own: the places are looked for once.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._modules = modules(roots)
        self._places: dict[Any, list[tuple[dict[str, Any], str]]] = {}
        self._originals: list[tuple[dict[str, Any], str, Any]] = []
        self._added: list[tuple[dict[str, Any], str]] = []

    def put(self, stand_ins: StandIns) -> None:
        """Let the modules name those stand-ins."""
        for original, stand_in in stand_ins.items():
            if original not in self._places:
                self._places[original] = self._found(original)
            for module, attribute in self._places[original]:
                module[attribute] = stand_in

    def restore(self) -> None:
        """Let the modules name the originals."""
        for module, attribute, original in self._originals:
            module[attribute] = original
        for module, attribute in self._added:
            module.pop(attribute, None)

    def _found(self, original: Any) -> list[tuple[dict[str, Any], str]]:
        name = getattr(original, "__name__", "")
        if vars(builtins).get(name) is original:
            added = [(module, name) for module in self._modules if name not in module]
            self._added += added
            return added
        found = [
            (module, attribute)
            for module in self._modules
            for attribute, value in module.items()
            if _stands_for(value, original)
        ]
        self._originals += [(module, attribute, original) for module, attribute in found]
        return found


def _stands_for(value: object, original: object) -> bool:
    return value is original or (isinstance(value, str) and isinstance(original, str) and value == original)


def modules(roots: tuple[str, ...]) -> list[dict[str, Any]]:
    """The names of each loaded module below these packages."""
    return [
        vars(module)
        for name, module in list(sys.modules.items())
        if any(name == root or name.startswith(f"{root}.") for root in roots)
    ]


def caches(roots: tuple[str, ...]) -> tuple[Any, ...]:
    """The cached functions of modules below these packages."""
    # The garbage collector lists no object that somebody has frozen.
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    found = tuple(
        one
        for one in gc.get_objects()
        if isinstance(one, _lru_cache_wrapper)
        and any(one.__module__ == root or str(one.__module__).startswith(f"{root}.") for root in roots)
    )
    if frozen:
        gc.freeze()
    return found


def forget(cached: tuple[Any, ...]) -> None:
    """Empty these caches: a symbol means something within its own path only."""
    for one in cached:
        if one.cache_info().currsize:
            one.cache_clear()
