"""The table of the page of benchmarks is that of the command which writes it; the figures are of one machine."""

import click
import pytest

from gomboc.checker.cli import gomboc
from gomboc.checker.cli.commands import check
from gomboc.checker.judge.naive import Options
from tests.bench.commands import BEGIN, END, HEAD, NAIVE, PAGE, Command, Traces, line, measured, with_table
from tests.bench.measure import Ran

ROW = "| {} | 10 | 5 | 100 | 3.00 | 4.00 |"


@pytest.fixture
def traces(tmp_path):
    """Names of traces that are there, without content."""
    (tmp_path / "trace.jsonl").touch()
    return Traces(tmp_path / "trace.jsonl", 10, tmp_path, 10, tmp_path, 10, tmp_path, 10, *[tmp_path / "store"] * 3)


def test_the_page_has_a_row_for_each_command_that_is_measured(traces):
    table = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [row for row in table.splitlines() if row.startswith("|")]
    assert rows[:2] == HEAD.splitlines()
    cells = [row.strip("| ").split(" | ") for row in rows[2:]]
    assert [cell[0] for cell in cells] == [command.name for command in measured(traces, 1)]


def test_every_command_that_is_measured_is_one_that_gomboc_takes(traces):
    """With the words that an older tree does not know, and without them; and so is the naive judge's."""
    calls = [(*command.words, *new) for command in measured(traces, 1) for new in (command.new, ())]
    for name, *words in (*calls, (*NAIVE, str(traces.long))):
        found = gomboc.get_command(click.Context(gomboc), name)
        assert found is not None
        found.make_context(name, list(words))


def test_the_naive_judge_judges_alone_whatever_the_size(traces, monkeypatch):
    monkeypatch.setattr(check, "WORTH_IT", 0)
    assert any(portion.together for portion in check._portions([PAGE], Options(), 1))
    option, most = NAIVE[1:]
    assert option == "--max-steps"
    assert not any(portion.together for portion in check._portions([PAGE], Options(most_steps=int(most)), 1))


def test_ratios_are_medians_of_rounds_by_the_step_and_missing_ones_are_blank(traces):
    command = Command("it", 10, (), (), traces.long, 5)
    here, there, naive = ([Ran(seconds, 0, 100) for seconds in each] for each in ((1, 2, 4), (3, 2, 12), (2, 4, 80)))
    assert line(command, here, there, naive) == "| it | 10 | 5 | 100 | 3.00 | 4.00 |"
    assert line(command, here, [], []) == "| it | 10 | 5 | 100 |  |  |"


def test_only_what_stands_between_the_two_lines_is_replaced():
    page = with_table(f"before\n{BEGIN}old\n{END}after\n", [ROW.format("it")], "Here.")
    assert page == f"before\n{BEGIN}Here.\n\n{HEAD}\n{ROW.format('it')}\n{END}after\n"
    assert with_table(page, [ROW.format("it")], "Here.") == page


@pytest.mark.parametrize("page", ["", f"{BEGIN}", f"{END}", f"{BEGIN}{END}{END}"])
def test_a_page_without_the_two_lines_is_refused(page):
    with pytest.raises(ValueError, match="write the lines"):
        with_table(page, [], "")
