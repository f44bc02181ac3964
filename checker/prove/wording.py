"""The words of lemmas in a file, beside the modules that prove them: each of those has PROOFS, by the lemma's name."""

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.lemma import Enumeration, Lemma, Obligation, Replayed, Sample, Statement, Values
from gomboc.checker.prove.texts import read_texts


class Worded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a statement, and whether it should be true."""

    says: str
    holds: bool


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a lemma, by the fields of `Lemma`. `{name}` stands for the figure of that name."""

    name: str
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

    obligations: Callable[[], Iterable[Obligation | Enumeration]]
    replay: Callable[[Values], Replayed] | None = None


class Proof(msgspec.Struct, frozen=True):
    """The part of a lemma that is no words: the attempts, those of its contrasts last, its samples, and its figures."""

    attempts: tuple[Attempt, ...]
    agrees_with_spec: Callable[[Random], Sample]
    tied_to: tuple[Callable[..., Any], ...]
    figures: Mapping[str, int] = {}


def lemmas_below(package: str, folder: Path) -> tuple[Lemma, ...]:
    """The lemmas of the modules in a package's folder, with the words in the file `lemmas.toml` beside that folder."""
    names = [module.name for module in pkgutil.iter_modules([str(folder)], f"{package}.")]
    proofs = [entry for name in names for entry in import_module(name).PROOFS.items()]
    assert len(dict(proofs)) == len(proofs), f"two proofs in {package} have one name"
    return read_lemmas(folder.parent / "lemmas.toml", dict(proofs))


def read_lemmas(path: Path, proofs: Mapping[str, Proof]) -> tuple[Lemma, ...]:
    """The lemmas with the words in that file, in its order. Raises UsageError if one lacks its words or its proof."""
    tables = read_texts(path).get("lemmas", [])
    names = [table.get("name") for table in tables]
    if lacking := sorted(map(str, {*names} ^ {*proofs})):
        raise UsageError(f"{path}: the lemma {lacking[0]!r} has no {'proof' if lacking[0] in names else 'words'}.")
    return tuple(_lemma(path, table, proofs[table["name"]]) for table in tables)


def _lemma(path: Path, table: dict[str, Any], proof: Proof) -> Lemma:
    try:
        words = msgspec.convert(table, Words)
        stated = (Worded(words.says, words.holds), *words.contrasts)
        if len(stated) != len(proof.attempts):
            raise ValueError(f"{len(stated)} statements, and {len(proof.attempts)} attempts to prove them")
        statement, *contrasts = map(partial(_statement, proof), stated, proof.attempts)
        ranges_over, by_hand, leaves_out = (
            _filled(text, proof) for text in (words.ranges_over, words.by_hand, words.leaves_out)
        )
    except ValueError as error:
        raise UsageError(
            f"{path}: the lemma {table['name']!r} is not as lemmas are written ({error}): fix it."
        ) from error
    return Lemma(
        name=words.name,
        statement=statement,
        source=words.source,
        ranges_over=ranges_over,
        contrasts=tuple(contrasts),
        by_hand=by_hand,
        leaves_out=leaves_out,
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
