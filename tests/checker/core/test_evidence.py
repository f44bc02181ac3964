"""Evidence by entry point: ours, that of a foreign distribution, and refused in a sentence if it cannot be used."""

import sys
from pathlib import Path

import pytest

from gomboc.checker.core import evidence
from gomboc.checker.core.evidence import ProtocolEvidence, evidence_on, protocols_with_evidence
from tests.checker.cli.command import gomboc, refused
from tests.checker.refusing import sentence
from tests.installed import declared, forget, install

SAMPLE = Path(__file__).parents[2] / "sample"
OURS = ("chord", "delta_fault_tolerance", "hyparview", "scribe", "skip_plus", "skip_ring")
GOOD = "from gomboc.checker import ProtocolEvidence\nEVIDENCE = ProtocolEvidence"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a distribution with these entry points, as groups with their points, for one test."""

    def bring(groups, files):
        install("foreign", groups, tmp_path)
        for name, text in files.items():
            (tmp_path / name).write_text(text)
            monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
        monkeypatch.syspath_prepend(tmp_path)
        forget()

    yield bring
    monkeypatch.undo()
    forget()


def test_ours_come_through_the_same_door():
    assert tuple(declared(SAMPLE.parents[1])[evidence.GROUP]) == OURS
    assert set(OURS) <= set(protocols_with_evidence())
    assert evidence_on("chord").claims.name == "claims.toml"
    assert evidence_on("dissemination") == ProtocolEvidence()


def test_a_foreign_distribution_brings_claims_lemmas_a_picture_and_models(installed, tmp_path):
    files = {path.name: path.read_text() for path in SAMPLE.iterdir() if path.suffix in (".py", ".toml")}
    installed(declared(SAMPLE), files)
    assert protocols_with_evidence() == tuple(sorted((*OURS, "lamps")))
    settled = gomboc("errata", "lamps")
    assert settled.code == 0
    assert "  Finding: So it is in all 16 cases with numbers up to 3.\n" in settled.out
    assert "  By z3: gomboc prove a_lamp_becomes_right (all numbers)\n" in settled.out
    proved = gomboc("prove", "a_lamp_becomes_right")
    assert proved.code == 0
    assert "all as expected" in proved.out
    explored = gomboc("explore", "lamps", "--instance", "two_lamps", "--output", tmp_path / "explored")
    assert (explored.code, "two lamps and their source" in explored.out) == (0, True)
    page = tmp_path / "page.html"
    assert gomboc("report", SAMPLE / "recorded" / "two_lamps.jsonl", "--output", page).code == 0
    assert '"levels":["tells"]' in page.read_text().replace(" ", "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 / 0", "failed (ZeroDivisionError: division by zero): fix it."),
        ("import nowhere", "failed (ModuleNotFoundError: No module named 'nowhere'): fix it."),
        ("OTHER = 3", "cannot be imported: foreign has no 'EVIDENCE'; fix or remove it."),
        ("EVIDENCE = 3", "is of type int, and evidence is a gomboc.checker.ProtocolEvidence: fix it."),
        (f"{GOOD}(claims='claims.toml')", "has claims of type str, which are to be of type Path: fix it."),
        (f"{GOOD}(lemmas=3)", "has lemmas of type int, which are to be of type str: fix it."),
    ],
)
def test_evidence_that_cannot_be_used_is_refused_in_a_sentence(installed, text, problem):
    installed({evidence.GROUP: {"toys": "foreign:EVIDENCE"}}, {"foreign.py": text})
    assert sentence(evidence_on, "toys") == f"The evidence foreign:EVIDENCE {problem}"


@pytest.mark.parametrize(
    ("part", "command", "sentence"),
    [
        (
            "lemmas='nowhere'",
            "prove",
            "The lemmas nowhere failed (ModuleNotFoundError: No module named 'nowhere'): fix it.",
        ),
        ("lemmas='json'", "prove", "The lemmas json.decoder have no tuple LEMMAS of gomboc.checker.Lemma: fix it."),
        (
            "models='json'",
            "explore",
            "The models json:MODELS cannot be imported: json has no 'MODELS'; fix or remove it.",
        ),
        ("picture='json:dumps'", "report", "The picture json:dumps failed (TypeError: Object of type Protocol is not"),
        ("claims=Path('nowhere.toml')", "errata", "nowhere.toml cannot be read as TOML ([Errno 2] No such file"),
    ],
)
def test_a_part_that_cannot_be_used_is_refused_when_it_is_needed(installed, tmp_path, part, command, sentence):
    text = f"from pathlib import Path\n{GOOD}({part})"
    installed({evidence.GROUP: {"dissemination": "foreign:EVIDENCE"}}, {"foreign.py": text})
    trace = SAMPLE.parents[1] / "traces" / "dissemination" / "one_publishes.ok.jsonl"
    arguments = {"prove": (), "report": (trace, "--output", tmp_path / "page.html")}.get(command, ("dissemination",))
    assert refused(command, *arguments).startswith(f"gomboc: {sentence}")


def test_two_distributions_with_evidence_on_one_protocol_are_refused(installed):
    installed({evidence.GROUP: {"chord": "foreign:EVIDENCE"}}, {})
    says = "There is evidence on chord twice, foreign:EVIDENCE and gomboc.checker.evidence.chord:EVIDENCE: remove one."
    assert sentence(evidence_on, "chord") == says


BROKEN = "The evidence foreign:EVIDENCE failed (ZeroDivisionError: division by zero): fix it."


def test_evidence_that_fails_stops_no_other(installed):
    known = gomboc("prove", "--list")
    installed({evidence.GROUP: {"toys": "foreign:EVIDENCE"}}, {"foreign.py": "1 / 0"})
    listed = gomboc("prove", "--list")
    assert (listed.code, listed.out, listed.err) == (0, known.out, f"gomboc: left out: {BROKEN}\n")
    assert gomboc("prove", "labels_are_a_bijection").code == 0
    assert gomboc("errata", "skip_ring", "number_of_edges").code == 0
    assert refused("prove") == f"gomboc: {BROKEN}\n"
    assert refused("errata") == f"gomboc: {BROKEN}\n"
    assert refused("errata", "toys") == f"gomboc: {BROKEN}\n"
    assert refused("errata", "chess").endswith(f"skip_ring. Left out: {BROKEN}\n")
    assert refused("prove", "chess").endswith(f" Left out: {BROKEN}\n")


NAMESAKE = """
from gomboc.checker.evidence.skip_ring import lemmas
LEMMAS = tuple(lemma for lemma in lemmas.LEMMAS if lemma.name == "labels_are_a_bijection")
"""


def test_two_lemmas_of_one_name_are_refused_where_it_is_asked_for(installed):
    files = {"foreign.py": f"{GOOD}(lemmas='namesakes')", "namesakes.py": NAMESAKE}
    installed({evidence.GROUP: {"toys": "foreign:EVIDENCE"}}, files)
    sentence = "gomboc: Two lemmas are called 'labels_are_a_bijection': rename one.\n"
    assert refused("prove", "labels_are_a_bijection") == refused("prove") == sentence
    assert gomboc("prove", "printed_theorem_5").code == 0
