"""Functions of the whole anchor in the place of which a proof puts others, and caches that must keep no symbols."""

import builtins
import gc
import sys
from collections.abc import Mapping
from functools import _lru_cache_wrapper, cache, partial
from types import CellType, FunctionType, MethodType
from typing import Any

from gomboc.checker.prove.closure.paths import Undecided
from gomboc.checker.prove.closure.raised import is_below
from gomboc.checker.prove.closure.symbols import is_symbol, refused, symbols

StandIns = Mapping[Any, Any]
"""What stands in the place of a function, built in or not, or of a fixed name, wherever a module names it."""


class _Kinds(type):
    """Of a stand-in for `type`, which Python itself asks about classes."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, type)

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        return arguments[0].__class__ if len(arguments) == 1 else type(*arguments, **keywords)


class Kind(metaclass=_Kinds):
    """Stands for `type`: a rule that asks for the type of a symbol is told that of the real value."""


def hash_of(value: Any) -> int:
    """Stands for `hash`, which is that of no real value if a symbol is in there."""
    if next(symbols(value), None) is not None:
        raise Undecided("a hash is asked for of a value that is known by comparisons only")
    return hash(value)


def get(value: Any, name: str, *default: Any) -> Any:
    """Stands for `getattr`, as the fields of a symbol are those of no real value."""
    if not is_symbol(value):
        return getattr(value, name, *default)
    try:
        refused(value.__class__, name)
    except AttributeError:
        if not default:
            raise
        return default[0]


def has(value: Any, name: str) -> bool:
    """Stands for `hasattr`."""
    return hasattr(value.__class__ if is_symbol(value) else value, name)


BUILT_IN: StandIns = {type: Kind, hash: hash_of, getattr: get, hasattr: has}
"""What stands for functions that look into a value."""

HOLDERS = (
    *(FunctionType, MethodType, CellType, staticmethod, classmethod, property, partial, _lru_cache_wrapper),
    *(tuple, list, dict, set, frozenset),
)
"""The types of Python through which a module can hold a cached function."""


class Installed:
    """Puts stand-ins where modules below these packages name the originals; `restore` takes them out again.

    Each path has its own: the places are looked for once.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self.roots, self._modules = roots, modules(roots)
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
    return [vars(module) for name, module in list(sys.modules.items()) if is_below(name, roots)]


class Caches:
    """The cached functions of modules below these packages: a symbol means something within its own path only.

    Those that no path has used keep what they hold: a specification that was found before is still the same object.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._missed = [(one, one.cache_info().misses) for one in cached_functions(roots)]

    def forget(self) -> None:
        """Empty the caches that hold something new."""
        for index, (one, missed) in enumerate(self._missed):
            if one.cache_info().misses != missed:
                one.cache_clear()
                self._missed[index] = one, 0


def cached_functions(roots: tuple[str, ...]) -> list[Any]:
    """The cached functions of these packages, wherever their modules hold one: by name, in a class, in a closure."""
    waiting: list[Any] = modules(roots)
    seen = {id(vars(module)) for module in list(sys.modules.values()) if hasattr(module, "__dict__")}
    found = []
    while waiting:
        one = waiting.pop()
        if isinstance(one, _lru_cache_wrapper):
            found += [one] if is_defined_below(one, roots) else []
            one = one.__wrapped__  # and nothing that it keeps
        for part in gc.get_referents(one):
            # What the collector of cycles does not track holds nothing.
            if id(part) in seen or not gc.is_tracked(part):
                continue
            seen.add(id(part))
            if may_hold(part, roots):
                waiting.append(part)
    return found


def may_hold(one: object, roots: tuple[str, ...]) -> bool:
    """Whether an object is to be looked into: what is foreign, as a module's loader, leads to all that there is."""
    kind: Any = type(one)
    return is_defined_below(one, roots) if isinstance(one, type) else _may_hold(kind, roots)


@cache
def _may_hold(kind: type, roots: tuple[str, ...]) -> bool:
    return issubclass(kind, HOLDERS) or is_defined_below(kind, roots)


def is_defined_below(one: Any, roots: tuple[str, ...]) -> bool:
    """Whether an object is defined below one of these packages."""
    return is_below(str(one.__module__), roots)
