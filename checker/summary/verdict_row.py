"""A judgement as one flat row, the form in which many are stored and summed up."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from gomboc.checker.core.digest import spec_digest
from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import Judgement, Unknown, Verdict
from gomboc.spec.core.guarded import ProtocolFaultError

Word = Literal["holds", "violated", "unknown"]


class Row(msgspec.Struct, frozen=True):
    """The result of judging one trace.

    `verdict` is "holds", "violated", "unknown", or "unreadable" with the reason in `error`; a trace that could not be
    judged for a reason of ours is "unknown", with the reason in `error`. `step` and `rule` are those of the first
    violation. `judgement` is the whole judgement as JSON, `spec` the digest of the specification that judged.
    """

    trace: str
    verdict: str
    spec: str
    protocol: str | None = None
    members: int | None = None
    steps: int | None = None
    conformance: str | None = None
    closure: str | None = None
    convergence: str | None = None
    rounds: int | None = None
    rounds_after: int | None = None
    step: int | None = None
    rule: str | None = None
    error: str | None = None
    judgement: str | None = None


Judge = Callable[[Path, Options], Judgement]
"""Judges a trace. Raises UsageError if it cannot be read."""


def judge_to_row(path: str, options: Options, judge: Judge | None = None) -> Row:
    """Judge one trace. Every error of the trace or the judge goes into its row, and affects no other trace."""
    try:
        return row_of((judge or judge_file)(Path(path), options))
    except UsageError as error:
        return Row(path, "unreadable", spec_digest(), error=str(error))
    except OSError as error:
        return Row(path, "unreadable", spec_digest(), error=f"{path}: it cannot be read: {error.strerror or error}.")
    except ProtocolFaultError as error:
        return unjudged(path, str(error))
    except Exception as error:  # noqa: BLE001  # one poisonous trace must not take the others with it; its row says so
        return unjudged(path, f"the judge failed with {type(error).__name__}: {error}")


def unjudged(path: str, why: str) -> Row:
    """The row of a trace that was not judged, for a reason other than a known fault of its own."""
    return Row(path, "unknown", spec_digest(), error=f"{path}: {why}.")


def row_of(judgement: Judgement) -> Row:
    """The flat form of a judgement."""
    first = judgement.violations()[:1]
    return Row(
        trace=judgement.trace,
        verdict=("holds", "violated", "", "unknown")[judgement.exit_code()],
        spec=spec_digest(),
        protocol=judgement.protocol,
        members=judgement.members,
        steps=judgement.steps,
        conformance=word(judgement.conformance),
        closure=word(judgement.closure),
        convergence=word(judgement.convergence),
        rounds=judgement.rounds,
        rounds_after=judgement.rounds_after,
        step=first[0].step if first else None,
        rule=first[0].rule if first else None,
        error=next((verdict.why for _, verdict in judgement.verdicts() if isinstance(verdict, Unknown)), None),
        judgement=msgspec.json.encode(judgement).decode(),
    )


def word(verdict: Verdict) -> Word:
    """The verdict in one word."""
    tag: Word = verdict.__struct_config__.tag  # type: ignore[assignment]
    return tag
