"""The executions of Zave as traces of her machine: `python -m tests.golden.zave` rewrites every one of them."""

from gomboc.checker.evidence.chord.experiments.zave import RUNS
from gomboc.checker.evidence.chord.experiments.zave_protocol import PROTOCOL, TRACES, script
from gomboc.checker.spec_runner import Player, encoded

COMMAND = "python -m tests.golden.zave"


def trace_of(name: str) -> bytes:
    """The trace of the execution that breaks the property of that name."""
    scene = script(RUNS[name])
    player = Player(PROTOCOL, scene.start)
    for turn in scene.turns:
        player.take(turn.node, turn.taken, turn.coin)
    header, *steps = player.lines
    return encoded([{**header, "origin": {**header["origin"], "command": COMMAND}}, *steps])


if __name__ == "__main__":
    for property_name in RUNS:
        (TRACES / f"{property_name}.jsonl").write_bytes(trace_of(property_name))
