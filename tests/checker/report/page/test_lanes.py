"""A run of a stack is drawn on one time axis, with a lane for each trace, the highest layer on top."""

import re

import pytest

from gomboc.checker.report.page.lanes import Lane, lanes_chart, stack_section
from gomboc.checker.stacks.judge import judge_stack
from gomboc.checker.stacks.recorded import FILE, read_run
from tests.checker.cli.command import gomboc
from tests.checker.stacks.mutating import mutated
from tests.checker.stacks.runs import followers_known, read, simulated, until, write


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run in which a node crashes, and the same with one wrong hand-over."""
    folder = tmp_path_factory.mktemp("lanes")
    with followers_known():
        simulated(folder / "runs", seed=1)
        lines, said = until(read(folder / "runs/000000"), 6), (folder / "runs/000000" / FILE).read_text()
        write(folder / "right", lines, said)
        write(folder / "wrong", mutated(lines, "altered", 1), said)
        yield folder


def section_of(folder):
    return stack_section(*read_run(folder), judge_stack(folder))


def test_lanes_have_spans_and_marks_over_a_common_axis():
    marks = ((2.0, "handed", ""), (5.0, "crash", "n0: Crash"))
    chart = lanes_chart([Lane("above", 10.0, ((0.0, 5.0),), marks), Lane("below", 10.0, (), ())])
    assert re.findall(r'font-size="12">(\w+)', chart) == ["time", "above", "below"]
    assert chart.count('fill="var(--bad)"') == 2
    assert chart.count('fill="var(--good)"') == 1
    assert chart.count("<title>n0: Crash</title>") == 1
    assert [float(x) for x in re.findall(r'<line x1="([\d.]+)"', chart)] == [329.6, 539.0]


def test_names_and_texts_are_no_markup():
    chart = lanes_chart([Lane("<b>", 1.0, (), ((0.5, "command", "<i>"),))])
    assert "<b>" not in chart
    assert "<i>" not in chart


def test_a_run_shows_each_layer_its_commands_and_crashes(run):
    section = section_of(run / "right")
    chart = section.told["chart"]
    assert re.findall(r'font-size="12">([\w/]+)</text><rect', chart) == ["followers/news", "followers/sport", "ring"]
    crashes = [line["node"] for line in read(run / "right")["ring"][1:] if line["took"] == {"kind": "Crash"}]
    for node in crashes:
        assert chart.count(f"<title>{node}: Crash</title>") == 3 * crashes.count(node)
    handed = sum(
        isinstance(line["took"], dict) and line["took"]["kind"] in ("Routed", "StillRouted")
        for name, lines in read(run / "right").items()
        for line in lines[1:]
    )
    assert chart.count('stroke="var(--accent)"') == handed
    assert section.told["joined"].startswith("holds: all of ")


def test_what_is_wrong_stands_in_its_lane(run):
    section = section_of(run / "wrong")
    assert section.verdict == "violated"
    assert section.told["chart"].count("the command is not what ring hands over next") == 1
    assert 'stroke="var(--bad)" stroke-width="3.0"' in section.told["chart"]


def test_the_page_of_a_run_has_films_and_that_of_a_folder_has_the_worst_first(run):
    ran = gomboc("report", run / "wrong", "--output", run / "wrong.html")
    assert (ran.code, ran.err) == (0, "")
    assert (run / "wrong.html").read_text().count("<h2>") == 4
    assert gomboc("report", run, "--output", run / "all.html").out == f"{run}/all.html: violated.\n"
    text = (run / "all.html").read_text()
    assert text.index("wrong: toy_followers") < text.index("right: toy_followers")
