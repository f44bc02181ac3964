"""The vocabulary of a protocol: messages, commands and deliveries, and the reading of each, and of states, from JSON.

msgspec checks the form of a value. What a form cannot say, such as that names ascend, is a `Rule` in the annotated type
of the field; the rules of a type are compiled once. They may depend on the parameters of the run.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import Name


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of messages."""


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of commands: of applications, of layers below, and from outside."""


class Delivery(Struct, frozen=True, gc=False, tag_field="kind", tag=True):
    """Base of deliveries to the application, or to the layer above."""


class Crash(Command, frozen=True):
    """The node fails, without notice; its protocol says what it keeps."""


class Restart(Command, frozen=True):
    """The node that had crashed starts again."""


class Suspect(Command, frozen=True):
    """The failure detector holds this node to be crashed."""

    node: Name


class Trust(Command, frozen=True):
    """The failure detector holds this node to be crashed no more."""

    node: Name


Fault = str | None
"""What is wrong with a value, in words; None if nothing is."""

Check = Callable[[Any], Fault]


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition on the values of an annotated type: `fault(value, parameters)`."""

    fault: Callable[[Any, Any], Fault]


def disorder(noun: str, keys: Iterable[Any], written: Callable[[Any], str] = repr) -> Fault:
    """The first of these keys that does not ascend."""
    wrong = ((former, latter) for former, latter in pairwise(keys) if former >= latter)
    return next((f"its {noun} {written(latter)} comes after {written(former)}" for former, latter in wrong), None)


def surplus(says: str, count: int, most: int | None) -> Fault:
    """The fault of more parts than there may be; None for any number. `says` leaves room for it: "it has {} rows"."""
    return None if most is None or count <= most else f"{says.format(count)}, and {most} are allowed"


def ascending(noun: str, key: Callable[[Any], Any] | None = None) -> Rule:
    """The entries ascend by their key, each once."""
    return Rule(lambda entries, _: disorder(noun, entries if key is None else map(key, entries)))


def first(entry: tuple[Any, ...]) -> Any:
    """The key of entries that are pairs of a key and a value."""
    return entry[0]


@lru_cache(maxsize=1024)
def check_of(kind: Any, parameters: object = None) -> Check:
    """Function that finds the first fault of a value of this type, part by part, by the rules in the types.

    A struct may have a method `fault(parameters)`, for conditions on several of its fields; it is called last.
    """
    return partial(_first_fault, tuple(_checks(kind, parameters)))


def _first_fault(checks: Iterable[Check], value: Any) -> Fault:
    for check in checks:
        wrong = check(value)
        if wrong is not None:
            return wrong
    return None


def _checks(kind: Any, parameters: object) -> Iterator[Check]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _checks(arguments[0], parameters)
        yield from (partial(_by_rule, rule, parameters) for rule in arguments[1:] if isinstance(rule, Rule))
    elif origin in (Union, UnionType):
        yield partial(_by_type, {_class_of(member): check_of(member, parameters) for member in arguments})
    else:
        for reach, part in _parts(kind):
            yield from (partial(reach, check) for check in _checks(part, parameters))
        if hasattr(kind, "fault"):
            yield lambda value: value.fault(parameters)


def _parts(kind: Any) -> Iterator[tuple[Callable[[Check, Any], Fault], Any]]:
    """The parts of values of a type: how a check is applied to a part, and the type of the part."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and arguments[1:] == (...,):
        yield _each, arguments[0]
    elif origin is tuple:
        yield from ((partial(_at, position), argument) for position, argument in enumerate(arguments))
    elif isinstance(kind, type) and issubclass(kind, Struct):
        hints = get_type_hints(kind, include_extras=True)
        yield from ((partial(_of_field, name), annotated) for name, annotated in hints.items())


def _class_of(kind: Any) -> Any:
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return get_origin(plain) or plain


def _by_rule(rule: Rule, parameters: object, value: Any) -> Fault:
    return rule.fault(value, parameters)


def _by_type(checks: Mapping[Any, Check], value: Any) -> Fault:
    check = checks.get(type(value))
    return None if check is None else check(value)


def _each(check: Check, values: Iterable[Any]) -> Fault:
    for value in values:
        wrong = check(value)
        if wrong is not None:
            return wrong
    return None


def _at(position: int, check: Check, values: Any) -> Fault:
    return check(values[position])


def _of_field(name: str, check: Check, value: Any) -> Fault:
    return check(getattr(value, name))


encode = msgspec.json.Encoder().encode


def plain(value: Struct) -> object:
    """The value as JSON has it."""
    decoded: object = msgspec.json.decode(encode(value))
    return decoded


Value = TypeVar("Value")


def reader(
    kind: Any, refusal: str, parameters: object = None, *, error: type[Exception] = UsageError
) -> Callable[[bytes], Any]:
    """Decoder of JSON of this type. Raises `error` for any other, with the sentence that begins with the refusal."""
    decode, check = msgspec.json.Decoder(kind).decode, check_of(kind, parameters)

    def read(written: bytes) -> Any:
        try:
            value = decode(written)
        except msgspec.DecodeError as problem:
            raise error(f"{refusal}: {problem}.") from problem
        wrong = check(value)
        if wrong is not None:
            raise error(f"{refusal}: {wrong}.")
        return value

    return read


def convert(value: object, kind: type[Value], refusal: str, *checks: Check, whose: str = "") -> Value:
    """The JSON value as one of this type without a fault. Raises `UsageError` for any other, as `reader` does.

    `whose` says, after a blank, to which node a well-formed value with a fault belongs.
    """
    try:
        converted = msgspec.convert(value, kind)
    except (msgspec.ValidationError, TypeError) as problem:
        raise UsageError(f"{refusal}: {problem}.") from problem
    wrong = _first_fault(checks, converted)
    if wrong is not None:
        raise UsageError(f"{refusal}{whose}: {wrong}.")
    return converted
