"""Options without effect are refused; each is a line of bad_inputs.txt but for those that depend on what there is."""

import pytest

from tests.checker.cli.command import gomboc, refused


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """The verdicts of a replay that found nothing wrong, and its summary as JSON."""
    folder = tmp_path_factory.mktemp("verdicts")
    traces = folder / "traces"
    assert gomboc("simulate", "skip_ring", "--nodes", "2", "--output", traces).code == 0
    told = gomboc("replay", traces, "--output", folder / "verdicts", "--format", "json")
    (folder / "summary.json").write_text(told.out)
    return folder


@pytest.mark.parametrize("name", ["verdicts", "summary.json"])
@pytest.mark.parametrize("words", [("--variant", "printed_linearize"), ("--bound", 3), ("--step", 3)])
def test_verdicts_are_not_judged_again_by_a_report(verdicts, tmp_path, name, words):
    page = tmp_path / "page.html"
    why = "where no trace is shown, and verdicts are as they were given"
    sentence = f"gomboc: {words[0]} has no effect {why}: leave it out.\n"
    assert refused("report", verdicts / name, "--output", page, *words) == sentence
    assert not page.exists()
    assert gomboc("report", verdicts / name, "--output", page).code == 0


def test_an_option_with_an_effect_on_one_of_the_paths_is_taken(verdicts, tmp_path):
    words = verdicts / "verdicts", verdicts / "traces", "--bound", 300
    assert gomboc("report", *words, "--output", tmp_path / "page.html").code == 0


def test_the_failures_have_their_times_where_nodes_crash(tmp_path):
    assert gomboc("simulate", "chord", "--crashes", 1, "--within", 3, "--output", tmp_path / "new").code == 0
