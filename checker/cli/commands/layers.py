"""`gomboc check --layers`: check that the lower layer's deliveries are the upper layer's commands."""

from collections.abc import Container, Sequence
from pathlib import Path

import click
import msgspec

from gomboc.checker.cli.document import json_line
from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.layers import joined
from gomboc.checker.judge.naive import DEFAULT, judge_file
from gomboc.checker.judge.verdict import (
    HOLDS,
    UNKNOWN,
    VIOLATED,
    WORDS,
    Difference,
    Judgement,
    Unknown,
    Verdict,
    Violated,
)
from gomboc.checker.traces.trace import open_trace


def check_layers(paths: Sequence[Path], ignored: Container[str], form: str) -> int:
    """Judge two traces, and whether the commands of the upper one, the second path, are the lower one's deliveries.

    Commands of the kinds `ignored` come from elsewhere. Gives the exit code: 1 if one of the three verdicts is
    violated, 3 if one is unknown. Raises UsageError for other than two files, and for one that cannot be read.
    """
    if len(paths) != 2 or any(path.is_dir() for path in paths):
        raise UsageError("--layers joins two traces: name the file of the lower layer, then that of the upper one.")
    if paths[0].exists() and paths[1].exists() and paths[0].samefile(paths[1]):
        raise UsageError(f"{paths[1]}: a layer does not stand on itself; name the trace of the layer above.")
    verdict = _joined(paths[0], paths[1], ignored)
    judgements = [judge_file(path, DEFAULT) for path in paths]
    code = _worst([_code(verdict), *(judgement.exit_code() for judgement in judgements)])
    if form == "json":
        content = {"lower": str(paths[0]), "upper": str(paths[1]), "layers": verdict, "judgements": judgements}
        click.echo(json_line("check", code, content))
    else:
        click.echo("\n".join((*map(_line, judgements), f"{paths[1]} on {paths[0]}: {_sentence(verdict)}")))
    return code


def _joined(below: Path, above: Path, ignored: Container[str]) -> Verdict:
    with open_trace(below) as lower, open_trace(above) as upper:
        apart = sorted(set(upper.header.roles).difference(lower.header.roles))
        if apart:
            return Unknown(f"{apart[0]!r} has a role in {above} only, so the two are not layers of one system")
        return joined(lower.steps(), upper.steps(), ignored)


def _code(verdict: Verdict) -> int:
    return VIOLATED if isinstance(verdict, Violated) else UNKNOWN if isinstance(verdict, Unknown) else HOLDS


def _worst(codes: Sequence[int]) -> int:
    return next((code for code in (VIOLATED, UNKNOWN) if code in codes), HOLDS)


def _line(judgement: Judgement) -> str:
    """The line for one trace; for a failure with the command that explains it."""
    code = judgement.exit_code()
    closer = "" if code == HOLDS else f"; look closer: gomboc check {judgement.trace}"
    return f"{judgement.trace} by itself: {WORDS[code]}{closer}"


def _sentence(verdict: Verdict) -> str:
    if isinstance(verdict, Unknown):
        return f"unknown: {verdict.why}"
    if not isinstance(verdict, Violated):
        return f"holds: {verdict.claim}"
    where = f"at step {verdict.step} (line {verdict.step + 1})" if verdict.step else "at the end"
    differences = "; ".join(map(_difference, verdict.differences))
    return f"violated {where} by {verdict.rule}, at {verdict.node}: {verdict.says}: {differences}"


def _difference(difference: Difference) -> str:
    expected, actual = (
        "nothing" if value is None else msgspec.json.encode(value).decode()
        for value in (difference.expected, difference.found)
    )
    return f"expected {expected}, found {actual}"
