"""Findings as text: a line for each lemma, and more for what is refuted, undecided, or not as it is meant to be."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from checker.judge.verdict import HOLDS, Unknown
from checker.prove.finding import Finding, Proved, Refuted, Settled
from checker.prove.lemma import Lemma

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


def describe(lemma: Lemma) -> Description:
    """What a lemma says."""
    said = tuple(Said(statement.says, statement.holds) for statement in (lemma.statement, *lemma.contrasts))
    return Description(lemma.name, said[0], said[1:], lemma.source, lemma.ranges_over, lemma.about)


def description(found: Description) -> Iterator[str]:
    """A lemma that is not yet proved, as text."""
    yield f"{found.name}: {_meant(found.statement.holds)} ({found.ranges_over})"
    yield f"  {found.statement.says} [{found.source}; about {found.about}]"
    for contrast in found.contrasts:
        yield f"  {_meant(contrast.holds)}: {contrast.says}"


def lines(finding: Finding) -> Iterator[str]:
    """What came out of a lemma, as text."""
    yield f"{finding.name}: {_outcome(finding.statement)} ({finding.ranges_over}; {finding.seconds:.1f} s)"
    if finding.exit_code() == HOLDS and finding.statement.holds:
        yield f"  {_failing(finding.contrasts)}"
        return
    yield f"  {finding.statement.says} [{finding.source}; about {finding.about}]"
    yield from _details(finding.statement, "  ")
    for contrast in finding.contrasts:
        yield f"  {_outcome(contrast)}: {contrast.says}"
        yield from _details(contrast, "    ")


def summary(findings: Iterable[Finding]) -> str:
    """All findings in one line."""
    found = list(findings)
    proved = sum(isinstance(one.statement.result, Proved) for one in found)
    refuted = sum(isinstance(one.statement.result, Refuted) for one in found)
    odd = [one.name for one in found if one.exit_code() != HOLDS]
    seconds = sum(one.seconds for one in found)
    told = f"not as meant: {', '.join(odd)}" if odd else "all as meant, and so are their contrasts"
    return f"{len(found)} lemmas in {seconds:.0f} s: {proved} proved, {refuted} refuted; {told}."


def _failing(contrasts: tuple[Settled, ...]) -> str:
    count = sum(not contrast.holds for contrast in contrasts)
    weaker = "a weaker version" if count == 1 else f"{count} weaker versions"
    return f"{weaker} refuted, as must be"


def _meant(holds: bool) -> str:
    return "to be proved" if holds else "to be refuted"


def _outcome(settled: Settled) -> str:
    match settled.result:
        case Proved():
            return "proved" if settled.holds else "PROVED, though it is meant to be refuted"
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
