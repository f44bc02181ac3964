"""Trees over a ring: all layers of disturbed runs are joined, and none is violated."""

from tests.checker.cli.command import gomboc


def test_trees_over_a_ring_are_joined_and_nothing_is_violated(tmp_path):
    words = (
        "--nodes",
        "5,8",
        "--traces",
        "2",
        "--disturb",
        "--parameter",
        "chord.meet=true",
        "--seed",
        "7",
        "--publications",
        "3",
        "--jobs",
        "1",
    )
    assert gomboc("simulate", "chord_scribe", *words, "--output", tmp_path / "runs").code == 0
    ran = gomboc("check", tmp_path / "runs")
    assert ran.code in (0, 3), ran.out
    assert ran.out.count("layers: holds: all of ") == 2
    assert gomboc("ingest", tmp_path / "runs", "--output", tmp_path / "packs", "--jobs", "1").code == 0
    ran = gomboc("replay", tmp_path / "packs", "-q", "--jobs", "1", "--output", tmp_path / "verdicts")
    assert ran.code in (0, 3), ran.out
    assert "(chord_scribe, 2 runs: joined 2 holds; " in ran.out
