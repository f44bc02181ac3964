"""Progress is a line every few seconds on standard error."""

from unittest.mock import patch

from gomboc.checker.explore.results.progress import SECONDS, pace


def test_a_line_says_how_far_it_is_and_how_fast(capsys):
    with patch(
        "gomboc.checker.explore.results.progress.time.monotonic", side_effect=[100, 100 + SECONDS - 1, 110, 111]
    ):
        report = pace("skip_ring")
        report(10, 20, 30)
        report(1_000, 2_000, 50_000)
        report(1_001, 2_001, 50_001)
    line = "skip_ring: 1,000 of 2,000 states found, 100 states/s, 5,000 transitions/s\n"
    assert tuple(capsys.readouterr()) == ("", line)
