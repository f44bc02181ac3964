"""`gomboc check --layers` joins the traces of two layers, and says at which command they come apart."""

import json

import pytest

from tests.checker.cli.command import gomboc
from tests.checker.ring import HEADER, RESTS, written

SAY = {"kind": "unsubscribe"}


@pytest.fixture
def called(tmp_path, monkeypatch):
    """Call the command with a lower layer that delivers so often, and an upper one with those commands."""
    monkeypatch.chdir(tmp_path)

    def call(delivered, commands, *words):
        told = [{**RESTS, "delivered": [SAY]}] * delivered
        (tmp_path / "lower.jsonl").write_bytes(written(HEADER, *told))
        (tmp_path / "upper.jsonl").write_bytes(written(HEADER, RESTS, *({**RESTS, "took": each} for each in commands)))
        return gomboc("check", "--layers", *words, "lower.jsonl", "upper.jsonl")

    return call


def test_traces_whose_commands_are_deliveries_join(called):
    says = "upper.jsonl on lower.jsonl: holds: all of 2 commands are deliveries of the lower layer, in order\n"
    assert called(2, [SAY, SAY]) == (0, says, "")


def test_a_command_that_was_not_delivered_is_told_with_its_line(called):
    node, told = RESTS["node"], '{"kind":"unsubscribe"}'
    says = "a command is not what the lower layer delivers next"
    where = "upper.jsonl on lower.jsonl: violated at step 3 (line 4) by layers_join"
    assert called(1, [SAY, SAY]) == (1, f"{where}, at {node}: {says}: expected nothing, found {told}\n", "")
    left = called(2, [SAY])
    assert left.code == 1
    assert (
        f"violated at the end by layers_join, at {node}: what the lower layer delivers becomes no command" in left.out
    )


def test_commands_of_kinds_that_come_from_elsewhere_are_left_out(called):
    other = {"kind": "subscribe"}
    assert called(1, [other, SAY]).code == 1
    assert called(1, [other, SAY], "--besides", "subscribe").code == 0


@pytest.mark.parametrize(("commands", "verdict", "code"), [([SAY], "holds", 0), ([], "violated", 1)])
def test_the_verdict_is_a_line_of_json(called, commands, verdict, code):
    found = called(1, commands, "--format", "json")
    told = json.loads(found.out)
    assert (found.code, told["format"], told["verdict"]) == (code, "gomboc-check", verdict)
    assert (told["lower"], told["upper"], told["layers"]["type"]) == ("lower.jsonl", "upper.jsonl", verdict)
