"""The distinct values and local steps of a pack, spelled out with values: what they are in any pack."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import numpy as np

from checker.errors import UsageError
from checker.kernel.arrays import Array
from checker.kernel.dictionary import COMMAND, DELIVERY, NONE, Dictionary
from checker.kernel.findings import UNDECIDED, Finding
from checker.kernel.judged import Judged
from checker.kernel.local import LocalJudge, LocalStep
from checker.kernel.values import PackValues
from spec.model import Commanded, Input, Received, Timeout

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
    words = values.dictionary
    found: dict[int, Finding] = {}
    for low in range(0, len(rows), CHUNK):
        part = rows[low : low + CHUNK]
        for number, row in zip(part.tolist(), _rows(words, part), strict=True):
            finding = _judge(judge, words, values, row)
            if finding is not None:
                found[number] = finding
    return found


Row = tuple[int, int, int, int, int, list[int], list[int], str | None, bytes | None]


def _rows(words: Dictionary, rows: Array) -> Iterator[Row]:
    columns = (words.node, words.before, words.took, words.input, words.after, words.send_starts, words.sends)
    numbers = zip(*(column[rows].tolist() for column in columns), strict=True)
    said = zip(words.coins(rows), words.deliveries(rows), strict=True)
    for (node, before, took, taken, after, start, sends), (coin, delivered) in zip(numbers, said, strict=True):
        to = words.send_target[start : start + sends].tolist() if sends else []
        content = words.send_content[start : start + sends].tolist() if sends else []
        yield node, before, took, taken, after, to, content, coin, delivered


def _judge(judge: LocalJudge, words: Dictionary, values: PackValues, row: Row) -> Finding | None:
    node, before, took, taken, after, targets, contents, coin, delivered = row
    names = words.names.known
    try:
        sends = [(names[to], values.message(content)) for to, content in zip(targets, contents, strict=True)]
        handed = [] if delivered is None else _ARRAY.decode(delivered)
        local = LocalStep(
            names[node], values.state(before), _input(values, took, taken), values.state(after), sends, coin, handed
        )
    except (UsageError, msgspec.DecodeError) as error:
        return Finding(UNDECIDED, str(error))
    return judge.step(local)


def _input(values: PackValues, took: int, content: int) -> Input:
    if took == DELIVERY:
        return Received(values.message(content))
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
