"""The picture of each protocol: that of its evidence, or the plain one."""

from collections.abc import Sequence
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.evidence import called, evidence_on, load
from gomboc.checker.report.page.picture import Line, Picture, Spot, plain
from gomboc.spec.core.protocol import Protocol

FARTHEST = 2.0
"""Maximal distance of a node from the middle; the circle has the radius 1."""

LOOKS = ("in", "out", "authority")


def picture_of(protocol: Protocol) -> Picture:
    """The picture of a protocol, or the plain one. Raises UsageError for one that cannot be used."""
    reference = evidence_on(protocol.name).picture
    return _checked(reference, protocol) if reference else plain(protocol)


def _checked(reference: str, protocol: Protocol) -> Picture:
    """A picture with guarded calls of its functions: it may be user code."""
    made = load("picture", reference)
    picture = called("picture", reference, made, protocol) if callable(made) and not isinstance(made, Picture) else made
    if not isinstance(picture, Picture):
        problem = f"is of type {type(picture).__name__}, and a picture is a gomboc.checker.report.page.picture.Picture"
        raise UsageError(f"The picture {reference} {problem}: fix it.")
    if not picture.levels or not all(isinstance(level, str) for level in picture.levels):
        raise UsageError(f"The picture {reference} must name at least one level of lines, each with a text: fix it.")

    def spot(names: Sequence[str], node: str, local: Any) -> Spot:
        drawn: Any = called("picture", reference, picture.spot, names, node, local)
        if not (isinstance(drawn, Spot) and _is_fit(drawn)):
            wanted = f"a Spot with |x| and |y| up to {FARTHEST:g}, a text, and a look among {', '.join(LOOKS)}"
            raise UsageError(f"The picture {reference} draws {node} as {drawn!r}, which is not {wanted}: fix it.")
        return drawn

    def lines(node: str, local: Any, false: frozenset[str]) -> tuple[Line, ...]:
        drawn: tuple[Any, ...] = tuple(called("picture", reference, lambda: tuple(picture.lines(node, local, false))))
        if unfit := [line for line in drawn if not (isinstance(line, Line) and _is_level(line.level))]:
            wanted = "a Line with a level from 0 on"
            raise UsageError(f"The picture {reference} draws {unfit[0]!r} at {node}, which is not {wanted}: fix it.")
        return drawn

    return msgspec.structs.replace(picture, spot=spot, lines=lines, own=True)


def _is_fit(spot: Any) -> bool:
    at = all(isinstance(coordinate, int | float) and abs(coordinate) <= FARTHEST for coordinate in (spot.x, spot.y))
    return at and isinstance(spot.label, str) and spot.look in LOOKS


def _is_level(level: Any) -> bool:
    return isinstance(level, int) and level >= 0
