"""The distinct values and local steps of a pack, spelled out with values: what they are in any pack."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from checker.errors import UsageError
from checker.replay.kernel.arrays import Array, spread
from checker.replay.kernel.dictionary import COMMAND, DELIVERY, NONE, Dictionary
from checker.replay.kernel.findings import UNDECIDED, Finding
from checker.replay.kernel.judged import Judged
from checker.replay.kernel.local import LocalJudge, LocalStep
from checker.replay.kernel.values import PackValues
from spec.model import Commanded, Input, Timeout

CHUNK = 4096
"""Steps that are spelled out at a time."""

TIMEOUT = Timeout()

_ARRAY = msgspec.json.Decoder(list[Any])


def judgeable(words: Dictionary) -> Array:
    """The steps that can be right or wrong by themselves: not those of strangers, and of messages that nobody sent."""
    known = (words.before != NONE) & ((words.took != DELIVERY) | (words.input != NONE))
    return np.flatnonzero(known)


def judge_steps(judge: LocalJudge, values: PackValues, rows: Array) -> dict[int, Finding]:
    """What is wrong with the steps of those numbers."""
    found: dict[int, Finding] = {}
    for low in range(0, len(rows), CHUNK):
        part = rows[low : low + CHUNK]
        for number, step in zip(part.tolist(), _spelled(values, part), strict=True):
            finding = step if isinstance(step, Finding) else judge.step(step)
            if finding is not None:
                found[number] = finding
    return found


def _spelled(values: PackValues, rows: Array) -> list[LocalStep | Finding]:
    """Steps with values instead of numbers, all at once; if that fails, in halves; or why one cannot be read."""
    try:
        return list(_together(values, rows))
    except (UsageError, msgspec.DecodeError) as error:
        if len(rows) == 1:
            return [Finding(UNDECIDED, str(error))]
        middle = len(rows) // 2
        return _spelled(values, rows[:middle]) + _spelled(values, rows[middle:])


def _together(values: PackValues, rows: Array) -> Iterator[LocalStep]:
    words = values.dictionary
    node, before, took, content, after = (
        column[rows].tolist() for column in (words.node, words.before, words.took, words.input, words.after)
    )
    return map(
        LocalStep,
        map(words.names.known.__getitem__, node),
        map(values.state, before),
        [_input(values, *each) for each in zip(took, content, strict=True)],
        map(values.state, after),
        _sends(values, rows),
        words.coins.of(rows),
        [[] if text is None else _ARRAY.decode(text) for text in words.deliveries.of(rows)],
    )


def _sends(values: PackValues, rows: Array) -> list[list[tuple[str, Any]]]:
    """What each of these steps sends: targets and contents."""
    words = values.dictionary
    counts = words.sends[rows]
    places = spread(words.send_starts[rows], counts)
    targets = map(words.names.known.__getitem__, words.send_target[places].tolist())
    sends = zip(targets, map(values.message, words.send_content[places].tolist()), strict=True)
    return [list(islice(sends, count)) if count else [] for count in counts.tolist()]


def _input(values: PackValues, took: int, content: int) -> Input:
    if took == DELIVERY:
        return values.received(content)
    return Commanded(values.command(content)) if took == COMMAND else TIMEOUT


def judge_states(judge: LocalJudge, values: PackValues, numbers: Array) -> dict[int, Finding]:
    """What is wrong with the states of those numbers."""
    return _found((number, judge.value(partial(values.whole_state, number))) for number in numbers.tolist())


def judge_messages(judge: LocalJudge, values: PackValues, numbers: Array) -> dict[int, Finding]:
    """What is wrong with the contents of those numbers, as messages."""
    return _found((number, judge.value(partial(values.message, number))) for number in numbers.tolist())


def _found(findings: Iterator[tuple[int, Finding | None]]) -> dict[int, Finding]:
    return {number: finding for number, finding in findings if finding is not None}


def judge_all(judge: LocalJudge, words: Dictionary) -> Judged:
    """Judge everything that a pack holds, here and now."""
    values = PackValues(judge.values, words)
    return Judged(
        words,
        judge_states(judge, values, np.arange(len(words.state_role))),
        judge_messages(judge, values, np.flatnonzero(~words.commands)),
        judge_steps(judge, values, judgeable(words)),
    )
