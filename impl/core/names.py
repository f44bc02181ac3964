"""Names of nodes and topics, and the nodes that a value names."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

NAME = r"\A[A-Za-z0-9_.:-]{1,64}\Z"
"""Pattern of a node's or a topic's name. There are no wildcards."""

OF_A_NODE = {"names": "a node"}
"""The mark, in the `Meta` of a type, that its texts are names of nodes."""

Name = Annotated[str, Meta(pattern=NAME, extra=OF_A_NODE)]
TopicName = Annotated[str, Meta(pattern=NAME)]

_Find = Callable[[Any], Iterable[str]]


def nodes_named(value: Struct) -> Iterator[str]:
    """The nodes that a message or command names, by the types of its fields; a name may come more than once."""
    yield from _of_struct(type(value))(value)


@lru_cache(maxsize=1024)
def _of_struct(kind: type[Struct]) -> _Find:
    parts = [(field, _find(hint)) for field, hint in get_type_hints(kind, include_extras=True).items()]
    return lambda value: (name for field, find in parts for name in find(getattr(value, field)))


def _find(hint: Any) -> _Find:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        is_marked = any(isinstance(mark, Meta) and mark.extra == OF_A_NODE for mark in arguments[1:])
        return (lambda text: (text,)) if is_marked else _find(arguments[0])
    if origin in (Union, UnionType):
        finds = {_plain(argument): _find(argument) for argument in arguments}
        return lambda value: finds[type(value)](value) if type(value) in finds else ()
    if origin is tuple and arguments[1:] == (...,):
        each = _find(arguments[0])
        return lambda values: (name for value in values for name in each(value))
    if origin is tuple:
        every = [_find(argument) for argument in arguments]
        return lambda values: (name for find, value in zip(every, values, strict=True) for name in find(value))
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _of_struct(hint)
    return lambda _: ()


def _plain(hint: Any) -> Any:
    """The class of the values of a type."""
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return get_origin(plain) or plain
