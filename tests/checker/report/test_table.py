"""The summary as a person reads it, character by character."""

from gomboc.checker.report.table import table
from gomboc.checker.summary.summary import sum_up
from gomboc.checker.summary.verdict_row import Row
from tests.checker.summary.test_summary import ROWS


def test_a_summary_is_shown_whole():
    assert table(sum_up(ROWS), "naive replay") == "\n".join(
        [
            "Rounds until legitimate: median, p99 and worst, against n; and the fewest rounds after that.",
            "  n  traces  steps  conform         closed     converged  median  p99  worst  stable rounds",
            "  2       2     20        2              2             2     5.5    8      8              0",
            " 10       2  1,010        2  1, 1 violated  1, 1 unknown       5    5      5              0",
            "all       4  1,030        4  3, 1 violated  3, 1 unknown       5    8      8              0",
            "Verdicts: 2 holds, 2 unknown, 1 unreadable, 1 violated.",
            "  c: violated at step 4 by closure",
            "  d: it ended early",
            "  e: no such file",
            "  f: the judge failed",
            "Judged by naive replay; specification abc, abd.",
            "Look closer: gomboc check c",
        ]
    )


def test_where_everything_holds_there_is_nothing_to_name():
    assert table(sum_up(ROWS[:1]), "naive replay").splitlines()[-3:] == [
        "Verdicts: 1 holds.",
        "Judged by naive replay; specification abc.",
        "Look closer: gomboc check a",
    ]


def test_where_nothing_could_be_read_there_are_no_figures():
    shown = table(sum_up([Row("e", "unreadable", "abc", error="no such file")]), "naive replay")
    assert shown.splitlines()[1:3] == [
        "  n  traces  steps  conform  closed  converged  median  p99  worst  stable rounds",
        "all       0      0        0       0          0       -    -      -              -",
    ]


def test_where_nothing_was_judged_that_is_said():
    shown = table(sum_up([]), "naive replay")
    assert "Verdicts: none; nothing was judged." in shown.splitlines()
    assert "Look closer" not in shown


def test_a_table_does_not_depend_on_the_terminal(monkeypatch):
    before = table(sum_up(ROWS), "naive replay")
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert table(sum_up(ROWS), "naive replay") == before
