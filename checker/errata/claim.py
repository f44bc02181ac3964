"""What a claim of a paper is: what is said, what came out, and the function that finds it out again."""

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction

import msgspec

from gomboc.checker.errata.scene import Scene

Figure = int | str | Fraction | list[int] | list[str] | Mapping[str, str | None]
"""What a text can quote."""


class Result(Enum):
    """What became of a claim."""

    REPRODUCED = "reproduced"
    """It is true of everything that was looked at, which the claim's text names."""
    REFUTED = "refuted"
    """There is a counterexample."""
    UNDECIDED = "undecided"
    """Nothing here settles it, and the claim's text says why."""


def settled(holds: bool) -> Result:
    """The result of a claim that was looked into."""
    return Result.REPRODUCED if holds else Result.REFUTED


class Evidence(msgspec.Struct, frozen=True):
    """What a claim's function found.

    `figures` are what the claim's texts quote, by name. `facts` are what else the texts state, each in a sentence, with
    whether it is so.
    """

    result: Result
    figures: Mapping[str, Figure]
    facts: Mapping[str, bool] = {}


class Claim(msgspec.Struct, frozen=True):
    """One claim of a paper. The texts are templates: `{name}` stands for the figure of that name.

    - `name`: by which it is called on the command line; `title`: in a few words; `source`: its place in the paper.
    - `ran`: whose rules ran to find it out: as printed, ours, or none.
    - `says`: what the paper says, in our words, with the paper's own where they matter. `result`: what is recorded.
    - `why`: what the result rests on. `counterexample`: the smallest one that we know, empty where there is none.
    - `instead`: what the specification does. `effect`: what that was measured to change.
    - `reading`: how the result hangs on the way the paper is read; empty where it does not. `about`: of which model it
      is, if not of the specification. `lemmas`: what z3 settles of it, by name. `scenes`: traces that show it.
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
    says: str
    ran: str
    why: str
    counterexample: str
    instead: str
    effect: str
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


def settle(protocol: str, claim: Claim) -> Finding:
    """Settle a claim of that protocol's paper anew."""
    evidence = claim.evidence()
    figures = {name: written(figure) for name, figure in evidence.figures.items()}
    texts = {
        field: getattr(claim, field).format_map(figures)
        for field in ("says", "ran", "why", "counterexample", "instead", "effect", "reading", "about")
    }
    return Finding(
        protocol=protocol,
        name=claim.name,
        title=claim.title,
        source=claim.source,
        recorded=claim.result,
        found=evidence.result,
        lemmas=claim.lemmas,
        traces=tuple(shown(protocol, scene) for scene in claim.scenes),
        again=f"gomboc errata {protocol} {claim.name}",
        facts=tuple(evidence.facts),
        false=tuple(fact for fact, so in evidence.facts.items() if not so),
        **texts,
    )


def written(figure: Figure) -> str:
    """A figure as the texts quote it: numbers with separators, sequences with commas, tables as pairs."""
    match figure:
        case int():
            return f"{figure:,}"
        case list():
            return ", ".join(written(each) for each in figure) or "none"
        case Mapping():
            return ", ".join(f"({key}, {value or 'nobody'})" for key, value in figure.items())
    return str(figure)


def shown(protocol: str, scene: Scene) -> Shown:
    """The trace of a scene, and how to judge it."""
    variant = f" --variant {scene.variant}" if scene.variant else ""
    path = f"traces/{protocol}/errata/{scene.name}.jsonl"
    return Shown(scene.shows, f"gomboc check{variant} {path}", scene.exit_code)
