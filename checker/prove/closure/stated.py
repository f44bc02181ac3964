"""Whether a world is stated in terms that its protocol has: a misspelt name would bound or leave out nothing."""

from collections.abc import Iterable, Iterator
from typing import Any, get_args, get_type_hints

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import suggestion
from gomboc.checker.prove.closure.cases import World, kinds_of
from gomboc.spec.core.protocol import Protocol


def check_world(world: Any) -> None:
    """Raise UsageError, in a sentence, unless it is a world whose bounds and roles make sense."""
    if not isinstance(world, World):
        raise UsageError(f"closure: world(path) is to return a gomboc.checker.World, and returns {world!r}: fix it.")
    for name, most in world.most.items():
        if most < 0:
            raise UsageError(f"closure: most[{name!r}] is {most}, and a tuple has at least 0 items: fix it.")
    roles, places = world.protocol.vocabulary.roles, places_of(world.protocol)
    _check("a role", world.states, roles)
    _check("a field", world.most, places)
    _check("a field", (name for name in world.builders if "." in name), places)


def check_conjuncts(without: Iterable[str], known: Iterable[str]) -> None:
    """Raise UsageError for a conjunct to be left out that no state or message can lack."""
    _check("a conjunct", without, known)


def _check(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    there = tuple(known)
    for name in names:
        if name not in there:
            near = suggestion(name, there)
            raise UsageError(f"closure: {name!r} is not the name of {what} of this protocol: fix it.{near}")


def places_of(protocol: Protocol) -> frozenset[str]:
    """The fields of states, messages and quiet commands, and of the structs in them, as class and field."""
    waiting = [*protocol.vocabulary.roles.values(), *kinds_of(protocol), *protocol.environment.quiet]
    seen: dict[Any, None] = {}
    while waiting:
        kind = waiting.pop()
        if kind not in seen:
            seen[kind] = None
            waiting += [part for hint in get_type_hints(kind, include_extras=True).values() for part in _structs(hint)]
    return frozenset(f"{kind.__name__}.{field}" for kind in seen for field in kind.__struct_fields__)


def _structs(hint: Any) -> Iterator[Any]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for part in get_args(hint):
        yield from _structs(part)
