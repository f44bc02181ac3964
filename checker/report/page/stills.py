"""Single frames of a film as SVG, for paper and for pages without scripts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from gomboc.checker.judge.naive import Options
from gomboc.checker.report.page.film import Film, film_of
from gomboc.checker.report.page.picture import LEVELS, Line, Spot

SIZE, RADIUS = 280, 92
"""A frame is so wide and high, and the circle of nodes in it so large, in pixels."""

MOST_LABELS = 20
"""With more nodes than that, names would cover each other."""


def legitimate_at(film: Film) -> int | None:
    """The step from which on nothing is false to the end; None if something is false there."""
    count = dict(film.false)
    since = 0 if not any(count.values()) else None
    for number, shot in enumerate(film.shots, 1):
        count |= shot.false
        if any(count.values()):
            since = None
        elif since is None:
            since = number
    return since


def moments(film: Film) -> tuple[list[int], list[str]]:
    """Four moments of a film, and what to write below: its start, two on the way, and its end, or its legitimacy."""
    legitimate = legitimate_at(film)
    last = legitimate or len(film.shots)
    chosen = sorted({0, last // 3, 2 * last // 3, last})
    said = {0: "before the first step"} | ({} if legitimate is None else {legitimate: f"legitimate, after step {last}"})
    return chosen, [said.get(step, f"after step {step}") for step in chosen]


class Frame(NamedTuple):
    """What stands where at one moment: a title, the nodes, their lines, and how many messages are in flight."""

    caption: str
    spots: Mapping[str, Spot]
    lines: Mapping[str, Sequence[Line]]


def frames(film: Film, steps: Sequence[int], captions: Sequence[str]) -> list[Frame]:
    """The scenes after so many steps, which ascend."""
    spots, lines, found, done = dict(film.spots), dict(film.lines), [], 0
    for step, caption in zip(steps, captions, strict=True):
        for shot in film.shots[done:step]:
            spots |= shot.spots
            lines |= shot.lines
        done = step
        found.append(Frame(caption, dict(spots), dict(lines)))
    return found


def svg(frame: Frame) -> str:
    """One frame, in the colours of the page."""
    names = len(frame.spots) <= MOST_LABELS
    drawn = [*_lines(frame), *(_spot(spot, names) for spot in frame.spots.values())]
    return f'<svg class="still" viewBox="0 0 {SIZE} {SIZE}" role="img">{"".join(drawn)}</svg>'


def _at(spot: Spot) -> tuple[float, float]:
    return round(SIZE / 2 + RADIUS * spot.x, 1), round(SIZE / 2 + RADIUS * spot.y, 1)


def _lines(frame: Frame) -> list[str]:
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


def _spot(spot: Spot, named: bool) -> str:
    x, y = _at(spot)
    circle = f'<circle class="spot {spot.look}" cx="{x}" cy="{y}" r="5"/>'
    if not named:
        return circle
    anchor = "end" if spot.x < -0.2 else "start" if spot.x > 0.2 else "middle"
    dx = {"end": -8, "start": 8, "middle": 0}[anchor]
    dy = 4 if anchor != "middle" else 16 if spot.y > 0 else -9
    return f'{circle}<text x="{x + dx}" y="{y + dy}" text-anchor="{anchor}" font-size="9">{escape(spot.label)}</text>'


def style_of(name: str) -> str:
    """The text of a style sheet that lies here."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def strip(found: Sequence[Frame]) -> str:
    """Frames side by side, as a picture by itself."""
    style = style_of("colours.css") + (
        ".line{fill:none;stroke-width:1.4}.wrong{stroke:var(--bad)!important;stroke-dasharray:4 3}"
        ".spot{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}.out{stroke:var(--soft);stroke-dasharray:2 2}"
        ".authority{fill:var(--ink)}text{fill:var(--ink);font-family:sans-serif}"
    )
    wide, high = SIZE * len(found), SIZE + 26
    drawn = [
        f'<g transform="translate({SIZE * place} 0)">{svg(frame).partition(">")[2].removesuffix("</svg>")}'
        f'<text x="{SIZE / 2}" y="{SIZE + 14}" text-anchor="middle" font-size="12">{escape(frame.caption)}</text></g>'
        for place, frame in enumerate(found)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f'<style>{style}</style><rect width="{wide}" height="{high}" fill="var(--paper)"/>{"".join(drawn)}</svg>\n'
    )


def strip_of(path: Path, options: Options) -> str:
    """A trace in four frames: its start, two on the way, and where it becomes legitimate."""
    film = film_of(path, options)
    return strip(frames(film, *moments(film)))
