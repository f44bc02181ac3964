"""A part of a page: a trace, a corpus, or a table of findings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

WORST = ("violated", "unreadable", "unknown", "holds", "done")
"""Verdicts of a page, the worst first."""

TRACE_TEMPLATE = "trace.html.j2"


class Section(msgspec.Struct, frozen=True):
    """A part of a page: the template that draws it, the values of that template, and its verdict.

    `as_expected` counts the results in it that would be bad if they were not expected: refutations that are recorded,
    negative controls, and traces that must be violated.
    """

    template: str
    verdict: str
    told: Mapping[str, Any]
    as_expected: int = 0

    @property
    def shows_a_trace(self) -> bool:
        """Whether it is a trace, judged for this page."""
        return self.template == TRACE_TEMPLATE


class Row(msgspec.Struct, frozen=True):
    """A row of a table: its displayed result, its cells, and its verdict for the page.

    A result that is expected counts as "holds": an errata page records refutations, and a negative control must fail. A
    cell is a text, or a list of (result, text) pairs.
    """

    shows: str
    cells: Sequence[Any]
    counts: str

    @property
    def is_expected(self) -> bool:
        """Whether the result would be bad if it were not expected."""
        return self.counts == "holds" and self.shows not in GOOD


GOOD = ("holds", "proved", "reproduced", "done")
"""Results that are good by themselves."""


def table(name: str, head: Sequence[str], rows: Sequence[Row], note: str = "") -> Section:
    """A section that is a table. A table without rows is unknown."""
    drawn = [{"shows": row.shows, "look": _look(row), "expected": row.is_expected, "cells": row.cells} for row in rows]
    values = {"name": name, "head": head, "rows": drawn, "note": note}
    verdict = worst_of((row.counts for row in rows), "unknown")
    return Section("findings.html.j2", verdict, values, sum(row.is_expected for row in rows))


def _look(row: Row) -> str:
    """The class of a result's badge: its verdict for the page, so that only failures are red."""
    return "expected" if row.is_expected else row.counts


def worst_of(verdicts: Iterable[str], of_nothing: str) -> str:
    """The worst of some verdicts; `of_nothing` if there is none."""
    return min(verdicts, key=rank, default=of_nothing)


def rank(verdict: str) -> int:
    """The position of a verdict among all, the worst first."""
    return WORST.index(verdict) if verdict in WORST else len(WORST)
