"""Parameters of a protocol in the header of a trace: read, and written without those that have their default."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

P = TypeVar("P", bound=msgspec.Struct)


def read(header: Mapping[str, Any], kind: type[P], wanted: str) -> P:
    """The parameters in a header. Raises ValueError, with what is wanted in words, if they are invalid."""
    try:
        return msgspec.convert(header, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{wanted}: {error}") from error


def told(parameters: msgspec.Struct) -> dict[str, Any]:
    """The parameters as a header has them, without default values."""
    usual = msgspec.to_builtins(type(parameters)())
    return {name: value for name, value in msgspec.to_builtins(parameters).items() if value != usual[name]}
