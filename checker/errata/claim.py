"""The structure of a paper's claims: their texts, their recorded results, and what an experiment returns."""

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

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


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One claim of a paper. The texts are templates: `{name}` stands for the figure of that name.

    - `name`: its name on the command line; `title`: in a few words; `source`: its place in the paper.
    - `ran`: the rules that were executed: as printed, ours, or none.
    - `says`: the paper's sentence, in our words. `quotes`: the sentences that the claim is about. `prose`: the prose
      beside a formula or a line of pseudocode.
    - `result`: the recorded result. `examined`: where the paper is silent, the result of our statement.
    - `experiment`: the function that finds the result again, as module.function, and its `arguments`.
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
    experiment: str
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
    arguments: Mapping[str, Any] = {}


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paper: the title, the introduction and the notation of its page, and its claims in the order of the page."""

    title: str
    introduction: str
    notation: str = ""
    claims: tuple[Claim, ...] = ()
