"""A run of a stack on one time axis, with a lane for each trace: legitimate or not, commands, hand-overs, crashes."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.conformance import as_written
from gomboc.checker.judge.fault_count import FaultCount
from gomboc.checker.judge.layers import Joined
from gomboc.checker.judge.system import System, is_command
from gomboc.checker.judge.verdict import WORDS, Violated
from gomboc.checker.report.page.section import Section
from gomboc.checker.stacks.fit import together_in
from gomboc.checker.stacks.judge import StackJudgement
from gomboc.checker.stacks.recorded import Place, StackRun
from gomboc.checker.stacks.text import sentence
from gomboc.checker.traces.trace import open_trace

WIDE, LEFT, LANE, LOW = 900, 190, 40, 36
"""The width of the picture, that of the names of lanes, and the heights of a lane and of the axis, in pixels."""

Mark = tuple[float, str, str]
"""The time, the class and the text of a mark."""


class Lane(msgspec.Struct, frozen=True):
    """What a lane shows of a trace: spans of time that are legitimate, and marks."""

    name: str
    end: float
    spans: tuple[tuple[float, float], ...]
    marks: tuple[Mark, ...]


def stack_section(run: StackRun, paths: Mapping[str, Path], judged: StackJudgement) -> Section:
    """The section of a run: its lanes, those of the highest layer first, and how the layers join."""
    layers = [layer.name for layer in run.stack.layers]
    places = sorted(run.places, key=lambda place: -layers.index(place.layer))
    lanes = [_lane(run, place, paths[place.name], judged.layers) for place in places]
    rows = [
        (name, WORDS[judgement.exit_code()], f"{judgement.steps:,}", judgement.rounds)
        for name, judgement in judged.traces.items()
    ]
    values = {
        "name": f"{judged.run}: {judged.stack}, {counted(len(lanes), 'trace')}",
        "joined": sentence(judged.layers),
        "chart": lanes_chart(lanes),
        "rows": rows,
    }
    return Section("stack.html.j2", WORDS[judged.exit_code()], values)


def _lane(run: StackRun, place: Place, path: Path, joined: Joined) -> Lane:
    links = [link for link in run.links if link.target == place.name]
    violated = joined.verdict if isinstance(joined.verdict, Violated) and joined.trace == place.name else None
    spans: list[tuple[float, float]] = []
    marks: list[Mark] = []
    with open_trace(path) as reader:
        protocol = reader.protocol
        together = together_in(run.stack, protocol)
        system = System(reader.header, protocol)
        faults = FaultCount(protocol, system)
        since, at = (0.0 if not faults.total else None), 0.0
        for number, step in enumerate(reader.steps(), 1):
            at = at if step.at is None else step.at
            if is_command(step):
                command = as_written(step.took)
                handed = any(link.takes(command) for link in links)
                look = "handed" if handed else "crash" if command["kind"] in together else "command"
                marks.append((at, look, f"{step.node}: {command['kind']}"))
            if violated is not None and number == violated.step:
                marks.append((at, "wrong", f"step {number}: {violated.says}"))
            faults.observe(step, system.apply(step))
            if faults.total and since is not None:
                spans.append((since, at))
            since = None if faults.total else at if since is None else since
    if since is not None:
        spans.append((since, at))
    return Lane(place.name, at, tuple(spans), tuple(marks))


def lanes_chart(lanes: Sequence[Lane]) -> str:
    """The lanes as SVG, one below the other over a common axis."""
    end = max([lane.end for lane in lanes], default=0.0) or 1.0
    high = LANE * len(lanes) + LOW
    drawn = [*_axis(end, LANE * len(lanes))]
    for number, lane in enumerate(lanes):
        drawn += _drawn(lane, LANE * number, end)
    title = 'aria-label="the layers of the run over time"'
    return f'<svg class="chart lanes" viewBox="0 0 {WIDE} {high}" role="img" {title}>{"".join(drawn)}</svg>'


def _x(at: float, end: float) -> float:
    return round(LEFT + (WIDE - LEFT - 12) * at / end, 1)


def _axis(end: float, below: int) -> Iterator[str]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5, 1e9) if end / step <= 12)
    for mark in range(int(end / step) + 1):
        x = _x(mark * step, end)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{below}"/>'
        label = f"{mark * step:g}"
        yield f'<text class="soft" x="{x}" y="{below + 14}" text-anchor="middle" font-size="11">{label}</text>'
    middle = (LEFT + WIDE) / 2
    yield f'<text class="soft" x="{middle}" y="{below + 30}" text-anchor="middle" font-size="12">time</text>'


MARKS = {
    "handed": ("var(--accent)", 24, 34, 0.5),
    "command": ("var(--ink)", 4, 12, 1.2),
    "crash": ("var(--bad)", 2, 36, 2.0),
    "wrong": ("var(--bad)", 0, 40, 3.0),
}
"""Colour, first and last pixel in the lane, and width of each kind of mark."""


def _drawn(lane: Lane, top: int, end: float) -> Iterator[str]:
    yield f'<text x="4" y="{top + 22}" font-size="12">{escape(lane.name)}</text>'
    whole = f'x="{LEFT}" width="{WIDE - LEFT - 12}" y="{top + 13}" height="10"'
    yield f'<rect {whole} fill="var(--bad)" opacity="0.25"/>'
    for begin, until in lane.spans:
        x = _x(begin, end)
        width = round(max(0.5, _x(until, end) - x), 1)
        yield f'<rect x="{x}" width="{width}" y="{top + 13}" height="10" fill="var(--good)"/>'
    for at, look, says in lane.marks:
        colour, first, last, width = MARKS[look]
        x, place = _x(at, end), f'y1="{top + first}" y2="{top + last}"'
        line = f'<line x1="{x}" x2="{x}" {place} stroke="{colour}" stroke-width="{width}"'
        yield f"{line}/>" if look == "handed" else f"{line}><title>{escape(says)}</title></line>"
