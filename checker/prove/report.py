"""Settlements as text: a line for each lemma, and details of a refuted, undecided or unexpected result."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.verdict import HOLDS, Unknown
from gomboc.checker.prove.lemma import Lemma
from gomboc.checker.prove.settlement import Proved, Refuted, Settled, Settlement

WIDEST = 400
"""Maximal number of characters of a value that are shown."""


class DescribedStatement(msgspec.Struct, frozen=True):
    """A statement, and whether it should hold."""

    says: str
    holds: bool


class Description(msgspec.Struct, frozen=True):
    """The content of a lemma, before it is proved."""

    name: str
    statement: DescribedStatement
    contrasts: tuple[DescribedStatement, ...]
    source: str
    ranges_over: str
    about: str
    by_hand: str
    leaves_out: str
    tied_to: tuple[str, ...]


def describe(lemma: Lemma) -> Description:
    """The description of a lemma."""
    said = tuple(
        DescribedStatement(statement.says, statement.holds) for statement in (lemma.statement, *lemma.contrasts)
    )
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


def description(lemma: Description) -> Iterator[str]:
    """A lemma that is not yet proved, as text."""
    yield f"{lemma.name}: {_meant(lemma.statement.holds)} ({lemma.ranges_over})"
    yield f"  {lemma.statement.says} [{lemma.source}; about {lemma.about}]"
    for contrast in lemma.contrasts:
        yield f"  {_meant(contrast.holds)}: {contrast.says}"
    yield from _limits(lemma)


def lines(settlement: Settlement) -> Iterator[str]:
    """The settlement of a lemma as text."""
    yield f"{settlement.name}: {_outcome(settlement.statement)} ({settlement.ranges_over}; {settlement.seconds:.1f} s)"
    yield f"  {settlement.statement.says} [{settlement.source}; about {settlement.about}]"
    yield from _bounds(settlement.statement)
    if settlement.exit_code() == HOLDS and settlement.statement.holds:
        yield f"  {_failing(settlement.contrasts)}"
    else:
        yield from _details(settlement.statement, "  ")
        for contrast in settlement.contrasts:
            yield f"  {_outcome(contrast)}: {contrast.says}"
            yield from _details(contrast, "    ")
    yield from _limits(settlement)


def counts(settlement: Settlement) -> Iterator[str]:
    """A line for each case of a proof along paths."""
    result = settlement.statement.result
    for count in result.counts if isinstance(result, Proved) else ():
        kind = "proved" if count.satisfiable else "vacuous"
        paths = f"{count.satisfiable} of {counted(count.paths, 'path')} satisfiable"
        yield f"    {count.name}: {count.obligations} {kind}, {paths}, {count.seconds:.1f} s"


def _bounds(settled: Settled) -> Iterator[str]:
    """How many items the tuples and sets of a proof had at most."""
    bounds = settled.result.bounds if isinstance(settled.result, Proved) else {}
    places: dict[int, list[str]] = {}
    for place, most in sorted(bounds.items()):
        places.setdefault(most, []).append(place)
    if places:
        limits = (f"at most {counted(most, 'item')} in {', '.join(names)}" for most, names in sorted(places.items()))
        yield f"  bounded: {'; '.join(limits)}; nothing is proved of more"


def summary(settled: Iterable[Settlement]) -> str:
    """All lemmas in one line."""
    settlements = list(settled)
    proved = sum(isinstance(one.statement.result, Proved) for one in settlements)
    refuted = sum(isinstance(one.statement.result, Refuted) for one in settlements)
    odd = [one.name for one in settlements if one.exit_code() != HOLDS]
    seconds = sum(one.seconds for one in settlements)
    conclusion = f"not as expected: {', '.join(odd)}" if odd else "all as expected, including negative controls"
    return f"{counted(len(settlements), 'lemma')} in {seconds:.0f} s: {proved} proved, {refuted} refuted; {conclusion}."


def _limits(lemma: Description | Settlement) -> Iterator[str]:
    """The parts that are argued by hand, left out, or tied by samples."""
    yield f"  by hand: {lemma.by_hand}"
    yield f"  left out: {lemma.leaves_out}"
    yield f"  tied by samples, not by proof, to: {', '.join(lemma.tied_to)}"


def _failing(contrasts: tuple[Settled, ...]) -> str:
    count = sum(not contrast.holds for contrast in contrasts)
    weaker = "negative control" if count == 1 else f"{count} negative controls"
    return f"{weaker} refuted, as expected"


def _meant(holds: bool) -> str:
    return "to be proved" if holds else "to be refuted"


def _outcome(settled: Settled) -> str:
    match settled.result:
        case Proved(parts, vacuous, bounds=bounds):
            idle = f", {vacuous:,} more about nothing" if vacuous else ""
            outcome = f"proved{' for bounded collections' if bounds else ''}, {counted(parts, 'part')}{idle}"
            return outcome if settled.holds else f"{outcome}, though it should be refuted".upper()
        case Refuted() as refuted if not refuted.confirmed():
            return "REFUTED BY THE ENCODING ONLY, not by the specification"
        case Refuted():
            return "REFUTED, though it should hold" if settled.holds else "refuted, as expected"
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
