"""What there is to do: pieces of work as values, with names that say what they depend on."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from checker.digest import spec_digest
from checker.errors import UsageError
from checker.judge import Options, find_variant
from checker.pack.format import MESSAGES_FILE, PACK_FILE, STATES_FILE, STEPS_FILE, SUFFIX, TRACES_FILE
from checker.pack.read import Corpus, Pack, open_corpus, open_pack
from spec.protocol import Protocol

FORM = "1"
"""Changes with the form of what pieces of work leave behind."""


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
    """A pack, or what else of a corpus, that cannot be judged, and why."""

    name: str
    error: str


class Job(msgspec.Struct, frozen=True):
    """A corpus to be judged: its folder and protocol, the options, and where pieces of work leave what they find.

    `parameters` are those of all its packs, as JSON.
    """

    corpus: str
    protocol: str
    options: Options
    folder: str
    parameters: str = "{}"

    def specification(self) -> Protocol:
        """What is judged by: the protocol with the parameters of the packs, or the variant that the options name."""
        return find_variant(self.protocol, self.options.variant, msgspec.json.decode(self.parameters))

    def pack(self, name: str) -> Pack:
        """One of the packs. Raises UsageError."""
        return open_pack(Path(self.corpus) / name)

    def place(self, kind: str, key: str, ending: str) -> Path:
        """The file in which a piece of work leaves something."""
        return Path(self.folder) / f"{kind}-{key}.{ending}"


class Packs(msgspec.Struct, frozen=True):
    """The packs of a corpus that are fit to be judged, with a digest of the content of each, and the others.

    `parameters` are those of all packs, as JSON.
    """

    protocol: str
    digests: dict[str, str]
    damaged: tuple[Damaged, ...]
    parameters: str = "{}"


def survey(corpus: Path, keep_going: bool) -> Packs:
    """Look at every pack. Raises UsageError for the first that is not as it should be, unless `keep_going`."""
    damaged: list[Damaged] = []
    digests: dict[str, str] = {}
    opened = _opened(corpus, keep_going, damaged)
    protocol, parameters = opened.manifest.protocol if opened else "", "{}"
    for name in _names(corpus, opened):
        try:
            pack = opened.pack(name) if opened and name in opened.names else open_pack(corpus / name)
            protocol = protocol or pack.info.protocol
            if pack.info.protocol != protocol:
                raise UsageError(f"{pack.path}: the pack is of the protocol {pack.info.protocol!r}, not {protocol!r}.")
            digests[name], parameters = _digest(pack), _parameters(pack)
        except UsageError as error:
            if not keep_going:
                raise
            damaged.append(Damaged(name, str(error)))
    return Packs(protocol, digests, tuple(damaged), parameters)


def _parameters(pack: Pack) -> str:
    """The parameters of a pack as JSON, their keys in order."""
    return msgspec.json.encode(pack.info.parameters, order="sorted").decode()


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
    return sorted(path.name for path in corpus.iterdir() if path.name.endswith(SUFFIX))


def _digest(pack: Pack) -> str:
    """A digest of all that a pack holds. Raises UsageError for a file that cannot be read."""
    digest = hashlib.sha256()
    for name in (PACK_FILE, STATES_FILE, MESSAGES_FILE, STEPS_FILE, TRACES_FILE):
        path = pack.path / name
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}.") from error
    return digest.hexdigest()


def key_of(*parts: object) -> str:
    """A name for a piece of work that depends on those things, on the specification, and on nothing else."""
    text = msgspec.json.encode([FORM, spec_digest(), *parts])
    return hashlib.sha256(text).hexdigest()[:24]


def parts_of(packs: Packs, options: Options, parts: int) -> list[Part]:
    """The parts into which the distinct steps of all packs fall."""
    return [
        Part(key_of(sorted(packs.digests.items()), options.variant, number, parts), number, parts)
        for number in range(parts)
    ]


def units_of(corpus: Path, packs: Packs, options: Options) -> tuple[list[Unit], list[Damaged]]:
    """Every row group of every pack; and the packs that cannot even be asked how many they have."""
    units: list[Unit] = []
    damaged: list[Damaged] = []
    for name, digest in packs.digests.items():
        try:
            pack = open_pack(corpus / name)
            groups = [pack.row_group_rows(number) for number in range(pack.row_groups)]
        except UsageError as error:
            damaged.append(Damaged(name, str(error)))
            continue
        units += [Unit(key_of(digest, number, options), name, number, rows) for number, rows in enumerate(groups)]
    return units, damaged


def by_size(units: Iterable[Unit]) -> list[Unit]:
    """The largest first, so that no core is left with a large one in the end."""
    return sorted(units, key=lambda unit: (-unit.traces, unit.key))
