"""Trees over a ring over a membership, which broadcasts: all three layers are joined, and none is violated."""

from tests.checker.cli.command import gomboc

# What subscribers get by the broadcast is judged on applications: no disturbance of the stack publishes.
WORDS = ["--nodes", "5,8", "--traces", "2", "--disturb", "--parameter", "chord.meet=true", "--seed", "7", "--jobs", "1"]
SWITCHED = ["--parameter", "scribe.high=3", "--parameter", "scribe.low=2"]


def test_three_layers_are_joined_and_nothing_is_violated(tmp_path):
    assert gomboc("simulate", "hyparview_chord_scribe", *WORDS, *SWITCHED, "--output", tmp_path / "runs").code == 0
    ran = gomboc("check", tmp_path / "runs")
    assert ran.code in (0, 3), ran.out
    assert ran.out.count("layers: holds: all of ") == 2


def test_peers_that_no_membership_named_are_refused(tmp_path):
    assert gomboc("simulate", "hyparview_chord_scribe", *WORDS, "--output", tmp_path / "runs").code == 0
    trace = next((tmp_path / "runs").glob("*/hyparview.jsonl"))
    lines = trace.read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines) if '"kind":"Peers"' in line)
    lines[number] = lines[number].replace('"kind":"Peers"', '"kind":"Heard","topic":"news"', 1)
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = gomboc("check", tmp_path / "runs")
    assert ran.code == 1
    assert "layers: violated" in ran.out
