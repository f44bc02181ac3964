"""Convergence against the number of members, as SVG."""

import math
from collections.abc import Mapping, Sequence

from gomboc.checker.summary.summary import SummaryLine

WIDE, HIGH, LEFT, LOW = 640, 280, 64, 44
"""The size of a chart, and the room for the labels of its axes, in pixels."""

CURVES = (
    ("worst", "rounds_worst", "5", ""),
    ("p99", "rounds_p99", "4", "9 5"),
    ("median", "rounds_median", "2", "3 3"),
)
"""The curves: name, figure, number of the colour, and dashes, which distinguish them without colours, too."""


def rounds_chart(lines: Sequence[SummaryLine], bounds: Mapping[str, int]) -> str:
    """The median, p99 and worst number of rounds against n, with the known bounds; "" for a single n.

    The scale of rounds is logarithmic, since bounds are far above.
    """
    sizes = [line.members or 0 for line in lines]
    if len(sizes) < 2:
        return ""
    highest = max([1, *bounds.values(), *(line.rounds_worst or 0 for line in lines)])
    allowed = [(size, bounds[str(size)]) for size in sizes if str(size) in bounds]
    axes = _Places(min(sizes), max(sizes), highest)
    curves = [("bound", "0", allowed, "1 4")]
    for name, figure, colour, dashes in CURVES:
        points = [(size, getattr(line, figure)) for size, line in zip(sizes, lines, strict=True)]
        curves.append((name, colour, [(x, y) for x, y in points if y is not None], dashes))
    shown = [(number, *curve) for number, curve in enumerate(curve for curve in curves if curve[2])]
    drawn = [*_grid(axes, sizes, highest), *(_curve(axes, *curve) for curve in shown)]
    title = 'aria-label="rounds until legitimate, against the number of members"'
    return f'<svg class="chart" viewBox="0 0 {WIDE} {HIGH}" role="img" {title}>{"".join(drawn)}</svg>'


class _Places:
    """The coordinates of a point."""

    def __init__(self, least: int, most: int, highest: int) -> None:
        self._least, self._wide = least, max(1, most - least)
        self._high = math.log1p(highest)

    def x(self, size: int) -> float:
        return round(LEFT + (WIDE - LEFT - 90) * (size - self._least) / self._wide, 1)

    def y(self, rounds: float) -> float:
        return round(HIGH - LOW - (HIGH - LOW - 14) * math.log1p(rounds) / self._high, 1)


def _grid(axes: _Places, sizes: Sequence[int], highest: int) -> list[str]:
    marks = [mark for mark in (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if mark <= highest]
    right = WIDE - 90
    drawn = [
        f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{axes.y(mark)}" y2="{axes.y(mark)}"/>'
        f'<text class="soft" x="{LEFT - 6}" y="{axes.y(mark) + 4}" text-anchor="end" font-size="11">{mark}</text>'
        for mark in marks
    ]
    shown = sizes[:: max(1, len(sizes) // 12)]
    below = f'y="{HIGH - LOW + 18}" text-anchor="middle" font-size="11"'
    drawn += [f'<text class="soft" x="{axes.x(size)}" {below}>{size}</text>' for size in shown]
    middle = (LEFT + right) / 2
    drawn.append(
        f'<text class="soft" x="{middle}" y="{HIGH - 6}" text-anchor="middle" font-size="12">members (n)</text>'
    )
    high = (HIGH - LOW) / 2
    turned = f'transform="rotate(-90 14 {high})" text-anchor="middle" font-size="12"'
    drawn.append(f'<text class="soft" x="14" y="{high}" {turned}>rounds (logarithmic)</text>')
    return drawn


def _curve(axes: _Places, number: int, name: str, colour: str, points: Sequence[tuple[int, float]], dashes: str) -> str:
    """A curve, and the line of this number in the key."""
    line = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in points)
    key = 26 + 18 * number
    return (
        f'<polyline points="{line}" fill="none" stroke="var(--level-{colour})" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/>'
        f'<line x1="{WIDE - 78}" x2="{WIDE - 58}" y1="{key - 4}" y2="{key - 4}" stroke="var(--level-{colour})" '
        f'stroke-width="2" stroke-dasharray="{dashes}"/><text x="{WIDE - 52}" y="{key}" font-size="12">{name}</text>'
    )
