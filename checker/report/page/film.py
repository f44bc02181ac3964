"""A trace as a film: a first scene, and the changes of each step."""

from collections.abc import Sequence

import msgspec

from gomboc.checker.report.page.picture import LEVELS, Line, Spot


class Flying(msgspec.Struct, frozen=True, array_like=True):
    """A message in flight: its id, its sender ("" before the first step) and target, its kind, and its text."""

    id: int
    sender: str
    to: str
    kind: str
    says: str


class Shot(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step: its node, its input, the rules with their sources, and its changes of the picture.

    `took` is the id of the message that it consumed; `what` is any other input, and `kind` the kind of the input.
    `changed` has the variables of the node's new state that changed; None for a removed one. `spots`, `lines` and
    `false` have only changed entries; `false` counts the violations of a conjunct.
    """

    node: str
    what: str = ""
    kind: str = ""
    rules: tuple[tuple[str, str], ...] = ()
    took: int | None = None
    sent: tuple[Flying, ...] = ()
    changed: dict[str, str | None] = {}
    delivered: tuple[str, ...] = ()
    spots: dict[str, Spot] = {}
    lines: dict[str, tuple[Line, ...]] = {}
    false: dict[str, int] = {}


class Film(msgspec.Struct, frozen=True):
    """A part of a trace: the scene after step `before`, the conjuncts with their sources, and a shot for each step.

    `steps` is the number of steps of the whole trace, as far as it can be filmed. From step `legitimate` on, no
    conjunct is false to its end; None if one is. `pictured`: the protocol has a picture of its own. `states` are the
    variables of each node in the first scene.
    """

    nodes: tuple[str, ...]
    levels: tuple[str, ...]
    pictured: bool
    before: int
    steps: int
    legitimate: int | None
    spots: dict[str, Spot]
    lines: dict[str, tuple[Line, ...]]
    states: dict[str, dict[str, str]]
    flying: tuple[Flying, ...]
    conjuncts: dict[str, str]
    false: dict[str, int]
    shots: tuple[Shot, ...]

    @property
    def last(self) -> int:
        """The last step of the film."""
        return self.before + len(self.shots)


def drawn_lines(film: Film) -> list[Line]:
    """Every line that is drawn in some scene of a film."""
    scenes = [film.lines, *(shot.lines for shot in film.shots)]
    pairs = ((node, line) for scene in scenes for node, lines in scene.items() for line in lines)
    return [line for node, line in pairs if line.to in film.spots and line.to != node]


def legend_of(film: Film, lines: Sequence[Line]) -> list[tuple[str, str]]:
    """The entries of a film's legend, for the signs that occur in it: the class of a sign, and a text."""
    drawn = sorted({min(line.level, LEVELS - 1) for line in lines if line.right})
    entries = [(f"level-{level}", film.levels[min(level, len(film.levels) - 1)]) for level in drawn]
    if any(not line.right for line in lines):
        entries.append(("wrong", "wrong"))
    looks = {spot.look for scene in [film.spots, *(shot.spots for shot in film.shots)] for spot in scene.values()}
    names = {"in": "a node", "out": "a node that takes no part", "authority": "the authority"}
    entries += [(look, name) for look, name in names.items() if look in looks]
    if film.shots:
        entries.append(("acts", "the node of this step"))
    if film.flying or any(shot.sent for shot in film.shots):
        entries.append(("message", "a message in flight"))
    return entries
