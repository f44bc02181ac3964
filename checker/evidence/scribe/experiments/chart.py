"""Charts of a few curves in panels, as SVG: the horizontal axis has powers of two."""

from collections.abc import Iterator, Mapping
from math import log2
from xml.sax.saxutils import escape

import msgspec

WIDTH, HEIGHT = 330, 220
"""The size of a panel, in pixels."""

LEFT, RIGHT, TOP, BOTTOM = 40, 12, 52, 34
"""The margins of the axes in a panel."""

COLOURS = ("#1b6ca8", "#7fb2d9", "#c8553d")


class Curve(msgspec.Struct, frozen=True):
    """A name, and the value at each place of the horizontal axis."""

    name: str
    points: Mapping[int, float]


def chart(axis: str, panels: Mapping[str, tuple[Curve, ...]]) -> str:
    """The panels side by side, each with its title and curves; `axis` is the name of the horizontal one."""
    width = WIDTH * len(panels)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}"'
        ' font-family="sans-serif" font-size="10">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
    ]
    for number, (title, curves) in enumerate(panels.items()):
        lines += [f'<g transform="translate({number * WIDTH} 0)">', *_panel(title, axis, curves), "</g>"]
    return "\n".join((*lines, "</svg>", ""))


def _panel(title: str, axis: str, curves: tuple[Curve, ...]) -> Iterator[str]:
    places = tuple(curves[0].points)
    top = max(value for curve in curves for value in curve.points.values())
    highest = 1.1 * top
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    floor = TOP + down

    def x(place: int) -> float:
        return LEFT + across * log2(place / places[0]) / log2(places[-1] / places[0])

    def y(value: float) -> float:
        return floor - down * value / highest

    yield f'<text x="{LEFT}" y="14" font-size="11" font-weight="bold">{escape(title)}</text>'
    yield f'<path d="M{LEFT} {TOP}V{floor}H{WIDTH - RIGHT}" fill="none" stroke="#888"/>'
    for place in places:
        yield f'<text x="{x(place):.1f}" y="{floor + 13}" text-anchor="middle">{place}</text>'
    yield f'<text x="{LEFT + across / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(axis)}</text>'
    for value in (0, round(top / 2), round(top)):
        yield f'<text x="{LEFT - 5}" y="{y(value) + 3:.1f}" text-anchor="end">{value}</text>'
    for number, curve in enumerate(curves):
        colour = COLOURS[number if len(curves) > 2 else 2 * number]
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in curve.points.items())
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield f'<rect x="{LEFT}" y="{20 + 10 * number}" width="12" height="3" fill="{colour}"/>'
        yield f'<text x="{LEFT + 17}" y="{24 + 10 * number}">{escape(curve.name)}</text>'
