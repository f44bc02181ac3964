"""The structure of a paper's claim: its text, its recorded result, and the function that finds it again."""

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction

import msgspec

from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene

Figure = int | str | Fraction | list[int] | list[str] | Mapping[str, str | None]
"""A value that a text can quote."""


class Result(Enum):
    """The result of a claim."""

    REPRODUCED = "reproduced"
    """It is true in every case that was examined, as listed in the claim's text."""
    REFUTED = "refuted"
    """There is a counterexample to the paper's sentence."""
    DEPENDS = "depends on the reading"
    """By one reading of the paper it is true in every case that was examined, by another one it is not."""
    SILENT = "silent"
    """The paper does not say; the claim's text gives our decision and its reason."""
    OURS = "not a claim of the paper"
    """A statement of ours, about the paper's rules or our own."""
    UNDECIDED = "undecided"
    """It is not settled here, and the claim's text gives the reason."""


UNSAID = (Result.SILENT, Result.OURS)
"""Results where the paper is silent; the statement of ours that was examined instead has its own outcome."""


def settled(holds: bool) -> Result:
    """The result of a claim that was examined."""
    return Result.REPRODUCED if holds else Result.REFUTED


class Reading(msgspec.Struct, frozen=True):
    """A way to read the paper, and the result of the claim by it: reproduced, refuted or undecided."""

    says: str
    outcome: Result


class Evidence(msgspec.Struct, frozen=True):
    """The result of a claim's function.

    `figures` are quoted by the claim's texts, by name. `facts` are the other statements of the texts, each a sentence
    with its truth. `outcomes` are those of the claim's readings, in order.
    """

    result: Result
    figures: Mapping[str, Figure]
    facts: Mapping[str, bool] = {}
    outcomes: tuple[Result, ...] = ()


def by_readings(
    outcomes: tuple[Result, ...], figures: Mapping[str, Figure], facts: Mapping[str, bool] | None = None
) -> Evidence:
    """The evidence of a claim with these outcomes of its readings: one result for all, or one that depends on them."""
    result = outcomes[0] if len(set(outcomes)) == 1 else Result.DEPENDS
    return Evidence(result, figures, facts or {}, outcomes)


class Claim(msgspec.Struct, frozen=True):
    """One claim of a paper. The texts are templates: `{name}` stands for the figure of that name.

    - `name`: its name on the command line; `title`: in a few words; `source`: its place in the paper.
    - `ran`: the rules that were executed: as printed, ours, or none.
    - `says`: the paper's sentence, in our words. `quotes`: the sentences that the claim is about. `prose`: the prose
      beside a formula or a line of pseudocode.
    - `result`: the recorded result. `examined`: where the paper is silent, the result of our statement.
    - `why`: the evidence for the result. `counterexample`: a known one, empty where there is none. `searched`: the
      space below it that was searched exhaustively, or that it was shrunk; only then is it called the smallest.
    - `domain`: the n, orders, seeds and initial values of the figures, where the other texts do not say.
    - `instead`: the specification's rule, and its reason. `effect`: its measured effect.
    - `readings`: those tried, each with its outcome. `reading`: further notes on the reading of the paper, and a
      possible answer of its authors. `about`: its model, if not the specification.
    - `lemmas`: the lemmas for z3, by name. `scenes`: traces that show it.
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
    """The head of a paper's page: the title, the introduction, and the notation."""

    title: str
    introduction: str
    notation: str = ""


class Shown(msgspec.Struct, frozen=True):
    """A trace that shows a claim, the command that judges it, and the expected exit code."""

    shows: str
    command: str
    exit_code: int


class Finding(msgspec.Struct, frozen=True):
    """A claim as it was settled just now: the recorded result, the one found, and the texts with their figures.

    `facts` are the further statements that were checked; `false` are those of them that are false.
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
    reproduce: str
    facts: tuple[str, ...]
    false: tuple[str, ...]

    def as_recorded(self) -> bool:
        """Whether the result is the recorded one, and no statement of the texts is false."""
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
        reproduce=f"gomboc errata {protocol} {claim.name}",
        facts=tuple(evidence.facts),
        false=false,
        **texts,
    )


def _found(claim: Claim, evidence: Evidence) -> Result:
    """The result of a claim. Silence of a paper cannot be computed: it is taken from the result of our statement."""
    unsaid = claim.result in UNSAID and evidence.result is claim.examined
    return claim.result if unsaid else evidence.result


def _otherwise(claim: Claim, evidence: Evidence) -> tuple[str, ...]:
    """The recorded outcomes of readings that differ from those found."""
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
    """The trace of a scene, and the command that judges it."""
    variant = f" --variant {scene.variant}" if scene.variant else ""
    path = f"traces/{protocol}/errata/{scene.name}.jsonl"
    return Shown(scene.shows, f"gomboc check{variant} {path}", scene.exit_code)
