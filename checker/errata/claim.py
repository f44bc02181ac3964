"""What a claim of a paper is: what is said, what came out, and the function that finds it out again."""

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction

import msgspec

from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene

Figure = int | str | Fraction | list[int] | list[str] | Mapping[str, str | None]
"""What a text can quote."""


class Result(Enum):
    """What became of a claim."""

    REPRODUCED = "reproduced"
    """It is true of everything that was looked at, which the claim's text names."""
    REFUTED = "refuted"
    """There is a counterexample to what the paper says."""
    DEPENDS = "depends on the reading"
    """By one reading of the paper it is true of everything that was looked at, by another one it is not."""
    SILENT = "silent"
    """The paper does not say; the claim's text says what we decided, and why."""
    OURS = "not a claim of the paper"
    """A statement of ours, about the paper's rules or our own."""
    UNDECIDED = "undecided"
    """Nothing here settles it, and the claim's text says why."""


UNSAID = (Result.SILENT, Result.OURS)
"""Results of what the paper does not say; the statement of ours that was examined instead has its own outcome."""


def settled(holds: bool) -> Result:
    """The result of a claim that was looked into."""
    return Result.REPRODUCED if holds else Result.REFUTED


class Reading(msgspec.Struct, frozen=True):
    """A way to read the paper, and what becomes of the claim by it: reproduced, refuted or undecided."""

    says: str
    outcome: Result


class Evidence(msgspec.Struct, frozen=True):
    """What a claim's function found.

    `figures` are what the claim's texts quote, by name. `facts` are what else the texts state, each in a sentence, with
    whether it is so. `outcomes` are those of the claim's readings, in order.
    """

    result: Result
    figures: Mapping[str, Figure]
    facts: Mapping[str, bool] = {}
    outcomes: tuple[Result, ...] = ()


def by_readings(
    outcomes: tuple[Result, ...], figures: Mapping[str, Figure], facts: Mapping[str, bool] | None = None
) -> Evidence:
    """The evidence of a claim whose readings came out like this: one result for all, or one that depends on them."""
    result = outcomes[0] if len(set(outcomes)) == 1 else Result.DEPENDS
    return Evidence(result, figures, facts or {}, outcomes)


class Claim(msgspec.Struct, frozen=True):
    """One claim of a paper. The texts are templates: `{name}` stands for the figure of that name.

    - `name`: by which it is called on the command line; `title`: in a few words; `source`: its place in the paper.
    - `ran`: whose rules ran to find it out: as printed, ours, or none.
    - `says`: what the paper says, in our words. `quotes`: the sentences that the claim is about. `prose`: what the
      prose says besides, where a formula or a line of pseudocode is meant.
    - `result`: what is recorded. `examined`: where the paper does not say, what became of the statement of ours.
    - `why`: what the result rests on. `counterexample`: one that we know, empty where there is none. `searched`: what
      was searched exhaustively below it, or that it was shrunk; only then is it called the smallest.
    - `domain`: of which n, orders, seeds and initial values the figures are, where the other texts do not say.
    - `instead`: what the specification does, and why. `effect`: what that was measured to change.
    - `readings`: those tried, each with its outcome. `reading`: what else is to be said of the way the paper is read,
      and what its authors could answer. `about`: of which model it is, if not of the specification.
    - `lemmas`: what z3 settles of it, by name. `scenes`: traces that show it.
    """

    name: str
    title: str
    source: str
    says: str
    result: Result
    why: str
    evidence: Callable[[], Evidence]
    ran: str
    counterexample: str = ""
    instead: str = ""
    effect: str = ""
    reading: str = ""
    about: str = ""
    lemmas: tuple[str, ...] = ()
    scenes: tuple[Scene, ...] = ()
    quotes: tuple[Quotation, ...] = ()
    prose: tuple[Quotation, ...] = ()
    readings: tuple[Reading, ...] = ()
    examined: Result | None = None
    searched: str = ""
    domain: str = ""


class Paper(msgspec.Struct, frozen=True):
    """What stands above the claims of one paper: the page's title, what is to be said first, and how to read it."""

    title: str
    introduction: str
    notation: str = ""


class Shown(msgspec.Struct, frozen=True):
    """A trace that shows a claim, the command that judges it, and the exit code that this is meant to have."""

    shows: str
    command: str
    exit_code: int


class Finding(msgspec.Struct, frozen=True):
    """A claim as it was settled just now: the recorded result, the one found, and the texts with their figures.

    `facts` are those that were checked besides; `false` are those of them that are not so.
    """

    protocol: str
    name: str
    title: str
    source: str
    recorded: Result
    found: Result
    examined: Result | None
    says: str
    quotes: tuple[Quotation, ...]
    prose: tuple[Quotation, ...]
    ran: str
    why: str
    counterexample: str
    searched: str
    domain: str
    instead: str
    effect: str
    readings: tuple[Reading, ...]
    reading: str
    about: str
    lemmas: tuple[str, ...]
    traces: tuple[Shown, ...]
    again: str
    facts: tuple[str, ...]
    false: tuple[str, ...]

    def as_recorded(self) -> bool:
        """Whether what was found is what is recorded, and nothing that the texts state is false."""
        return self.found is self.recorded and not self.false


TEXTS = "says", "ran", "why", "counterexample", "searched", "domain", "instead", "effect", "reading", "about"
"""The fields of a claim that are templates."""


def settle(protocol: str, claim: Claim) -> Finding:
    """Settle a claim of that protocol's paper anew."""
    evidence = claim.evidence()
    figures = {name: written(figure) for name, figure in evidence.figures.items()}
    texts = {field: getattr(claim, field).format_map(figures) for field in TEXTS}
    false = (*(fact for fact, so in evidence.facts.items() if not so), *_otherwise(claim, evidence))
    return Finding(
        protocol=protocol,
        name=claim.name,
        title=claim.title,
        source=claim.source,
        recorded=claim.result,
        found=_found(claim, evidence),
        examined=claim.examined,
        quotes=claim.quotes,
        prose=claim.prose,
        readings=tuple(Reading(reading.says.format_map(figures), reading.outcome) for reading in claim.readings),
        lemmas=claim.lemmas,
        traces=tuple(shown(protocol, scene) for scene in claim.scenes),
        again=f"gomboc errata {protocol} {claim.name}",
        facts=tuple(evidence.facts),
        false=false,
        **texts,
    )


def _found(claim: Claim, evidence: Evidence) -> Result:
    """What a machine cannot find out, that the paper does not say a thing, is found if our statement came out so."""
    unsaid = claim.result in UNSAID and evidence.result is claim.examined
    return claim.result if unsaid else evidence.result


def _otherwise(claim: Claim, evidence: Evidence) -> tuple[str, ...]:
    """The recorded outcomes of readings that are not those found."""
    if len(claim.readings) != len(evidence.outcomes):
        return (f"{len(claim.readings)} readings are recorded, and {len(evidence.outcomes)} were tried",)
    pairs = zip(claim.readings, evidence.outcomes, strict=True)
    return tuple(
        f"{reading.outcome.value}: {reading.says}" for reading, outcome in pairs if reading.outcome is not outcome
    )


def written(figure: Figure) -> str:
    """A figure as the texts quote it: numbers with separators, sequences with commas, tables as pairs."""
    match figure:
        case int():
            return f"{figure:,}"
        case list():
            return ", ".join(written(part) for part in figure) or "none"
        case Mapping():
            return ", ".join(f"({key}, {value or 'nobody'})" for key, value in figure.items())
    return str(figure)


def shown(protocol: str, scene: Scene) -> Shown:
    """The trace of a scene, and how to judge it."""
    variant = f" --variant {scene.variant}" if scene.variant else ""
    path = f"traces/{protocol}/errata/{scene.name}.jsonl"
    return Shown(scene.shows, f"gomboc check{variant} {path}", scene.exit_code)
