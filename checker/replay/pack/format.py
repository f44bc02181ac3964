"""The format of packs and corpora: names, versions, schemas, and the fields of `pack.json` and `manifest.json`."""

from typing import Any, Protocol

import msgspec
from msgspec import Raw

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.errors import UsageError
from gomboc.checker.traces.trace import Id

PACK_FORMAT, CORPUS_FORMAT = "gomboc-pack", "gomboc-corpus"
VERSION = 1

SUFFIX = ".pack"
PACK_FILE, MANIFEST_FILE = "pack.json", "manifest.json"
STATES_FILE, MESSAGES_FILE = "states.parquet", "messages.parquet"
STEPS_FILE, TRACES_FILE = "steps.parquet", "traces.parquet"

TIMEOUT, DELIVERY, COMMAND = 0, 1, 2
"""Values of the column `took` of a local step."""

NONE = -1
"""Stands for "no id" in a column of ids."""

LARGEST_ID = 2**53 - 1
"""The largest id that a message may have."""

NAMES = pa.dictionary(pa.int32(), pa.string())


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in columns.items()])


STATES = _schema(role=NAMES, state=pa.binary())
MESSAGES = _schema(message=pa.binary())
STEPS = _schema(
    node=NAMES,
    before=pa.int32(),
    took=pa.int8(),
    input=pa.int32(),
    after=pa.int32(),
    targets=pa.list_(pa.string()),
    contents=pa.list_(pa.int32()),
    coin=pa.string(),
    delivered=pa.binary(),
    received=pa.int32(),
)
TRACES = _schema(
    name=pa.string(),
    header=pa.binary(),
    first=pa.list_(pa.int32()),
    initial=pa.list_(pa.int64()),
    initial_to=pa.list_(pa.int32()),
    initial_content=pa.list_(pa.int32()),
    events=pa.list_(pa.int32()),
    took=pa.list_(pa.int64()),
    sent=pa.list_(pa.int64()),
    at=pa.list_(pa.float64()),
    claimed=pa.list_(pa.int32()),
)
SCHEMAS = {STATES_FILE: STATES, MESSAGES_FILE: MESSAGES, STEPS_FILE: STEPS, TRACES_FILE: TRACES}

NULLABLE = {
    STATES_FILE: ("role",),
    MESSAGES_FILE: (),
    STEPS_FILE: ("coin", "delivered", "received"),
    TRACES_FILE: ("at", "claimed"),
}
"""The columns that may hold nulls."""

Located = tuple[str, int]
"""A node's name, and a number of the dictionary: of its state, or of the content of a message to it."""

Given = tuple[tuple[Located, ...], str | None, bytes | None, int | None]
"""The last columns of a row of STEPS: each target with its content, coin, delivered, received."""

NOTHING_GIVEN: Given = (), None, None, None
"""Those of a step that sends and delivers nothing, tosses no coin and does not say what it received."""

LocalStep = tuple[str, int, int, int, int, int]
"""A row of STEPS: node, before, took, input, after, and the number of the last columns."""


ABSENT = Raw()
"""Stands for an optional key that is not there."""


class SentText(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A message given to the network, its content as text."""

    id: Id
    to: str
    message: Raw


class Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A step, its input, states and messages as text."""

    node: str
    took: Raw
    state: Raw
    sent: list[SentText]
    delivered: Raw = ABSENT
    coin: str | None = None
    before: Raw = ABSENT
    received: Raw = ABSENT
    at: float | None = None


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of rows in the tables of a pack, and of steps in all its traces (`events`)."""

    traces: int = 0
    events: int = 0
    states: int = 0
    messages: int = 0
    steps: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Counts(*(one + another for one, another in zip(mine, theirs, strict=True)))


class PackInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `pack.json`."""

    format: str
    version: int
    protocol: str
    parameters: dict[str, Any]
    counts: Counts


class PackEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A manifest's entry for one pack."""

    name: str
    counts: Counts


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `manifest.json`; `counts` is the sum over the packs."""

    format: str
    version: int
    protocol: str
    parameters: dict[str, Any]
    packs: tuple[PackEntry, ...]
    counts: Counts


class Kind(Protocol):
    """What all traces of a pack, and all packs of a corpus, have in common."""

    @property
    def protocol(self) -> str:
        """The name of the protocol."""

    @property
    def parameters(self) -> dict[str, Any]:
        """Its parameters."""


def check_kind(one: Kind, other: Kind, who: str, whose: str) -> None:
    """Raise UsageError if both have different protocols or parameters. The last two arguments name them there."""
    for what in ("protocol", "parameters"):
        value, wanted = getattr(one, what), getattr(other, what)
        if value != wanted:
            raise UsageError(f"{who} has the {what} {value!r}, and {whose} has {wanted!r}.")
