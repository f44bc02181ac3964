"""The words of lemmas: a TOML file beside the modules that prove them, with a table for each lemma, in their order."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.lemma import Lemma, Obligation, Replayed, Sample, Statement, Values

FILE = "lemmas.toml"


class Worded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a statement, and whether it should be true."""

    says: str
    holds: bool


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a lemma, by the fields of `Lemma`. `{name}` stands for the figure of that name."""

    says: str
    source: str
    ranges_over: str
    by_hand: str
    leaves_out: str
    contrasts: tuple[Worded, ...]
    holds: bool = True
    about: str = "the specification"


class Attempt(msgspec.Struct, frozen=True):
    """The obligations of a statement, and the replay of what refutes it."""

    obligations: Callable[[], Iterable[Obligation]]
    replay: Callable[[Values], Replayed] | None = None


class Proof(msgspec.Struct, frozen=True):
    """The part of a lemma that is no words: the attempts, those of its contrasts last, its samples, and its figures."""

    attempts: tuple[Attempt, ...]
    agrees_with_spec: Callable[[Random], Sample]
    tied_to: tuple[Callable[..., Any], ...]
    figures: Mapping[str, int] = {}


def lemmas_of(folder: Path, proofs: Mapping[str, Proof]) -> tuple[Lemma, ...]:
    """The lemmas of a folder, in the order of its file. Raises UsageError for one without its words or its proof."""
    file = folder / FILE
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: {error}.") from error
    for name in sorted(tables.keys() ^ proofs.keys()):
        raise UsageError(f"{file}: the lemma {name!r} has no {'proof' if name in tables else 'words'}.")
    lemmas = []
    for name, table in tables.items():
        try:
            lemmas.append(_lemma(name, msgspec.convert(table, Words), proofs[name]))
        except (msgspec.ValidationError, ValueError) as error:
            raise UsageError(f"{file}: the lemma {name!r}: {error}.") from error
    return tuple(lemmas)


def _lemma(name: str, words: Words, proof: Proof) -> Lemma:
    stated = (Worded(words.says, words.holds), *words.contrasts)
    if len(stated) != len(proof.attempts):
        raise ValueError(f"{len(proof.attempts)} attempts, and words of {len(stated)}")
    statement, *contrasts = map(partial(_statement, proof), stated, proof.attempts)
    return Lemma(
        name=name,
        statement=statement,
        source=words.source,
        ranges_over=_filled(words.ranges_over, proof),
        contrasts=tuple(contrasts),
        by_hand=_filled(words.by_hand, proof),
        leaves_out=_filled(words.leaves_out, proof),
        agrees_with_spec=proof.agrees_with_spec,
        tied_to=proof.tied_to,
        about=words.about,
    )


def _statement(proof: Proof, words: Worded, attempt: Attempt) -> Statement:
    return Statement(_filled(words.says, proof), attempt.obligations, words.holds, attempt.replay)


def _filled(words: str, proof: Proof) -> str:
    try:
        return words.format_map(proof.figures)
    except KeyError as error:
        raise ValueError(f"there is no figure {error}") from error
