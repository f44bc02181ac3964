"""What stands in TOML beside a protocol: its small models with their expected results, and the words of its variants.

A small model can be explored completely.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from gomboc.spec.core.instance import Instance
from gomboc.spec.core.protocol import Erratum, Protocol, Start

HOLDS, VIOLATED, UNKNOWN = "holds", "violated", "unknown"
"""The verdicts that a record has."""

STAYS = "from every right state, with any right messages in flight, every step leads to a right state"


class Closure(msgspec.Struct, frozen=True):
    """Right states of a protocol, and the messages that may be in flight in them: whether no step leaves them.

    - `rights()`: the right states, with nothing in flight. `about(start)`: every pair (target, message) that is
      considered; pairs that are at fault in that state are left out.
    - `bounds`: in words, what the states and messages range over. `says`: in words, what is claimed.
    """

    protocol: Protocol
    rights: Callable[[], tuple[Start, ...]]
    about: Callable[[Start], tuple[tuple[str, Any], ...]]
    bounds: str
    says: str = STAYS


class Results(msgspec.Struct, frozen=True):
    """Expected results of an exploration: the count of each kind, and the verdicts in the order of the findings.

    `leaving` counts the states that lead beyond the bounds of the model, for which verdicts are unknown; None if they
    were not counted.
    """

    starts: int
    states: int
    transitions: int
    legitimate: int
    verdicts: tuple[str, ...]
    leaving: int | None = 0


class Pinned(msgspec.Struct, frozen=True):
    """A model with a name, a description, and its recorded results.

    `variant` is the erratum with the rules that it uses; None for our rules. `long`: its exploration takes minutes.
    Without `results` it is explored as far as the bounds go, and no results are recorded.
    """

    name: str
    about: str
    model: Instance | Closure
    results: Results | None
    variant: str | None = None
    long: bool = False


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The findings of each verdict, by name."""

    holds: tuple[str, ...] = ()
    violated: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def by_finding(self) -> dict[str, str]:
        """The verdict on each finding that has one."""
        return {name: verdict for verdict in (HOLDS, VIOLATED, UNKNOWN) for name in getattr(self, verdict)}

    def in_order(self, findings: tuple[str, ...]) -> tuple[str, ...]:
        """The verdicts on those of the findings that have one. Raises ValueError if another finding has one."""
        verdicts = self.by_finding()
        if unknown := verdicts.keys() - {*findings}:
            raise ValueError(f"there is no finding {min(unknown)!r}")
        return tuple(verdicts[name] for name in findings if name in verdicts)


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model in `models.toml`: fields of Pinned and of Results, where `verdicts` is the name of a pattern."""

    name: str
    about: str
    starts: int
    states: int
    transitions: int
    legitimate: int
    verdicts: str
    leaving: int = 0
    variant: str | None = None
    long: bool = False


class Records(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `models.toml`: the findings on its models, in their order; patterns of verdicts; and the models."""

    findings: tuple[str, ...]
    verdicts: Mapping[str, Pattern]
    models: tuple[Row, ...]


def records_beside(module: str) -> Records:
    """The file `models.toml` beside a module. Raises ValueError, with the file, if it has another form."""
    path = _path_beside(module)
    try:
        return msgspec.toml.decode(path.read_text(encoding="utf-8"), type=Records)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read_models(module: str, models: Mapping[str, Instance | Closure]) -> tuple[Pinned, ...]:
    """The models of a module by name, as `models.toml` beside it describes them; a line break in a text is a blank.

    Raises ValueError, with the file, if it has another form, or describes other models.
    """
    records = records_beside(module)
    try:
        if [row.name for row in records.models] != [*models]:
            raise ValueError(f"it describes {', '.join(row.name for row in records.models)}, not {', '.join(models)}")
        verdicts = {name: pattern.in_order(records.findings) for name, pattern in records.verdicts.items()}
        return tuple(_pinned(row, models[row.name], verdicts) for row in records.models)
    except ValueError as error:
        raise ValueError(f"{_path_beside(module)}: {error}") from error


def _path_beside(module: str) -> Traversable:
    return files(module.rpartition(".")[0]) / "models.toml"


def _pinned(row: Row, model: Instance | Closure, verdicts: Mapping[str, tuple[str, ...]]) -> Pinned:
    if row.verdicts not in verdicts:
        raise ValueError(f"there is no pattern {row.verdicts!r} of verdicts")
    counts = row.starts, row.states, row.transitions, row.legitimate
    results = Results(*counts, verdicts[row.verdicts], row.leaving)
    return Pinned(row.name, " ".join(row.about.split()), model, results, row.variant, row.long)


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The source of a printed rule, and the property that breaks with it; none if it has not been seen to break any."""

    source: str
    breaks: str = ""


def read_errata(package: str, variants: Mapping[str, Protocol]) -> tuple[Erratum, ...]:
    """The errata of a protocol: its variants by name, in the order of `errata.toml` in its package.

    Raises ValueError if that file has another form, or words for other variants.
    """
    words = _words(package)
    if words.keys() != variants.keys():
        raise ValueError(f"errata.toml of {package} has words for {', '.join(words)}, not {', '.join(variants)}")
    return tuple(Erratum(name, said.breaks, said.source, variants[name]) for name, said in words.items())


@cache
def _words(package: str) -> dict[str, Words]:
    return msgspec.toml.decode((files(package) / "errata.toml").read_bytes(), type=dict[str, Words])
