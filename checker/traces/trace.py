"""Reading traces: JSON Lines in, headers and steps out, and one exact sentence for each error."""

from collections.abc import Container, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import OWN_PROTOCOL, suggestion
from gomboc.checker.traces.keys import ENCODE, repeated_key, twice
from gomboc.checker.traces.line_errors import MARKED, MARKS, in_one_line, nearest_field, remedy, remedy_of_header
from gomboc.checker.traces.trace_files import Lines, open_lines
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol, protocol_names

FORMAT = "gomboc-trace"
VERSION = 1
LONGEST_LINE = 64 << 20
"""Bytes; a longer line is refused before it is read whole."""

AT_ONCE = 1 << 14
"""Bytes of a portion of lines, about; more of them do not fit into the nearest cache of a processor."""

MOST_INTERNED = 1 << 17
"""States that a reader remembers at most, to return equal ones as one object."""

Id = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
Name = Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z_.:-]{1,64}\Z")]


class Head(msgspec.Struct):
    """The fields at the beginning of every version of the format."""

    format: str
    version: int
    protocol: str
    parameters: dict[str, Any] = {}


HEAD = msgspec.json.Decoder(Head)
KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Expected(msgspec.Struct, forbid_unknown_fields=True):
    """The verdict that a golden trace expects of the judge."""

    verdict: Literal["holds", "violated", "unknown"]
    step: Natural | None = None
    rule: str | None = None


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """A message given to the network."""

    id: Id
    to: str
    message: Any


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line, with the states decoded."""

    format: str
    version: int
    protocol: str
    parameters: dict[str, Any]
    roles: dict[Name, str]
    states: dict[str, Any]
    messages: list[Sent]
    origin: dict[str, str | int | float]
    bound: Natural | None = None
    expect: Expected | None = None


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """A further line, with its states decoded. Steps are counted from 1; step k stands on line k + 1."""

    node: str
    took: Any
    state: Any
    sent: list[Sent]
    delivered: list[Any] = []
    coin: str | None = None
    before: Any = None
    received: Any = None
    at: float | None = None


class Vocabulary(msgspec.Struct, frozen=True):
    """Decoders for one protocol."""

    header: msgspec.json.Decoder[Any]
    step: msgspec.json.Decoder[Any]
    states: dict[str, msgspec.json.Decoder[Any]]


def vocabulary(protocol: Protocol) -> Vocabulary:
    """The decoders that a protocol's types imply."""
    return _vocabulary(
        protocol.vocabulary.message, protocol.vocabulary.command, tuple(protocol.vocabulary.roles.items())
    )


@cache
def _vocabulary(message: Any, command: Any, roles: tuple[tuple[str, type], ...]) -> Vocabulary:
    sent = msgspec.defstruct(
        "Sent", [("id", Id), ("to", str), ("message", message)], bases=(Sent,), forbid_unknown_fields=True
    )
    header = msgspec.defstruct(
        "Header",
        [("states", dict[str, msgspec.Raw]), ("messages", list[sent])],  # type: ignore[valid-type]
        bases=(Header,),
        forbid_unknown_fields=True,
        omit_defaults=True,
    )
    taken = Id | Literal["timeout"] | command
    step = msgspec.defstruct(
        "Step",
        [
            ("took", taken),
            ("state", msgspec.Raw),
            ("sent", list[sent]),  # type: ignore[valid-type]
            ("before", msgspec.Raw, msgspec.Raw()),
            ("received", message | msgspec.UnsetType, msgspec.UNSET),
            ("coin", str | msgspec.UnsetType, msgspec.UNSET),
            ("at", float | msgspec.UnsetType, msgspec.UNSET),
        ],
        bases=(Step,),
        forbid_unknown_fields=True,
        omit_defaults=True,
    )
    states: dict[str, msgspec.json.Decoder[Any]] = {role: msgspec.json.Decoder(kind) for role, kind in roles}
    return Vocabulary(msgspec.json.Decoder(header), msgspec.json.Decoder(step), states)


def lacking_keys(state: msgspec.Struct, keys: Container[str]) -> list[str]:
    """The keys of a state that are not among `keys`.

    The types of states have defaults for use in code; in a trace every key is required.
    """
    return [key for key in KEYS.decode(msgspec.json.encode(state)) if key not in keys]


class TraceReader:
    """One trace file. `header` is read at once, from the line `first`; `steps()` reads on, and can be iterated once.

    Raises UsageError, with file, line and fault, for a file that is not a trace.
    """

    def __init__(self, path: Path, file: Lines) -> None:
        self.path = path
        self._file = file
        self._lines = self._split(file)
        first = next(self._lines, None)
        if first is None:
            raise UsageError(f"{path}: the file is empty; a trace begins with a header.")
        self._refuse_blank(1, first)
        self.first = first
        self.protocol = self._protocol(first)
        self._vocabulary = vocabulary(self.protocol)
        self._interned: dict[tuple[str, bytes], Any] = {}
        self.header: Header = self._decode(self._vocabulary.header, first, 1)
        # A header in the recorder's own spelling has each key once; its states are checked by themselves.
        written = ENCODE(self.header)
        self._check_roles()
        self._check_expected()
        self.header.states = {
            name: self._state(self.header.roles[name], state, 1, f" of {name}")
            for name, state in self.header.states.items()
        }
        if written != first:
            self._check_keys(first, 1)

    def _fail(self, line: int, what: object, near: str = "") -> UsageError:
        return UsageError(f"{self.path}:{line}: {in_one_line(f'{what}.{near}')}")

    def _split(self, file: Lines) -> Generator[bytes]:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            yield self._whole(number, line)

    def _whole(self, number: int, line: bytes) -> bytes:
        """A line as it was read, without its newline."""
        if len(line) > LONGEST_LINE:
            raise self._fail(number, f"the line is longer than {LONGEST_LINE >> 20} MiB")
        if not line.endswith(b"\n"):
            raise self._fail(number, "the last line is cut off: it does not end with a newline")
        return line[:-1]

    def _refuse_blank(self, number: int, line: bytes) -> None:
        if not line or line.isspace():
            raise self._fail(number, "the line is blank; every line of a trace is a JSON object")

    def _decode(self, decoder: msgspec.json.Decoder[Any], raw: bytes | msgspec.Raw, line: int, whose: str = "") -> Any:
        try:
            return decoder.decode(raw)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(error, line, decoder.type, whose) from error

    def _unreadable(self, error: Exception, line: int, kind: Any, whose: str = "") -> UsageError:
        says, protocol = str(error), self.protocol
        what = f"{whose}{says}{remedy(says, protocol.vocabulary.message, protocol.vocabulary.command)}"
        return self._fail(line, what, nearest_field(says, kind))

    def _protocol(self, first: bytes) -> Protocol:
        """The protocol that the header names, with the header's parameters."""
        if first.startswith(MARKS):
            raise self._fail(1, MARKED)
        try:
            head = HEAD.decode(first)
        except (ValueError, RecursionError) as error:
            raise self._fail(1, f"{error}{remedy_of_header(str(error))}") from error
        if head.format != FORMAT:
            raise self._fail(1, f"the format is {head.format!r}, not {FORMAT!r}")
        if head.version != VERSION:
            raise self._fail(1, f"the trace has version {head.version}, and this gomboc reads version {VERSION}")
        if head.protocol not in protocol_names():
            known = protocol_names()
            near = suggestion(head.protocol, known)
            raise UsageError(
                f"{self.path}:1: there is no protocol {head.protocol!r}; there are: {', '.join(known)}; "
                f"{OWN_PROTOCOL}.{near}"
            )
        try:
            return configured(find_protocol(head.protocol), head.parameters)
        except ValueError as error:
            raise self._fail(1, str(error).rstrip(".")) from error

    def _check_roles(self) -> None:
        header, protocol = self.header, self.protocol
        unknown = sorted(set(header.roles.values()) - set(protocol.vocabulary.roles))
        if unknown:
            raise self._fail(1, f"protocol {protocol.name} has no role {unknown[0]!r}")
        for name, role in protocol.vocabulary.fixed.items():
            if header.roles.get(name) != role:
                raise self._fail(1, f"roles must name the node {name!r}, with the role {role!r}")
        if misnamed := protocol.naming.misnamed(header.roles):
            raise self._fail(1, misnamed.rstrip("."))
        lacking = sorted(set(header.roles) ^ set(header.states))
        if lacking:
            raise self._fail(1, f"roles and states do not name the same nodes: only one of them has {lacking[0]!r}")

    def _check_expected(self) -> None:
        expect = self.header.expect
        if expect is not None and (expect.verdict == "violated") != (None not in (expect.step, expect.rule)):
            raise self._fail(1, "expect says step and rule if the verdict is violated, and neither if it is not")

    def _state(self, role: str, raw: msgspec.Raw, line: int, whose: str = "") -> Any:
        """The decoded state; equal texts give the same object, since states recur."""
        key = role, bytes(raw)
        if key not in self._interned:
            if len(self._interned) >= MOST_INTERNED:
                self._interned.clear()
            state = self._decode(self._vocabulary.states[role], raw, line, f"the state{whose}: ")
            written = ENCODE(state)
            if written != key[1]:
                self._check_complete(state, raw, line, whose)
                self._check_keys(key[1], line, written)
            self._interned[key] = state
        return self._interned[key]

    def _check_complete(self, state: msgspec.Struct, raw: msgspec.Raw, line: int, whose: str) -> None:
        lacking = lacking_keys(state, self._decode(KEYS, raw, line))
        if lacking:
            raise self._fail(line, f"the state{whose} lacks the key {lacking[0]!r}")

    def _check_keys(self, text: bytes, line: int, written: bytes = b"") -> None:
        try:
            key = repeated_key(text, written)
        except (RecursionError, UnicodeDecodeError) as error:
            raise self._fail(line, error) from error
        if key is not None:
            raise self._fail(line, twice(key))

    def steps(self) -> Iterator[Step]:
        """Every step, in order. The state of a step by an unknown node is None."""
        for line, raw in enumerate(self._lines, 2):
            yield self.step(line, raw)

    def portions(self) -> Iterator[tuple[int, list[bytes]]]:
        """The lines after the header, unread, a few at a time, with the number of the first of them.

        They can be iterated once, here or by `steps`. An error is raised after the lines before it.
        """
        number = 2
        # They refer to this reader, which a collector of cycles would have to find otherwise.
        self._lines.close()
        for block in _blocks(self._file):
            *lines, rest = block.split(b"\n")
            if lines and len(lines[-1]) >= LONGEST_LINE:
                rest = lines.pop() + b"\n"
            yield number, lines
            number += len(lines)
            if rest:
                self._whole(number, rest)

    def step(self, line: int, raw: bytes) -> Step:
        """The step on one of these lines. Raises UsageError."""
        self._refuse_blank(line, raw)
        try:
            step: Any = self._vocabulary.step.decode(raw)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(error, line, self._vocabulary.step.type) from error
        # A line in the recorder's own spelling has each key once; its states are checked by themselves.
        written = ENCODE(step)
        if not raw.startswith(written):
            self._check_keys(raw, line, written)
        role = self.header.roles.get(step.node)
        if role is None:
            self._check_keys(raw, line)
            step.state = step.before = None
        else:
            step.state = self._state(role, step.state, line)
            step.before = self._state(role, step.before, line, " before") if bytes(step.before) else None
        # Omitted keys are None from here on; a line with null instead has been refused.
        if step.coin is UNSET:
            step.coin = None
        if step.at is UNSET:
            step.at = None
        if step.received is UNSET:
            step.received = None
        elif not isinstance(step.took, int):
            raise self._fail(line, "it says what was received, and no message was delivered")
        return step  # type: ignore[no-any-return]


def _blocks(file: Lines) -> Iterator[bytes]:
    """The rest of a file, some lines at a time; a line that is incomplete, or too long, ends its block."""
    if isinstance(file, BufferedReader):
        while block := file.read(AT_ONCE):
            yield block if block.endswith(b"\n") else block + file.readline(LONGEST_LINE + 1)
        return
    block = b""
    try:
        while line := file.readline(LONGEST_LINE + 1):
            block += line
            if len(block) >= AT_ONCE or not line.endswith(b"\n"):
                yield block
                block = b""
    except UsageError:
        yield block
        raise
    yield block


@contextmanager
def open_trace(path: Path) -> Iterator[TraceReader]:
    """A reader of the trace at `path`. Raises UsageError if there is none, or if it is not one."""
    with open_lines(path) as lines:
        yield TraceReader(path, lines)
