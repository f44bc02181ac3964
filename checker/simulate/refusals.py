"""Refusals of implementations, translated: the caller of a command is told them as errors of usage."""

from collections.abc import Iterator
from contextlib import contextmanager

from gomboc.checker.core.errors import UsageError
from gomboc.impl.core.errors import UsageError as ImplementationUsageError


@contextmanager
def refusals() -> Iterator[None]:
    """Within the body, or a function of which it is the decorator, an implementation's UsageError becomes ours."""
    try:
        yield
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error
