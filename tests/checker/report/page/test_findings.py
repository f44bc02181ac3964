"""Tables of results: an expected refutation or negative control is shown as expected, and a failure as a failure."""

import json
from pathlib import Path

import pytest

from gomboc.checker.report.page.page import page
from gomboc.checker.report.page.section import Row, table
from tests.checker.cli.command import gomboc

TRACES = Path(__file__).resolve().parents[4] / "traces"
PROVED, REFUTED = {"type": "proved"}, {"type": "refuted"}
LEMMA = {"format": "gomboc-prove", "name": "l", "source": "s", "ranges_over": "r"}
CLAIM = {"source": "s", "title": "t", "why": "w", "counterexample": "", "false": [], "readings": [], "examined": None}
BOTH = [{"says": "as printed", "outcome": "refuted"}, {"says": "as meant", "outcome": "reproduced"}]


def said(holds, result):
    return {"says": "x", "holds": holds, "result": result}


def errata(**changed):
    return {"format": "gomboc-errata", "claims": [{**CLAIM, "recorded": "refuted", "found": "refuted", **changed}]}


def report(folder, *documents):
    """The verdict of the page on some documents, and its text."""
    (folder / "said.json").write_text("".join(json.dumps(document) + "\n" for document in documents))
    run = gomboc("report", folder / "said.json", "--output", folder / "page.html", "--overwrite", "--format", "json")
    return json.loads(run.out)["of"], (folder / "page.html").read_text()


@pytest.mark.parametrize(
    ("document", "verdict", "badge"),
    [
        ({**LEMMA, "statement": said(True, PROVED), "contrasts": [said(False, REFUTED)]}, "holds", "expected"),
        ({**LEMMA, "statement": said(True, REFUTED), "contrasts": []}, "violated", "violated"),
        ({**LEMMA, "statement": said(True, PROVED), "contrasts": [said(False, PROVED)]}, "violated", "violated"),
        ({**LEMMA, "statement": said(True, {"type": "unknown"}), "contrasts": []}, "unknown", "unknown"),
        (errata(), "holds", "expected"),
        (errata(recorded="reproduced"), "violated", "violated"),
        (errata(false=["2 is 3"]), "violated", "violated"),
    ],
)
def test_a_result_is_wrong_on_the_page_only_if_it_is_not_the_expected_one(tmp_path, document, verdict, badge):
    result, text = report(tmp_path, document)
    assert result == verdict
    assert f'<span class="verdict {badge}">' in text
    assert (verdict == "violated") == ('class="verdict violated"' in text)
    assert ("refuted, as expected" in text) == (badge == "expected")


@pytest.mark.parametrize(
    ("differing", "verdict"), [([], "holds"), (["states: 3, recorded 2"], "violated"), (None, "violated")]
)
def test_a_violated_model_is_expected_only_if_that_is_recorded(tmp_path, differing, verdict):
    finding = {"promise": "p", "of": "o", "verdict": {"type": "violated", "says": "n"}}
    model = {"format": "gomboc-explore", "name": "m", "about": "", "findings": [finding]}
    result, text = report(tmp_path, model if differing is None else {**model, "differing": differing})
    assert result == verdict
    assert ("states: 3, recorded 2" in text) == bool(differing)


def test_the_readings_of_a_claim_are_shown_with_their_outcomes(tmp_path):
    changed = {"recorded": "depends on the reading", "found": "depends on the reading", "readings": BOTH}
    _, text = report(tmp_path, errata(**changed))
    assert "<strong>refuted</strong>: as printed" in text
    assert "<strong>reproduced</strong>: as meant" in text
    _, text = report(tmp_path, errata(recorded="silent", found="silent", examined="reproduced"))
    assert "<strong>reproduced</strong>: our statement, which was examined instead" in text


def test_traces_that_must_be_violated_are_shown_as_expected(tmp_path):
    bad = gomboc("check", "--expect", TRACES / "skip_ring" / "neighbour_forgotten.bad.jsonl", "--format", "json").out
    verdict, text = report(tmp_path, json.loads(bad))
    assert verdict == "holds"
    assert "violated, as expected" in text
    assert "violated at step 18" in text
    assert "everything is as expected (1 expected failure)" in text


def test_a_run_of_a_stack_is_shown_with_its_traces_and_how_they_join(tmp_path):
    holds = {"type": "holds", "claim": "each of 3 steps is one that the specification allows"}
    trace = {"trace": "run/ring.jsonl", "protocol": "chord", "members": 3, "steps": 3}
    trace |= dict.fromkeys(("conformance", "closure", "convergence"), holds)
    layers = {"verdict": {"type": "unknown", "why": "nothing is joined"}, "trace": ""}
    document = {
        "format": "gomboc-check",
        "verdict": "unknown",
        "stack": "tower",
        "run": "run",
        "traces": {"ring": trace},
    }
    verdict, text = report(tmp_path, {**document, "layers": layers})
    assert verdict == "unknown"
    assert "run, joined" in text
    assert "nothing is joined" in text
    assert "run/ring.jsonl" in text
    assert "each of 3 steps" in text


def test_cells_are_text_and_never_markup():
    bad = "<img src=x onerror=alert(1)>\"'&"
    text = page([table(bad, (bad,), [Row("holds", (bad, [(bad, bad)]), "holds")])], [bad])
    assert "<img" not in text
