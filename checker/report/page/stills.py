"""Single frames of a film as SVG, for paper and for pages without scripts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from gomboc.checker.judge.naive import Options
from gomboc.checker.report.page.camera import film_of
from gomboc.checker.report.page.film import Film
from gomboc.checker.report.page.picture import LEVELS, Line, Spot

SIZE, RADIUS = 280, 92
"""Width and height of a frame, and radius of the circle of nodes in it, in pixels."""

FONT = 9
"""The size of a label, in pixels."""

MOST_LABELS = 20
"""With more nodes than that, names would cover each other."""


def moments(film: Film, violation: int | None = None) -> list[tuple[int, str]]:
    """Four moments of a film, each a step and a caption: its ends, and two between them.

    For a film with a violation, these are the violating step and the one before it; otherwise two on the way to the
    step at which it becomes legitimate, or to its end.
    """
    first, last = film.before, film.last
    legitimate = film.legitimate if film.legitimate is not None and first <= film.legitimate <= last else None
    if violation is not None and first <= violation <= last:
        chosen = {first, max(first, violation - 1), violation, last}
    else:
        end = last if legitimate is None else legitimate
        chosen = {first, first + (end - first) // 3, first + 2 * (end - first) // 3, end}
    return [(step, _caption(step, violation, legitimate)) for step in sorted(chosen)]


def _caption(step: int, violation: int | None, legitimate: int | None) -> str:
    at = "before the first step" if step == 0 else f"after step {step:,}"
    if step == violation:
        return f"violated, {at}"
    return f"legitimate, {at}" if step == legitimate else at


class FilmFrame(NamedTuple):
    """The picture at one moment: a caption, the nodes, and their lines."""

    caption: str
    spots: Mapping[str, Spot]
    lines: Mapping[str, Sequence[Line]]


def frames(film: Film, chosen: Sequence[tuple[int, str]]) -> list[FilmFrame]:
    """The scenes after some steps, which ascend, with their captions."""
    spots, lines, made, done = dict(film.spots), dict(film.lines), [], film.before
    for step, caption in chosen:
        for shot in film.shots[done - film.before : step - film.before]:
            spots |= shot.spots
            lines |= shot.lines
        done = step
        made.append(FilmFrame(caption, dict(spots), dict(lines)))
    return made


def svg(frame: FilmFrame, size: str = "") -> str:
    """One frame, in the colours of the page. `size` are further attributes."""
    labels = [*_labels(frame.spots.values())] if len(frame.spots) <= MOST_LABELS else []
    drawn = [*_lines(frame), *map(_spot, frame.spots.values()), *labels]
    wide = max((_beyond(spot) for spot in frame.spots.values()), default=0.0) if labels else 0.0
    box = f"{-wide:.0f} 0 {SIZE + 2 * wide:.0f} {SIZE}"
    name = quoteattr(f"the overlay {frame.caption}")
    return f'<svg class="still" viewBox="{box}" role="img" aria-label={name}{size}>{"".join(drawn)}</svg>'


def _at(spot: Spot) -> tuple[float, float]:
    return round(SIZE / 2 + RADIUS * spot.x, 1), round(SIZE / 2 + RADIUS * spot.y, 1)


def _lines(frame: FilmFrame) -> list[str]:
    drawn = []
    for node, lines in frame.lines.items():
        x, y = _at(frame.spots[node])
        for line in lines:
            if line.to in frame.spots and line.to != node:
                u, v = _at(frame.spots[line.to])
                bend = 0.12 if line.level else 0.03
                middle = f"{(x + u) / 2 + bend * (v - y):.1f},{(y + v) / 2 - bend * (u - x):.1f}"
                look = "line" if line.right else "line wrong"
                colour = f"var(--level-{min(line.level, LEVELS - 1)})"
                drawn.append(f'<path class="{look}" style="stroke:{colour}" d="M{x},{y} Q{middle} {u},{v}"/>')
    return drawn


def _spot(spot: Spot) -> str:
    x, y = _at(spot)
    return f'<circle class="spot {spot.look}" cx="{x}" cy="{y}" r="5"/>'


def _side(spot: Spot) -> str:
    return "end" if spot.x < -0.1 else "start" if spot.x > 0.1 else "middle"


def _width(spot: Spot) -> float:
    return len(spot.label) * FONT * 0.62


def _beyond(spot: Spot) -> float:
    """How far the label of a node reaches over the edge of the picture."""
    x, half = _at(spot)[0], _width(spot) / 2
    left, right = {"end": (2 * half, 0.0), "start": (0.0, 2 * half), "middle": (half, half)}[_side(spot)]
    return max(0.0, left + 10 - x, x + right + 10 - SIZE)


def _labels(spots: Iterable[Spot]) -> Iterator[str]:
    """The names of the nodes, each moved outwards until it covers no earlier one."""
    standing: list[tuple[float, float, float]] = []
    for spot in spots:
        (x, y), side, wide = _at(spot), _side(spot), _width(spot)
        x += {"end": -8, "start": 8, "middle": 0}[side]
        y += 4 if side != "middle" else 16 if spot.y > 0 else -9
        left = x - {"end": wide, "start": 0, "middle": wide / 2}[side]
        while any(
            abs(y - low) < FONT + 1 and left < there + far and there < left + wide for there, low, far in standing
        ):
            y += -FONT - 1 if spot.y < 0 else FONT + 1
        standing.append((left, y, wide))
        yield f'<text x="{x}" y="{y:g}" text-anchor="{side}" font-size="{FONT}">{escape(spot.label)}</text>'


def style_of(name: str) -> str:
    """The text of a style sheet in this folder."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def strip(shown: Sequence[FilmFrame]) -> str:
    """Frames side by side, as a picture by itself."""
    style = style_of("colours.css") + (
        ".line{fill:none;stroke-width:1.4}.wrong{stroke:var(--bad)!important;stroke-dasharray:4 3}"
        ".spot{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}.out{stroke:var(--soft);stroke-dasharray:2 2}"
        ".authority{fill:var(--ink)}text{fill:var(--ink);font-family:sans-serif}"
        ".still text{paint-order:stroke;stroke:var(--paper);stroke-width:3px}"
    )
    wide, high = SIZE * len(shown), SIZE + 26
    size = f' width="{SIZE}" height="{SIZE}"'
    drawn = [
        f'<g transform="translate({SIZE * index} 0)">{svg(frame, size)}'
        f'<text x="{SIZE / 2}" y="{SIZE + 14}" text-anchor="middle" font-size="12">{escape(frame.caption)}</text></g>'
        for index, frame in enumerate(shown)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f'<style>{style}</style><rect width="{wide}" height="{high}" fill="var(--paper)"/>{"".join(drawn)}</svg>\n'
    )


def strip_of(path: Path, options: Options) -> str:
    """A trace in four frames: its start, two on the way, and the step at which it becomes legitimate."""
    film = film_of(path, options)
    return strip(frames(film, moments(film)))
