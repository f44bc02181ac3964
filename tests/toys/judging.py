"""Runs of toys, judged: no folder of `spec` announces a toy, so the judge is told of it."""

from io import BytesIO
from pathlib import Path
from unittest.mock import patch

from gomboc.checker.judge.naive import DEFAULT, judge
from gomboc.checker.traces.trace import TraceReader


def judged(player, options=DEFAULT):
    """The judgement of a player's trace."""
    protocol = player.protocol
    with (
        patch("gomboc.checker.traces.trace.find_protocol", {protocol.name: protocol}.__getitem__),
        patch("gomboc.checker.traces.trace.protocol_names", lambda: (protocol.name,)),
        patch("gomboc.checker.judge.naive.find_protocol", {protocol.name: protocol}.__getitem__),
    ):
        return judge(TraceReader(Path("toy.jsonl"), BytesIO(player.trace())), options)
