"""Pieces of work as values, with keys that identify everything they depend on."""

import hashlib
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import msgspec
import numpy as np

from gomboc.checker import core, distinct, judge, replay, summary, traces
from gomboc.checker.core.arrow import pa
from gomboc.checker.core.digest import spec_digest
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.folder import check_file, names_in
from gomboc.checker.core.phrases import OWN_PROTOCOL, counted
from gomboc.checker.core.sources import below
from gomboc.checker.judge.naive import Options, find_variant
from gomboc.checker.replay.pack.format import MESSAGES_FILE, PACK_FILE, STATES_FILE, STEPS_FILE, SUFFIX, TRACES_FILE
from gomboc.checker.replay.pack.read import Corpus, Pack, open_corpus, open_pack
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.core.registry import find_protocol, protocol_names

Findings = TypeVar("Findings")

LEAST_STEPS = 1_000
"""Local steps for which a process is worth starting."""

OF_JUDGES = judge, distinct, traces
"""The packages whose functions read and judge distinct steps."""

OF_VERDICTS = *OF_JUDGES, core, replay, summary
"""The packages whose functions make verdicts."""

FORM = "5"
"""Version of the results of pieces of work; changes with their form."""

LIBRARIES = tuple(f"{library.__name__} {library.__version__}" for library in (msgspec, np, pa))
"""What reads texts, compares columns and writes verdicts: another version may do so otherwise."""


class Part(msgspec.Struct, frozen=True):
    """Part `number` of `parts` of the distinct values and steps of all packs, to be judged against the spec."""

    key: str
    number: int
    parts: int


class Unit(msgspec.Struct, frozen=True):
    """The traces of one row group of a pack, which are to be composed and counted."""

    key: str
    pack: str
    row_group: int
    traces: int


class Damaged(msgspec.Struct, frozen=True):
    """A pack, or another part of a corpus, that cannot be judged, and why."""

    name: str
    error: str


class StoreOptions(msgspec.Struct, frozen=True):
    """The folder of a store, and its bytes at most."""

    folder: str
    most: int


class Job(msgspec.Struct, frozen=True):
    """A corpus to be judged: its folder and protocol, the options, and the folder for the results of pieces of work.

    `content` is a digest of all its packs: a process may reuse a job's results only for the same content. `parameters`
    are those of all its packs, as JSON. `store`: where steps are that were judged before; None for nowhere.
    """

    corpus: str
    protocol: str
    options: Options
    folder: str
    content: str
    parameters: str = "{}"
    store: "StoreOptions | None" = None

    def specification(self) -> Protocol:
        """The protocol with the parameters of the packs, or the variant that the options name."""
        return find_variant(self.protocol, self.options.variant, msgspec.json.decode(self.parameters))

    @property
    def store_key(self) -> str:
        """A name for all that the judgement of a step depends on."""
        return key_of(sources(OF_JUDGES), sys.version_info[:2], self.protocol, self.parameters, self.options.variant)

    def kept_key(self, unit: "Unit") -> str:
        """A name, beside that, for all that the verdicts of a unit depend on."""
        return key_of(sources(OF_VERDICTS), unit.key, unit.pack)

    def pack(self, name: str) -> Pack:
        """One of the packs. Raises UsageError."""
        return open_pack(Path(self.corpus) / name)

    def place(self, kind: str, key: str, ending: str) -> Path:
        """The file for one result of a piece of work."""
        return Path(self.folder) / f"{kind}-{key}.{ending}"


@cache
def sources(packages: tuple[ModuleType, ...]) -> str:
    """A digest of the sources of those packages."""
    folders = [Path(next(iter(package.__path__))) for package in packages]
    return hashlib.sha256(b"".join(content for folder in folders for _, content in below(folder))).hexdigest()


def recorded(path: Path, kind: type[Findings]) -> Findings:
    """Findings that a piece of work has written. Raises UsageError if they are gone."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: the recorded findings are gone or damaged: run again without --resume.") from error


class Packs(msgspec.Struct, frozen=True):
    """The packs of a corpus that can be judged, with a digest of the content of each, and the damaged packs.

    `parameters` are those of all packs, as JSON; `steps` is their number of local steps.
    """

    protocol: str
    digests: dict[str, str]
    damaged: tuple[Damaged, ...]
    parameters: str = "{}"
    steps: int = 0

    @property
    def content(self) -> str:
        """A digest of all packs."""
        return key_of(sorted(self.digests.items()))


def survey(corpus: Path, keep_going: bool) -> Packs:
    """Read every pack. Raises UsageError if there is no trace, and, unless `keep_going`, for the first bad pack."""
    damaged: list[Damaged] = []
    digests: dict[str, str] = {}
    opened = _opened(corpus, keep_going, damaged)
    protocol, parameters, traces, steps = "", "{}", 0, 0
    names = TraceNames()
    for name in _names(corpus, opened):
        try:
            pack = opened.pack(name) if opened else open_pack(corpus / name)
            _check_protocol(pack, protocol, parameters)
            digest = _digest(pack.path)
            _check_new(corpus, pack, digest, digests)
            names.add(pack)
        except UsageError as error:
            if not keep_going:
                raise
            damaged.append(Damaged(name, str(error)))
            continue
        protocol, parameters, digests[name] = pack.info.protocol, _parameters(pack), digest
        traces += pack.counts.traces
        steps += pack.counts.steps
    if not traces and not damaged:
        raise UsageError(f"{corpus}: there is no trace in it.")
    return Packs(protocol, digests, tuple(damaged), parameters, steps)


def _parameters(pack: Pack) -> str:
    """The parameters of a pack as JSON, their keys in order."""
    return msgspec.json.encode(pack.info.parameters, order="sorted").decode()


def _check_protocol(pack: Pack, wanted: str, parameters: str) -> None:
    """Raise UsageError unless a pack has a known protocol, the one of the other packs, with the same parameters."""
    protocol = pack.info.protocol
    if protocol not in protocol_names():
        known = ", ".join(protocol_names())
        raise UsageError(f"{pack.path}: there is no protocol {protocol!r}; there are: {known}; {OWN_PROTOCOL}.")
    if wanted not in ("", protocol):
        raise UsageError(f"{pack.path}: the pack is of the protocol {protocol!r}, and others are of {wanted!r}.")
    for parameter in sorted(set(pack.info.parameters) - set(find_protocol(protocol).variants.parameters)):
        raise UsageError(f"{pack.path}: the protocol {protocol} has no parameter {parameter!r}.")
    if wanted and _parameters(pack) != parameters:
        raise UsageError(f"{pack.path}: the pack has the parameters {_parameters(pack)}, and others have {parameters}.")
    try:
        find_variant(protocol, None, pack.info.parameters)
    except UsageError as error:
        raise UsageError(f"{pack.path}: {error}") from error


def _check_new(corpus: Path, pack: Pack, digest: str, known: Mapping[str, str]) -> None:
    """Raise UsageError if a pack is a copy of a known pack: its traces would count twice."""
    for name, other in known.items():
        if other == digest and pack.counts.traces:
            raise UsageError(f"{pack.path}: the pack is a copy of {corpus / name}.")


class TraceNames:
    """Names of the traces of all packs so far, as hashes because there may be millions. Equal hashes are compared by
    name.
    """

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._packs: list[Pack] = []

    def add(self, pack: Pack) -> None:
        """Raise UsageError if a trace of that pack has the name of a trace in an earlier pack: it would count twice."""
        names = pack.names()
        hashed = set(map(hash, names))
        if not self._known.isdisjoint(hashed):
            self._look_closer(pack, names)
        self._known |= hashed
        self._packs.append(pack)

    def _look_closer(self, pack: Pack, names: list[str]) -> None:
        for other in self._packs:
            both = set(names).intersection(other.names())
            if both:
                raise UsageError(f"{pack.path}: the trace {min(both)!r} is in {other.path}, too.")


def _opened(corpus: Path, keep_going: bool, damaged: list[Damaged]) -> Corpus | None:
    try:
        return open_corpus(corpus)
    except UsageError as error:
        if not keep_going:
            raise
        damaged.append(Damaged(corpus.name, str(error)))
        return None


def _names(corpus: Path, opened: Corpus | None) -> list[str]:
    if opened is not None:
        return sorted(opened.names)
    return [name for name in names_in(corpus) if name.endswith(SUFFIX)]


def _digest(pack: Path) -> str:
    """A digest of all files of a pack. Raises UsageError for a file that cannot be read."""
    digest = hashlib.sha256()
    for name in (PACK_FILE, STATES_FILE, MESSAGES_FILE, STEPS_FILE, TRACES_FILE):
        path = pack / name
        check_file(path)
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}.") from error
    return digest.hexdigest()


def unchanged(corpus: Path, packs: Packs, names: Iterable[str]) -> set[str]:
    """Those of the packs of these names that still have the content with which the survey has met them."""
    same = set[str]()
    for name in names:
        with suppress(UsageError):
            if _digest(corpus / name) == packs.digests[name]:
                same.add(name)
    return same


def key_of(*parts: object) -> str:
    """A name for a piece of work that depends on those values, on the specification, on the libraries that read and
    compare values, and on nothing else.
    """
    text = msgspec.json.encode([FORM, LIBRARIES, spec_digest(), *parts])
    return hashlib.sha256(text).hexdigest()[:24]


def parts_of(packs: Packs, options: Options, parts: int) -> list[Part]:
    """The parts into which the distinct steps of all packs are divided: that many, or fewer if there are few steps."""
    parts = max(1, min(parts, packs.steps // LEAST_STEPS))
    return [
        Part(key_of(sorted(packs.digests.items()), options.variant, number, parts), number, parts)
        for number in range(parts)
    ]


def units_of(corpus: Path, packs: Packs, options: Options) -> tuple[list[Unit], list[Damaged]]:
    """Every row group of every pack; and the packs with row groups that cannot be counted."""
    units: list[Unit] = []
    damaged: list[Damaged] = []
    for name, digest in packs.digests.items():
        try:
            pack = open_pack(corpus / name)
            pack.check_events()
            groups = [pack.row_group_rows(number) for number in range(pack.row_groups)]
            _check_groups(pack, groups)
        except UsageError as error:
            damaged.append(Damaged(name, str(error)))
            continue
        units += [Unit(key_of(digest, number, options), name, number, rows) for number, rows in enumerate(groups)]
    return units, damaged


def _check_groups(pack: Pack, groups: list[int]) -> None:
    """Raise UsageError unless the row groups of a pack have its traces, and no others."""
    if sum(groups) != pack.counts.traces:
        said = f"it says that there are {counted(pack.counts.traces, 'trace')}"
        raise UsageError(f"{pack.path / PACK_FILE}: {said}, and the row groups have {sum(groups)}.")


def by_size(units: Iterable[Unit]) -> list[Unit]:
    """The units by size, largest first, so that no core is left with a large unit in the end."""
    return sorted(units, key=lambda unit: (-unit.traces, unit.key))
