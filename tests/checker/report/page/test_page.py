"""A report is one self-contained file; it shows the judge's verdicts."""

import json
import re
import shutil
from pathlib import Path

import msgspec
import pytest

from gomboc.checker.judge.naive import Options
from gomboc.checker.judge.system import System
from gomboc.checker.report.page.camera import film_of
from gomboc.checker.report.page.chart import rounds_chart
from gomboc.checker.report.page.page import page
from gomboc.checker.report.page.picture import plain
from gomboc.checker.report.page.pictures import picture_of
from gomboc.checker.report.page.section import Row, table
from gomboc.checker.report.page.stills import moments
from gomboc.checker.summary.summary import SummaryLine, sum_up
from gomboc.checker.traces.trace import open_trace
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.registry import find_protocol, protocol_names
from tests.checker.cli.command import gomboc

TRACES = Path(__file__).resolve().parents[4] / "traces"
RING = TRACES / "skip_ring"
GOOD = RING / "corrupted_database.ok.jsonl"
LIE = RING / "neighbour_forgotten.bad.jsonl"


@pytest.mark.parametrize("path", [GOOD, LIE, TRACES / "skip_plus" / "one_crashes_and_comes_back.ok.jsonl"])
def test_after_each_step_a_film_has_as_many_false_conjuncts_as_the_definition(path):
    film, count = film_of(path, Options()), {}
    with open_trace(path) as reader:
        system = System(reader.header, reader.protocol)
        count |= film.false
        assert sum(count.values()) == len(legitimacy_faults(reader.protocol, *system.now))
        for shot, step in zip(film.shots, reader.steps(), strict=True):
            system.apply(step)
            count |= shot.false
            assert sum(count.values()) == len(legitimacy_faults(reader.protocol, *system.now))


def test_a_film_says_a_node_that_took_what_by_which_rule_and_what_it_changed():
    shot = film_of(LIE, Options()).shots[17]
    assert (shot.node, shot.what) == ("v3", "timeout")
    assert shot.rules[0][0] == "subscriber_timeout"
    assert shot.changed == {"left": "null"}


def test_what_is_in_flight_in_a_film_is_what_is_in_flight():
    film = film_of(GOOD, Options())
    flying = {message.id for message in film.flying}
    with open_trace(GOOD) as reader:
        system = System(reader.header, reader.protocol)
        for shot, step in zip(film.shots, reader.steps(), strict=True):
            system.apply(step)
            flying = flying - {shot.took} | {message.id for message in shot.sent}
            assert flying == set(system.in_flight)


def test_a_film_is_legitimate_from_the_step_on_that_the_judge_names():
    film = film_of(GOOD, Options())
    said = re.search(r"legitimate after .* at step (\d+)", gomboc("check", GOOD, "--format", "json").out)
    assert said is not None
    assert film.legitimate == int(said[1])
    assert moments(film)[-1] == (int(said[1]), f"legitimate, after step {said[1]}")


@pytest.mark.parametrize("name", protocol_names())
def test_every_node_of_every_protocol_has_a_spot_and_its_lines_lead_to_nodes(name):
    protocol = find_protocol(name)
    start = protocol.starts.start(6)
    states = dict(start.locals)
    for picture in (picture_of(protocol), plain(protocol)):
        for node, local in states.items():
            spot = picture.spot(tuple(states), node, local)
            assert spot.x**2 + spot.y**2 <= 1.6
            assert all(line.to in states and line.right for line in picture.lines(node, local, frozenset()))
            assert all(line.level < 64 for line in picture.lines(node, local, frozenset()))


def test_a_page_is_one_file_that_fetches_nothing_and_in_which_no_text_ends_a_script(tmp_path):
    assert gomboc("report", GOOD, LIE, "--output", tmp_path / "page.html").code == 0
    text = (tmp_path / "page.html").read_text()
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", text)
    assert "http" not in re.sub(r"http://www\.w3\.org/2000/svg", "", text)
    assert text.count("<script") == text.count("</script>") == 3
    for film in re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL):
        assert json.loads(film)["nodes"]


def test_verdicts_of_a_corpus_have_a_table_a_chart_and_coverage(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "--nodes 1..3 --traces 9 --into packs --output corpus"
    assert gomboc("simulate", "skip_ring", *words.split()).code == 0
    gomboc("replay", "corpus", "--jobs", 1, "--output", "verdicts")
    assert gomboc("report", "verdicts", "--output", "page.html").out == "page.html: unknown.\n"
    text = Path("page.html").read_text()
    assert text.count('<svg class="chart"') == 1
    assert "<h3>Coverage</h3>" in text


def test_verdicts_of_json_lines_have_a_table_and_a_chart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert gomboc("simulate", "skip_ring", "--nodes", "1..3", "--traces", 9, "--output", "traces").code == 0
    gomboc("replay", "traces", "--jobs", 1, "--output", "verdicts")
    assert gomboc("report", "verdicts", "--output", "page.html").out == "page.html: holds.\n"
    assert Path("page.html").read_text().count('<svg class="chart"') == 1


def test_a_chart_has_a_curve_for_each_figure_and_none_for_one_size():
    def line(n):
        return SummaryLine(n, 1, 1, {}, {}, {}, n, n, n)

    assert rounds_chart([line(1)], {"1": 9}) == ""
    drawn = rounds_chart([line(1), line(2)], {"1": 9, "2": 12})
    assert drawn.count("<polyline") == 4
    assert rounds_chart([line(1), line(2)], {}).count("<polyline") == 3
    assert all(
        f">{name}</text>" in drawn
        for name in ("bound", "median", "p99", "worst", "members (n)", "rounds (logarithmic)")
    )
    key = re.findall(r'y="(\d+)" font-size="12">(?:median|p99|worst)<', rounds_chart([line(1), line(2)], {}))
    assert key == ["26", "44", "62"]


def test_what_other_commands_say_as_json_becomes_a_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words, cell in (
        (("errata", "skip_ring", "corollary_18"), "reproduced"),
        (("prove", "labels_are_a_bijection"), "proved"),
        (("check", LIE), "violated"),
    ):
        Path("said.json").write_text(gomboc(*words, "--format", "json").out)
        assert gomboc("report", "said.json", "--output", "page.html", "--overwrite").code == 0
        assert f">{cell}</span>" in Path("page.html").read_text()


def test_a_trace_in_four_frames_is_a_picture_by_itself(tmp_path):
    assert gomboc("report", GOOD, "--output", tmp_path / "four.svg").out.endswith("four.svg: four frames.\n")
    text = (tmp_path / "four.svg").read_text()
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert text.count("<g transform") == 4
    assert "legitimate, after step" in text


def test_a_trace_with_a_value_that_its_type_does_not_allow_is_shown_up_to_there(tmp_path):
    assert gomboc("report", RING / "label_not_canonical.bad.jsonl", "--output", tmp_path / "page.html").code == 0
    text = (tmp_path / "page.html").read_text()
    assert len(json.loads(re.findall(r'<script type="application/json">(.*?)</script>', text)[0])["shots"]) == 4
    assert (
        gomboc("report", RING / "member_that_was_never_there.bad.jsonl", "--output", tmp_path / "none.html").code == 0
    )
    assert "<svg class=" not in (tmp_path / "none.html").read_text()


def verdicts_of(*traces):
    """The folder of the verdicts on a corpus of those traces, in packs."""
    Path("runs").mkdir()
    for trace in traces:
        shutil.copy(trace, "runs")
    assert gomboc("ingest", "runs", "--output", "packs").code == 0
    gomboc("replay", "packs", "--jobs", 1, "--output", "verdicts")
    return Path("verdicts")


def test_the_page_of_a_corpus_has_the_films_of_its_witnesses(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    verdicts_of(GOOD, LIE)
    assert gomboc("report", "verdicts", "--output", "page.html").out == "page.html: violated.\n"
    text = Path("page.html").read_text()
    assert text.count('class="film"') == 1
    assert 'data-violation="18"' in text
    Path("verdicts").rename("moved")
    assert gomboc("report", "moved", "--output", "moved.html").code == 0
    assert 'data-violation="18"' in Path("moved.html").read_text()
    shutil.rmtree("moved/witnesses")
    assert gomboc("report", "moved", "--output", "page.html", "--overwrite").code == 0
    lacking = r"The violated trace verdicts/witnesses/\S+ is not shown: \S+: No such file or directory\."
    assert re.search(lacking, Path("page.html").read_text())


def test_the_page_of_verdicts_on_json_lines_has_the_films_of_those_that_are_violated(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for trace in (GOOD, LIE):
        shutil.copy(trace, "runs")
    gomboc("replay", "runs", "--jobs", 1, "--output", "verdicts")
    assert gomboc("report", "verdicts", "--output", "page.html").out == "page.html: violated.\n"
    text = Path("page.html").read_text()
    assert text.count('class="film"') == 1
    assert 'data-violation="18"' in text


def test_a_corpus_without_traces_says_that_none_was_judged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("verdicts").mkdir()
    summary = sum_up([])
    Path("verdicts/summary.json").write_bytes(msgspec.json.encode(summary))
    assert gomboc("report", "verdicts", "--output", "page.html").out == "page.html: unreadable.\n"
    assert "No trace was judged." in Path("page.html").read_text()


def test_the_title_of_a_page_counts_its_failed_sections():
    good, bad = (table("t", ("verdict",), [Row(verdict, (), verdict)]) for verdict in ("holds", "violated"))
    assert "<title>FAILED: 1 of 3 sections</title>" in page([good, good, bad], ["t"])
    assert "<title>everything holds</title>" in page([good], ["t"])
