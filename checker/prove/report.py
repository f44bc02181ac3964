"""Settlements as text: a line for each lemma, and more for what is refuted, undecided, or not as it is meant to be."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from gomboc.checker.judge.verdict import HOLDS, Unknown
from gomboc.checker.prove.lemma import Lemma
from gomboc.checker.prove.settlement import Proved, Refuted, Settled, Settlement
from gomboc.checker.words import counted

WIDEST = 400
"""Characters of a value that are shown at most."""


class Said(msgspec.Struct, frozen=True):
    """A statement, and whether it is meant to hold."""

    says: str
    holds: bool


class Description(msgspec.Struct, frozen=True):
    """What a lemma says, before it is proved."""

    name: str
    statement: Said
    contrasts: tuple[Said, ...]
    source: str
    ranges_over: str
    about: str
    by_hand: str
    leaves_out: str
    tied_to: tuple[str, ...]


def describe(lemma: Lemma) -> Description:
    """What a lemma says."""
    said = tuple(Said(statement.says, statement.holds) for statement in (lemma.statement, *lemma.contrasts))
    return Description(
        lemma.name,
        said[0],
        said[1:],
        lemma.source,
        lemma.ranges_over,
        lemma.about,
        lemma.by_hand,
        lemma.leaves_out,
        lemma.ties(),
    )


def description(found: Description) -> Iterator[str]:
    """A lemma that is not yet proved, as text."""
    yield f"{found.name}: {_meant(found.statement.holds)} ({found.ranges_over})"
    yield f"  {found.statement.says} [{found.source}; about {found.about}]"
    for contrast in found.contrasts:
        yield f"  {_meant(contrast.holds)}: {contrast.says}"
    yield from _limits(found)


def lines(found: Settlement) -> Iterator[str]:
    """What came out of a lemma, as text."""
    yield f"{found.name}: {_outcome(found.statement)} ({found.ranges_over}; {found.seconds:.1f} s)"
    yield f"  {found.statement.says} [{found.source}; about {found.about}]"
    if found.exit_code() == HOLDS and found.statement.holds:
        yield f"  {_failing(found.contrasts)}"
    else:
        yield from _details(found.statement, "  ")
        for contrast in found.contrasts:
            yield f"  {_outcome(contrast)}: {contrast.says}"
            yield from _details(contrast, "    ")
    yield from _limits(found)


def summary(settled: Iterable[Settlement]) -> str:
    """All lemmas in one line."""
    found = list(settled)
    proved = sum(isinstance(one.statement.result, Proved) for one in found)
    refuted = sum(isinstance(one.statement.result, Refuted) for one in found)
    odd = [one.name for one in found if one.exit_code() != HOLDS]
    seconds = sum(one.seconds for one in found)
    told = f"not as meant: {', '.join(odd)}" if odd else "all as meant, and so are their contrasts"
    return f"{counted(len(found), 'lemma')} in {seconds:.0f} s: {proved} proved, {refuted} refuted; {told}."


def _limits(found: Description | Settlement) -> Iterator[str]:
    """What is not proved by z3, and what is not said at all."""
    yield f"  by hand: {found.by_hand}"
    yield f"  left out: {found.leaves_out}"
    yield f"  tied by samples, not by proof, to: {', '.join(found.tied_to)}"


def _failing(contrasts: tuple[Settled, ...]) -> str:
    count = sum(not contrast.holds for contrast in contrasts)
    weaker = "a weaker version" if count == 1 else f"{count} weaker versions"
    return f"{weaker} refuted, as must be"


def _meant(holds: bool) -> str:
    return "to be proved" if holds else "to be refuted"


def _outcome(settled: Settled) -> str:
    match settled.result:
        case Proved(parts, vacuous):
            idle = f", {vacuous:,} more about nothing" if vacuous else ""
            told = f"proved, {counted(parts, 'part')}{idle}"
            return told if settled.holds else f"{told}, though it is meant to be refuted".upper()
        case Refuted() as refuted if not refuted.confirmed():
            return "REFUTED BY THE ENCODING ONLY, not by the specification"
        case Refuted():
            return "REFUTED, though it is meant to hold" if settled.holds else "refuted, as expected"
    return "UNKNOWN"


def _details(settled: Settled, indent: str) -> Iterator[str]:
    match settled.result:
        case Refuted(what, values, replayed):
            yield f"{indent}counterexample ({what}): {_short(values)}"
            if replayed is not None:
                yield f"{indent}expected: {_short(replayed.expected)}; found: {_short(replayed.found)}"
        case Unknown(why):
            yield f"{indent}{why}"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
