"""A page of a long trace shows a window of it, around a violation anywhere, and has a bounded size."""

import json
import re
from pathlib import Path

import pytest

from gomboc.checker.judge.naive import Options
from gomboc.checker.report.page import window
from gomboc.checker.report.page.camera import film_of
from gomboc.checker.report.page.stills import moments
from gomboc.checker.report.page.window import Window, fitting, window_around
from tests.checker.cli.command import gomboc

RING = Path(__file__).resolve().parents[4] / "traces" / "skip_ring"
GOOD, LIE = RING / "corrupted_database.ok.jsonl", RING / "neighbour_forgotten.bad.jsonl"
FILM = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)


def films(path):
    return [json.loads(text) for text in FILM.findall(path.read_text())]


@pytest.mark.parametrize(
    ("step", "steps", "most", "shown"),
    [
        (0, 0, 10, (0, 0)),
        (5, 9, 10, (0, 9)),
        (0, 100, 10, (0, 10)),
        (3, 100, 10, (0, 10)),
        (50, 100, 10, (44, 54)),
        (99, 100, 10, (90, 100)),
        (100, 100, 10, (90, 100)),
    ],
)
def test_a_window_has_the_step_and_as_many_others_as_there_may_be(step, steps, most, shown):
    assert window_around(step, steps, most) == Window(*shown)


def test_every_window_of_a_film_shows_what_the_whole_film_shows_there():
    whole = film_of(LIE, Options())
    for first, last in ((0, 9), (10, 30), (30, 30), (100, whole.steps)):
        part = film_of(LIE, Options(), Window(first, last))
        assert (part.before, part.last, part.steps) == (first, last, whole.steps)
        assert part.legitimate == whole.legitimate
        assert part.conjuncts == whole.conjuncts
        states = {node: dict(variables) for node, variables in whole.states.items()}
        flying = {message.id: message for message in whole.flying}
        for shot in whole.shots[:first]:
            states[shot.node] |= shot.changed
            flying.pop(shot.took, None)
            flying |= {message.id: message for message in shot.sent}
        assert (part.states, {message.id: message for message in part.flying}) == (states, flying)
        assert part.shots == whole.shots[first:last]


def test_a_film_that_is_too_large_has_fewer_steps_and_still_that_one(monkeypatch):
    monkeypatch.setattr(window, "MOST_BYTES", 20_000)
    film = fitting(lambda chosen: film_of(LIE, Options(), chosen), 60, 116)
    assert film.before < 60 <= film.last
    assert window.FEWEST_STEPS <= len(film.shots) < 100


@pytest.mark.parametrize(("words", "shown"), [((), (8, 28)), (("--step", 90), (79, 99)), (("--step", 999), (96, 116))])
def test_a_page_shows_the_steps_around_the_violation_or_around_the_one_asked_for(tmp_path, monkeypatch, words, shown):
    monkeypatch.setattr(window, "MOST_STEPS", 20)
    assert gomboc("report", LIE, "--output", tmp_path / "page.html", *words).code == 0
    text = (tmp_path / "page.html").read_text()
    film = films(tmp_path / "page.html")[0]
    assert abs(film["before"] - shown[0]) <= 1
    assert len(film["shots"]) == 20
    assert f"Only steps {film['before'] + 1} to {film['before'] + 20} of 116 are shown." in text
    assert ('data-violation="18"' in text) == (not words)
    assert ('href="#step=18"' in text) == (not words)


def test_expected_and_found_stand_beside_each_other(tmp_path):
    assert gomboc("report", LIE, "--output", tmp_path / "page.html").code == 0
    row = re.search(
        r'<table class="compared">.*?<tbody><tr>(.*?)</tr>', (tmp_path / "page.html").read_text(), re.DOTALL
    )
    assert re.findall(r">([^<]+)</t", row[1]) == ["left", "[&#34;001&#34;,&#34;v5&#34;]", "null"]


def test_a_trace_without_steps_and_one_of_one_node_have_a_page(tmp_path):
    lines = GOOD.read_text().splitlines(keepends=True)
    (tmp_path / "empty.jsonl").write_text(lines[0])
    assert gomboc("report", tmp_path / "empty.jsonl", "--output", tmp_path / "empty.html").code == 0
    assert films(tmp_path / "empty.html")[0]["shots"] == []
    assert gomboc("simulate", "skip_ring", "--nodes", 1, "--output", tmp_path / "one").code == 0
    assert gomboc("report", tmp_path / "one", "--output", tmp_path / "one.html").code == 0
    assert films(tmp_path / "one.html")[0]["nodes"] == ["supervisor", "v1"]


@pytest.mark.parametrize("name", ["chord/two_rings", "skip_ring/id_given_twice_at_the_start"])
def test_what_is_violated_before_the_first_step_is_shown_there(tmp_path, name):
    assert gomboc("report", RING.parent / f"{name}.bad.jsonl", "--output", tmp_path / "page.html").code == 0
    text = (tmp_path / "page.html").read_text()
    assert 'data-first="0" data-violation="0"' in text
    assert 'href="#step=0"' in text
    assert "violated, before the first step" in text


def test_a_violated_film_has_stills_of_the_wrong_step_and_the_one_before():
    film = film_of(LIE, Options())
    assert moments(film, 18) == [
        (0, "before the first step"),
        (17, "after step 17"),
        (18, "violated, after step 18"),
        (116, "after step 116"),
    ]
    assert moments(film, 0)[0] == (0, "violated, before the first step")
