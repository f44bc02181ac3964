"""Registry of stacks: those of our protocols' folders, installed ones, and references given by the caller.

A folder of `spec/protocols` that has a module `stacks` exports STACKS there, the stacks of which its protocol is the
highest layer. A distribution can bring others, as entry points of the group `gomboc.stacks`; a caller can name others,
as package.module:STACK.
"""

import os
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec

from gomboc.spec import protocols
from gomboc.spec.core.registry import NAME, protocol_names
from gomboc.spec.layers.stack import Stack

GROUP = "gomboc.stacks"
"""The group of the entry points, which have the names of the stacks."""

NAMED = "GOMBOC_STACKS"
"""The environment variable with the caller's references, separated by blanks; child processes inherit it."""


class UnfitStackError(ValueError):
    """A reference names no usable stack, or two stacks have one name; the message lacks its full stop."""


def stack_names() -> tuple[str, ...]:
    """The names of all known stacks, in alphabetical order."""
    return tuple(sorted(_stacks()))


def find_stack(name: str) -> Stack:
    """The stack of that name. Raises KeyError if there is none, and UnfitStackError if some stack is unusable."""
    return _stacks()[name]


def add(reference: str) -> Stack:
    """Register the stack at package.module:NAME, in this process and its child processes.

    Raises UnfitStackError if it is unusable, or if another stack has its name.
    """
    stack = load(reference)
    if reference not in _named():
        os.environ[NAMED] = " ".join((*_named(), reference))
    forget()
    return find_stack(stack.name)


def forget() -> None:
    """Clear the cache, so that the next call looks up the stacks anew."""
    _stacks.cache_clear()


def is_stack(reference: str) -> bool:
    """Whether there is a usable stack at module:attribute."""
    try:
        load(reference)
    except UnfitStackError:
        return False
    return True


def load(reference: str) -> Stack:
    """The stack at module:attribute. Raises UnfitStackError if it is no stack, or if its module fails."""
    name, _, attribute = reference.partition(":")
    if not name or not attribute:
        raise UnfitStackError(f"{reference!r} names no stack: write package.module:STACK")
    try:
        module = import_module(name)
    except (Exception, SystemExit) as error:
        failed = f"{type(error).__name__}: {error}"
        raise UnfitStackError(f"{reference} cannot be imported ({failed}): fix or install it") from error
    stack = getattr(module, attribute, None)
    if not isinstance(stack, Stack):
        problem = f"has no {attribute!r}" if stack is None else f"has {attribute!r}, of type {type(stack).__name__}"
        raise UnfitStackError(f"the module {name} {problem}, and a stack is a gomboc.spec.layers.stack.Stack")
    return _checked(reference, stack)


@cache
def _stacks() -> dict[str, Stack]:
    stacks: dict[str, Stack] = {}
    for stack in _every_stack():
        if stacks.setdefault(stack.name, stack) != stack:
            raise UnfitStackError(f"two stacks are called {stack.name!r}: rename or remove one")
    return stacks


def _every_stack() -> Iterator[Stack]:
    for folder in pkgutil.iter_modules(protocols.__path__, f"{protocols.__name__}."):
        if folder.ispkg and find_spec(f"{folder.name}.stacks") is not None:
            module = f"{folder.name}.stacks"
            yield from (_checked(module, stack) for stack in import_module(module).STACKS)
    for point in entry_points(group=GROUP):
        stack = load(point.value)
        if stack.name != point.name:
            raise UnfitStackError(f"{point.value} is installed as {point.name!r} and calls itself {stack.name!r}")
        yield stack
    yield from map(load, _named())


def _named() -> tuple[str, ...]:
    return tuple(os.environ.get(NAMED, "").split())


def _checked(reference: str, stack: Stack) -> Stack:
    if not NAME.fullmatch(stack.name):
        raise UnfitStackError(f"{reference} is called {stack.name!r}: use letters, digits, _, . and - in its name")
    if stack.name in protocol_names():
        raise UnfitStackError(f"{reference} is called {stack.name!r}, as a protocol is: rename the stack")
    for fault in stack.faults():
        raise UnfitStackError(f"the stack {stack.name} does not fit: {fault}")
    return stack
