"""Refusals that a test expects, in their whole sentences."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError


@contextmanager
def refusing(sentence: str, error: type[Exception] = UsageError) -> Iterator[None]:
    """What happens within is refused with this very sentence."""
    with pytest.raises(error) as refused:
        yield
    assert str(refused.value) == sentence


def refused(call: Callable[..., object], *arguments: Any, **options: Any) -> tuple[Reason, str]:
    """The reason and the sentence with which a call of an application is refused."""
    with pytest.raises(RefusedError) as error:
        call(*arguments, **options)
    return error.value.reason, str(error.value)
