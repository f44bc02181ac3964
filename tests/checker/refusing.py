"""The sentence with which a call refuses its input."""

from collections.abc import Callable
from typing import Any

import pytest

from gomboc.checker.core.errors import UsageError


def sentence(call: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """The sentence of the UsageError that the call raises."""
    with pytest.raises(UsageError) as refused:
        call(*arguments, **options)
    return str(refused.value)
