"""Runs of toys, judged: no folder of `spec` announces a toy, so the judge is told of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

from gomboc.checker.judge.naive import DEFAULT, Options, judge
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.simulate.spec_runner import Player
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.protocol import Protocol


@contextmanager
def known(protocol: Protocol) -> Iterator[None]:
    """As if a folder of `spec` announced the protocol."""
    find = {protocol.name: protocol}.__getitem__
    with (
        patch("gomboc.checker.traces.trace.find_protocol", find),
        patch("gomboc.checker.traces.trace.protocol_names", lambda: (protocol.name,)),
        patch("gomboc.checker.judge.naive.find_protocol", find),
    ):
        yield


def reader(protocol: Protocol, trace: bytes) -> TraceReader:
    """A reader of a trace of a toy."""
    with known(protocol):
        return TraceReader(Path("toy.jsonl"), BytesIO(trace))


def judgement(protocol: Protocol, trace: bytes, options: Options = DEFAULT) -> Judgement:
    """The judgement of a trace of a toy."""
    with known(protocol):
        return judge(reader(protocol, trace), options)


def judged(player: Player, options: Options = DEFAULT) -> Judgement:
    """The judgement of a player's trace."""
    return judgement(player.protocol, player.trace(), options)
