"""`gomboc check --layers`: whether two traces are those of two layers, one of which stands on the other."""

from collections.abc import Container, Sequence
from pathlib import Path

import click
import msgspec

from gomboc.checker.cli.document import json_line
from gomboc.checker.errors import UsageError
from gomboc.checker.judge.layers import joined
from gomboc.checker.judge.trace import open_trace
from gomboc.checker.judge.verdict import HOLDS, VIOLATED, Difference, Verdict, Violated


def check_layers(paths: Sequence[Path], besides: Container[str], form: str) -> int:
    """Say whether the commands of the upper layer's trace, the second one, are the deliveries of the lower one's.

    Commands of the kinds `besides` come from elsewhere. Gives the exit code; raises UsageError for other than two
    files, and for one that cannot be read.
    """
    if len(paths) != 2 or any(path.is_dir() for path in paths):
        raise UsageError("--layers joins two traces: name the file of the lower layer, then that of the upper one.")
    with open_trace(paths[0]) as lower, open_trace(paths[1]) as upper:
        verdict = joined(lower.steps(), upper.steps(), besides)
    code = VIOLATED if isinstance(verdict, Violated) else HOLDS
    if form == "json":
        click.echo(json_line("check", code, {"lower": str(paths[0]), "upper": str(paths[1]), "layers": verdict}))
    else:
        click.echo(f"{paths[1]} on {paths[0]}: {_sentence(verdict)}")
    return code


def _sentence(verdict: Verdict) -> str:
    if not isinstance(verdict, Violated):
        return f"holds: {getattr(verdict, 'claim', '')}"
    where = f"at step {verdict.step} (line {verdict.step + 1})" if verdict.step else "at the end"
    told = "; ".join(map(_difference, verdict.differences))
    return f"violated {where} by {verdict.rule}, at {verdict.node}: {verdict.says}: {told}"


def _difference(difference: Difference) -> str:
    expected, found = (
        "nothing" if each is None else msgspec.json.encode(each).decode()
        for each in (difference.expected, difference.found)
    )
    return f"expected {expected}, found {found}"
