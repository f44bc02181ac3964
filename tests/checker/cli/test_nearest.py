"""A misspelt name is answered with the nearest one that there is."""

import pytest

from tests.checker.cli.command import refused
from tests.checker.ring import HEADER, written


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("chek", "good.jsonl"), "check"),
        (("check", "--boundd", "3", "good.jsonl"), "--bound"),
        (("check", "wrong.jsonl"), "skip_ring"),
        (("check", "--variant", "printed_linearise", "good.jsonl"), "printed_linearize"),
        (("replay", ".", "--variant", "printed_linearise"), "printed_linearize"),
        (("simulate", "skip_rng", "--output", "out"), "skip_ring"),
        (("explore", "skip_rng"), "skip_ring"),
        (("explore", "skip_ring", "--instance", "two_hersay"), "two_hearsay"),
        (("errata", "skip_rng"), "skip_ring"),
        (("errata", "skip_ring", "theorem_5_configuration_request"), "theorem_5_configuration_requests"),
        (("prove", "labels_are_bijection"), "labels_are_a_bijection"),
    ],
    ids=" ".join,
)
def test_the_nearest_name_is_suggested(words, near, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.jsonl").write_bytes(written(HEADER))
    (tmp_path / "wrong.jsonl").write_bytes(written({**HEADER, "protocol": "skip_rng"}))
    assert f"Did you mean '{near}'?" in refused(*words)
