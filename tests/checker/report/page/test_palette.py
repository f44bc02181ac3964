"""Red marks failures, and only those; colour is never the only sign; a legend lists the signs that are drawn."""

import colorsys
import re
from itertools import pairwise
from pathlib import Path

import pytest

from gomboc.checker.judge.naive import Options
from gomboc.checker.report.page.camera import film_of
from gomboc.checker.report.page.chart import CURVES
from gomboc.checker.report.page.film import drawn_lines, legend_of
from gomboc.checker.report.page.page import HERE
from gomboc.checker.report.page.picture import Line, Spot
from gomboc.checker.report.page.stills import FilmFrame, frames, moments, svg
from gomboc.checker.report.page.window import Window
from tests.checker.cli.command import gomboc

TRACES = Path(__file__).resolve().parents[4] / "traces"
GOOD = TRACES / "skip_ring" / "corrupted_database.ok.jsonl"
COLOURS = (HERE / "colours.css").read_text()
WRONG = {
    ".verdict.violated",
    ".line.wrong",
    "td.f",
    ".strip rect",
    ".violation-of",
    ".compared td.found",
    ".sequence .event.wrong circle",
    ".sequence .event.wrong text",
    ".sign-wrong",
}
"""The red elements: violations, false conditions, and lines that are wrong."""


def is_red(colour):
    hue, saturation, _ = colorsys.rgb_to_hsv(*(int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)))
    return saturation > 0.25 and (hue < 20 / 360 or hue > 340 / 360)


def test_one_colour_is_red_in_light_and_in_dark():
    named = re.findall(r"--([a-z0-9-]+): #([0-9a-f]{6});", COLOURS)
    assert len(named) > 30
    assert [name for name, colour in named if is_red(colour)] == ["bad", "bad"]


def test_red_is_used_for_what_is_wrong_only():
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", (HERE / "page.css").read_text())
    assert {name.strip() for name, body in rules if "var(--bad)" in body} == WRONG
    assert not re.search(r"#[0-9a-f]{3,6}\b|: red", (HERE / "page.css").read_text().replace("#000", ""))
    used = [
        path.name for path in sorted(HERE.rglob("*")) if path.suffix in (".js", ".j2") and "--bad" in path.read_text()
    ]
    assert used == []


def test_a_page_on_what_holds_from_its_start_has_no_verdict_in_red(tmp_path):
    assert gomboc("report", GOOD, "--output", tmp_path / "page.html").code == 0
    text = (tmp_path / "page.html").read_text()
    assert 'class="verdict violated"' not in text
    assert 'class="violation-of"' not in text


def test_curves_differ_without_colours():
    dashes = [dashes for *_, dashes in CURVES]
    assert len(set(dashes)) == len(dashes)


@pytest.mark.parametrize("name", ["skip_ring/corrupted_database.ok", "dissemination/one_publishes.ok"])
def test_a_legend_lists_what_is_drawn_and_nothing_else(name):
    film = film_of(TRACES / f"{name}.jsonl", Options())
    lines = drawn_lines(film)
    signs = [sign for sign, _ in legend_of(film, lines)]
    assert [sign for sign in signs if sign.startswith("level")] == [
        f"level-{level}" for level in sorted({line.level for line in lines if line.right})
    ]
    assert ("wrong" in signs) == any(not line.right for line in lines)
    looks = {spot.look for shot in film.shots for spot in shot.spots.values()} | {s.look for s in film.spots.values()}
    assert looks == {"in", "out", "authority"} & {*signs}
    assert len(signs) < 7 + 5


def test_a_legend_has_neither_colours_of_wrong_lines_nor_wrong_where_none_is():
    film = film_of(GOOD, Options())
    right, wrong = Line("v1", 2, True), Line("v1", 5, False)
    assert next(sign for sign, _ in legend_of(film, [wrong])) == "wrong"
    assert [sign for sign, _ in legend_of(film, [right])][:2] == ["level-2", "in"]
    quiet = film_of(GOOD, Options(), Window(film.steps, film.steps))
    assert {"wrong", "acts"} & {sign for sign, _ in legend_of(quiet, drawn_lines(quiet))} == set()


def test_labels_of_nodes_in_one_place_do_not_cover_each_other_and_none_is_cut():
    spots = {f"v{number}": Spot(1.0, 0.0, f"v{number} " + 20 * "1", "in") for number in range(3)}
    drawn = svg(FilmFrame("now", spots, {}))
    heights = [float(y) for y in re.findall(r'<text x="[^"]+" y="([^"]+)"', drawn)]
    assert all(after - before > 9 for before, after in pairwise(heights))
    left, _, wide, _ = map(float, re.search(r'viewBox="([^"]+)"', drawn)[1].split())
    assert left + wide > 240 + 23 * 9 * 0.6
    assert drawn.rindex("<circle") < drawn.index("<text")


def test_stills_say_which_moment_they_show():
    film = film_of(GOOD, Options())
    for frame in frames(film, moments(film)):
        assert f'aria-label="the overlay {frame.caption}"' in svg(frame)
