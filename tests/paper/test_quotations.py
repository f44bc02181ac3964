"""Every sentence that a claim quotes from its paper stands in the text of the paper, where that text is at hand."""

import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from gomboc.checker.errata.claim import Result
from gomboc.checker.errata.quotation import LEFT_OUT, Basis, Quotation, essence, missing, stands_in
from gomboc.checker.errata.registry import find_claims, protocols_with_claims

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
NUMBERS = {
    "chord": "001",
    "delta_fault_tolerance": "003",
    "hyparview": "001",
    "scribe": "001",
    "skip_plus": "004",
    "skip_ring": "002",
}
"""How the names of the texts begin. Of Chord, HyParView and Scribe it is the report; no other source is at hand."""

each_protocol = pytest.mark.parametrize("protocol", protocols_with_claims())


@cache
def text_of(protocol):
    files = sorted(SEEDS.glob(f"{NUMBERS[protocol]}_*.txt"))
    if not files:
        pytest.skip(f"The text of the paper on {protocol} is not at {SEEDS}, so its quotations are not checked.")
    return files[0].read_text(encoding="utf-8")


def quotations(protocol):
    return [quotation for claim in find_claims(protocol) for quotation in (*claim.quotes, *claim.prose)]


@each_protocol
def test_every_quoted_sentence_stands_in_the_paper(protocol):
    assert missing(quotations(protocol), text_of(protocol)) == ()


@each_protocol
def test_a_quotation_with_another_word_is_noticed(protocol):
    changed = [replace(quotation, words=f"{quotation.words} indeed") for quotation in quotations(protocol)]
    checked = missing(changed, text_of(protocol))
    assert checked == tuple(quotation for quotation in changed if quotation.basis.value == "quoted")
    assert checked


def marked(claim):
    """The parts of a claim's own words that stand in quotation marks, with a mark for words that are left out."""
    parts = re.findall(r'"([^"]+)"', claim.says)
    return [re.sub(r"(?<!\[)\.\.\.", LEFT_OUT, part).rstrip(".,").lower() for part in parts]


def not_in_the_paper(claims, text):
    """The parts in quotation marks that are not in the paper, but for capital letters."""
    plain = essence(text).lower()
    return [(claim.name, part) for claim in claims for part in marked(claim) if not stands_in(part, plain)]


@each_protocol
def test_what_a_claim_has_in_quotation_marks_stands_in_the_paper(protocol):
    assert not_in_the_paper(find_claims(protocol), text_of(protocol)) == []


def test_another_word_in_quotation_marks_is_noticed():
    (claim,) = [claim for claim in find_claims("skip_ring") if claim.name == "claim_22"]
    assert not_in_the_paper([claim], text_of("skip_ring")) == []
    changed = replace(claim, says=claim.says.replace("p.label", "q.label"))
    assert not_in_the_paper([changed], text_of("skip_ring")) == [("claim_22", "p' = q.label")]


@each_protocol
def test_every_claim_of_the_paper_carries_the_sentence_that_it_is_about(protocol):
    ours = Result.SILENT, Result.OURS
    assert [claim.name for claim in find_claims(protocol) if not (claim.quotes or claim.result in ours)] == []


@each_protocol
def test_only_the_text_that_is_searched_is_quoted(protocol):
    other = re.compile(r"\b(Stoica|Zave|Liben-Nowell|Rowstron|HyParView|[Ff]irst report)\b")
    quoted = [quotation for quotation in quotations(protocol) if quotation.basis is Basis.QUOTED]
    assert [quotation.place for quotation in quoted if other.search(quotation.place)] == []


def test_without_the_texts_the_check_is_skipped_with_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(f"{__name__}.SEEDS", tmp_path)
    text_of.cache_clear()
    with pytest.raises(pytest.skip.Exception, match=r"^The text of the paper on chord is not at .* not checked\.$"):
        text_of("chord")
    text_of.cache_clear()


def test_a_sentence_of_another_paper_does_not_stand_in_this_one():
    foreign = Quotation("Lemma 19", "Phi never increases.")
    assert missing((foreign,), text_of("skip_ring")) == ()
    assert missing((foreign,), text_of("skip_plus")) == (foreign,)
