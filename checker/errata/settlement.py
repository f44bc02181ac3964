"""A claim settled anew: its experiment is run, and its texts quote the figures."""

from collections.abc import Mapping
from typing import cast

import msgspec

from gomboc.checker.core.bad_models import error_text
from gomboc.checker.core.bad_models import shown as shown_value
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.user_code import FAULTS, let_through
from gomboc.checker.errata.claim import UNSAID, Claim, Evidence, Figure, Reading, Result
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.registry import experiment
from gomboc.checker.errata.scene import Scene
from gomboc.checker.prove.registry import known_lemmas


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
    """Settle a claim of that protocol's paper anew. Raises UsageError if its experiment is not there, or fails."""
    if unknown := _unknown_lemmas(claim):
        raise _faulty(protocol, claim, f"names the lemma {unknown[0]!r}, and there is none of that name")
    examine = experiment(protocol, claim)
    try:
        evidence = examine()
    except UsageError:
        raise
    except FAULTS as error:
        let_through(error)
        raise _faulty(protocol, claim, f"has an experiment that raises {error_text(error)}") from error
    return finding_of(protocol, claim, evidence)


def finding_of(protocol: str, claim: Claim, evidence: Evidence) -> Finding:
    """The finding on a claim from what its experiment has returned.

    Raises UsageError for what is no evidence, and for a text that quotes another figure or is no template.
    """
    if problem := _why_no_evidence(evidence):
        raise _faulty(protocol, claim, f"has an experiment that returns {problem}")
    figures = {name: written(figure) for name, figure in evidence.figures.items()}
    try:
        texts = {field: getattr(claim, field).format_map(figures) for field in TEXTS}
        readings = tuple(Reading(reading.says.format_map(figures), reading.outcome) for reading in claim.readings)
    except KeyError as error:
        raise UsageError(
            f"The claim {claim.name!r} on {protocol} quotes the figure {error}, which its experiment does not return."
        ) from error
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise _faulty(protocol, claim, f"has a text that is no template of its figures ({error})") from error
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
        readings=readings,
        lemmas=claim.lemmas,
        traces=tuple(shown(protocol, scene) for scene in claim.scenes),
        reproduce=f"gomboc errata {protocol} {claim.name}",
        facts=tuple(evidence.facts),
        false=false,
        **texts,
    )


def _unknown_lemmas(claim: Claim) -> list[str]:
    """The lemmas that a claim names and that do not exist; none if some lemmas cannot be loaded, as without z3."""
    if not claim.lemmas:
        return []
    try:
        known = known_lemmas()
    except UsageError:
        return []
    names = {lemma.name for lemma in known.lemmas}
    return [] if known.refusals else [name for name in claim.lemmas if name not in names]


def _faulty(protocol: str, claim: Claim, problem: str) -> UsageError:
    """The error that blames a claim for its own fault."""
    return UsageError(f"The claim {claim.name!r} on {protocol} {problem}: fix it.")


def _why_no_evidence(evidence: object) -> str:
    """What an experiment has returned in place of evidence, or in a part of it; empty if it is evidence."""
    if not isinstance(evidence, Evidence):
        return f"{shown_value(evidence)}, and evidence is a gomboc.checker.Evidence"
    parts: dict[str, type] = {"result": Result, "figures": Mapping, "facts": Mapping, "outcomes": tuple}
    wrong = [(name, kind) for name, kind in parts.items() if not isinstance(getattr(evidence, name), kind)]
    if wrong:
        name, kind = wrong[0]
        return f"evidence with the {name} {shown_value(getattr(evidence, name))}, which is to be a {kind.__name__}"
    outcomes = [outcome for outcome in cast(tuple[object, ...], evidence.outcomes) if not isinstance(outcome, Result)]
    return f"evidence with the outcome {shown_value(outcomes[0])}, which is to be a Result" if outcomes else ""


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
