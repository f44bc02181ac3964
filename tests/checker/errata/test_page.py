"""The page and the text: written from the findings, complete, and with the differences shown."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings
from gomboc.checker.errata.page import WIDTH, markdown, summary, text_lines
from gomboc.checker.errata.quotation import Quotation, paraphrase
from gomboc.checker.errata.registry import find_claims, paper_of, protocols_with_claims
from gomboc.checker.errata.settlement import finding_of
from gomboc.checker.prove.registry import find_lemmas
from tests.checker.evidence.settled import findings

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

SPECIFICATIONS = Path(__file__).parents[3] / "spec" / "protocols"
PROTOCOLS = protocols_with_claims()
BEGINNINGS = ("- ", "+ ", "* ", "= ", "# ", "> ")

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def everything(protocol="skip_ring"):
    return tuple(findings(protocol).values())


def written(findings=None, protocol="skip_ring"):
    findings = everything(protocol) if findings is None else findings
    return markdown(paper_of(protocol), f"gomboc errata {protocol}", findings)


@each_protocol
def test_the_page_in_the_specifications_folder_is_the_one_that_the_command_writes(protocol):
    """If it is not: gomboc errata skip_ring --format markdown > spec/protocols/skip_ring/ERRATA.md"""
    page = SPECIFICATIONS / protocol / "ERRATA.md"
    assert page.read_text(encoding="utf-8") == written(protocol=protocol)


@each_protocol
def test_every_claim_has_a_row_and_a_section(protocol):
    text = written(protocol=protocol)
    for finding in everything(protocol):
        assert text.count(f"](#{finding.name})") == text.count(f'<a id="{finding.name}"></a>') == 1
        assert f"`gomboc errata {protocol} {finding.name}`" in text


@each_protocol
def test_no_line_begins_a_list_by_accident_and_only_tables_headings_and_links_are_wider_than_the_page(protocol):
    text = written(protocol=protocol)
    prose = [section.split("\n- ")[0] for section in text.split("\n## ")[1:]]
    assert [line for part in prose for line in part.splitlines()[1:] if line[:2] in BEGINNINGS] == []
    assert [line for line in text.splitlines() if len(line) > WIDTH and not line.startswith(("|", "#"))] == []


def test_the_page_counts_the_claims():
    assert summary(everything()) == (
        "58 claims: 13 reproduced, 15 refuted, 23 depends on the reading, 6 silent, 1 not a claim of the paper; "
        "all as recorded."
    )


def test_a_result_that_differs_stands_out():
    odd = replace(everything()[1], found=Result.REPRODUCED, false=("the sum is 4n - 4",))
    text = written((odd,))
    assert "**Reproduced (recorded as refuted).**" in text
    assert "but **not so**: the sum is 4n - 4" in text
    assert "1 claim: 1 reproduced; 1 not as recorded." in text


def test_the_text_has_a_line_for_each_claim_and_the_details_below():
    lines = list(text_lines(everything()))
    heads = [line for line in lines if not line.startswith(" ")]
    assert len(heads) == len(everything()) + 1
    assert heads[1] == "refuted: number_of_edges: a skip ring has 4n - 4 edges (Lemma 3, proof)"
    assert heads[-1] == summary(everything())
    assert any(line.startswith("  Finding: ") for line in lines)
    assert sum(line.startswith("  Rules that ran: ") for line in lines) == len(everything())
    assert sum(line.startswith("  Its words: ") for line in lines) == len(everything())


def of_toy(**changes):
    evidence = changes.pop("evidence", Evidence(Result.REFUTED, {}))
    claim = Claim("toy", "a toy", "Lemma 0", "It is.", Result.REFUTED, "It was.", "toys.toy", "Ours.", "Two.")
    return finding_of("skip_ring", replace(claim, **changes), evidence)


def test_only_a_counterexample_below_which_all_was_searched_is_called_the_smallest():
    assert "*Counterexample.* Two." in written((of_toy(),))
    assert "Smallest" not in written((of_toy(),))
    searched = written((of_toy(searched="All runs of fewer steps."),))
    assert "*Smallest counterexample.* Two." in searched
    assert "*Searched below it.* All runs of fewer steps." in searched


def test_each_result_has_its_own_headline_and_count():
    claims = (
        of_toy(),
        of_toy(result=Result.SILENT, examined=Result.REFUTED),
        of_toy(result=Result.OURS, examined=Result.REFUTED),
        of_toy(
            result=Result.DEPENDS,
            readings=(Reading("Moved.", Result.REPRODUCED), Reading("Copied.", Result.REFUTED)),
            evidence=by_readings((Result.REPRODUCED, Result.REFUTED), {}),
        ),
    )
    text = written(claims)
    assert (
        "4 claims: 1 refuted, 1 depends on the reading, 1 silent, 1 not a claim of the paper; all as recorded." in text
    )
    for headline in ("Refuted", "Silent", "Not a claim of the paper", "Depends on the reading"):
        assert text.count(f"**{headline}.** Lemma 0.") == 1
    assert text.count("*Statement examined.* A statement of ours in place of the paper's: there is a") == 2
    assert "*Readings.* Moved. Reproduced. Copied. Refuted." in text


def test_quotations_stand_on_the_page_with_their_places():
    quotes, prose = (Quotation("line 9", "w <- v"),), (Quotation("Section 3", "It is copied."),)
    text = written((of_toy(quotes=quotes, prose=prose),))
    assert '*Its words.* "w <- v" (line 9).' in text
    assert '*Related prose.* "It is copied." (Section 3).' in text
    assert "*In our words.*" not in text


def test_what_is_paraphrased_is_not_presented_as_the_words_of_its_source():
    text = written((of_toy(quotes=(paraphrase("Zave 2012", "There is a ring."),)),))
    assert "*In our words.* There is a ring. (Zave 2012; paraphrased from a source that is not at hand)." in text
    assert "*Its words.*" not in text


RESULTS_OF_ALL = (
    ("reproduced", Result.REPRODUCED),
    ("refuted", Result.REFUTED),
    ("a matter of reading", Result.DEPENDS),
    ("not said by the paper", Result.SILENT),
    ("statements of ours", Result.OURS),
    ("undecided", Result.UNDECIDED),
)


def test_the_first_page_counts_the_results_of_all_papers():
    recorded = [claim.result for protocol in PROTOCOLS for claim in find_claims(protocol)]
    counts = [f"{recorded.count(result)} {said}" for said, result in RESULTS_OF_ALL]
    sentence = f"of {len(recorded)} claims {', '.join(counts[:-1])}, and {counts[-1]}"
    assert sentence in (SPECIFICATIONS.parents[1] / "README.md").read_text(encoding="utf-8")


@each_protocol
def test_the_page_says_beside_each_lemma_for_which_values_z3_settles_it(protocol):
    text = " ".join(written(protocol=protocol).split())
    known = {lemma.name: lemma.ranges_over for lemma in find_lemmas()}
    for name in {name for finding in everything(protocol) for name in finding.lemmas}:
        assert f"By z3: `gomboc prove {name}` ({' '.join(known[name].split())})" in text
