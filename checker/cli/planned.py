"""The types of options of a plan: numbers of members, and commands at their times."""

import math
import re
from typing import Any

import click
import msgspec

from gomboc.checker.simulate.plan import PlannedCommand

RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")

MOST_MEMBERS = 100_000
"""Above this, a typing error is more likely than a wish."""


class NodeCounts(click.ParamType[tuple[int, ...]]):
    """Numbers of members: "8", "1..16" or "2,4,8"."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Read the numbers, in the order in which they are given."""
        if isinstance(value, tuple):
            return value
        for piece in str(value).split(","):
            if (ends := RANGE.fullmatch(piece)) and int(ends[1]) > int(ends[2]):
                says = f"has its first number after its last: write {ends[2]}..{ends[1]}"
                self.fail(f"{value!r} {says}", param, ctx)
        try:
            counts = tuple(count for piece in str(value).split(",") for count in _range(piece))
        except ValueError:
            counts = ()
        if not counts or min(counts) < 1:
            self.fail(f"{value!r} is not a number of members such as 8, 1..16 or 2,4,8", param, ctx)
        return counts


def _range(piece: str) -> range:
    first, through, last = piece.partition("..")
    counts = range(int(first), int(last if through else first) + 1)
    if counts.stop > MOST_MEMBERS:
        raise ValueError
    return counts


class Topics(click.ParamType[tuple[str, ...]]):
    """Names of topics: "news,sport"."""

    name = "NAME,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Read the names."""
        names = value if isinstance(value, tuple) else tuple(str(value).split(","))
        if len(set(names)) < len(names) or not all(re.fullmatch(r"[0-9A-Za-z_.:-]{1,64}", name) for name in names):
            self.fail(f"{value!r} is not a list of different topics such as news,sport", param, ctx)
        return names


class CommandAt(click.ParamType[PlannedCommand]):
    """A command at a time: "20:v3:Unsubscribe", or with the JSON object that a trace would have."""

    name = "TIME:NODE:COMMAND"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> PlannedCommand:
        """Read the time, the node, and the command: its kind, or the JSON object that a trace would have."""
        if isinstance(value, PlannedCommand):
            return value
        time, _, rest = str(value).partition(":")
        node, brace, json = rest.partition(":{")
        if not brace:
            node, _, kind = rest.rpartition(":")
        fields = _object(brace[1:] + json) if brace else {"kind": kind}
        try:
            at = float(time)
        except ValueError:
            at = -1.0
        if not 0 <= at < math.inf or not node or not isinstance(fields.get("kind"), str) or not fields["kind"]:
            says = 'is not a command such as 20:v3:Unsubscribe or 20:v3:{"kind": "Unsubscribe"}'
            self.fail(f"{value!r} {says}", param, ctx)
        return PlannedCommand(at, node, fields.pop("kind"), fields)


def _object(text: str) -> dict[str, Any]:
    """The JSON object that a text is; an empty one if it is none."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (ValueError, RecursionError):
        return {}
