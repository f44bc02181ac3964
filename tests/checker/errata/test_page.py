"""The page and the text: written from the findings, complete, and with the differences shown."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gomboc.checker.errata.claim import Result
from gomboc.checker.errata.page import WIDTH, markdown, summary, text_lines
from gomboc.checker.errata.registry import paper_of, protocols_with_claims
from tests.checker.evidence.settled import findings

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

SPECIFICATIONS = Path(__file__).parents[3] / "spec"
PROTOCOLS = protocols_with_claims()


def everything(protocol="skip_ring"):
    return tuple(findings(protocol).values())


def written(found=None, protocol="skip_ring"):
    found = everything(protocol) if found is None else found
    paper = paper_of(protocol)
    return markdown(paper, f"gomboc errata {protocol}", found)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_page_in_the_specifications_folder_is_the_one_that_the_command_writes(protocol):
    """If it is not: gomboc errata skip_ring --format markdown > spec/skip_ring/ERRATA.md"""
    page = SPECIFICATIONS / protocol / "ERRATA.md"
    assert page.read_text(encoding="utf-8") == written(protocol=protocol)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_claim_has_a_row_and_a_section(protocol):
    text = written(protocol=protocol)
    for finding in everything(protocol):
        assert text.count(f"](#{finding.name})") == 1
        assert text.count(f'<a id="{finding.name}"></a>') == 1
        assert f"`gomboc errata {protocol} {finding.name}`" in text


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_line_of_the_page_begins_a_list_by_accident(protocol):
    for section in written(protocol=protocol).split("\n## ")[1:]:
        prose = section.split("\n- ")[0]
        assert not [line for line in prose.splitlines()[1:] if line[:2] in ("- ", "+ ", "* ", "= ", "# ", "> ")]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_only_tables_headings_and_links_are_wider_than_the_page(protocol):
    wide = [
        line
        for line in written(protocol=protocol).splitlines()
        if len(line) > WIDTH and not line.startswith(("|", "#"))
    ]
    assert wide == []


def test_the_page_counts_the_claims():
    assert summary(everything()) == "51 claims: 14 reproduced, 37 refuted, 0 undecided; 0 not as recorded."


def test_a_result_that_differs_stands_out():
    odd = replace(everything()[1], found=Result.REPRODUCED, false=("the sum is 4n - 4",))
    text = written((odd,))
    assert "**Reproduced (recorded as refuted).**" in text
    assert "but **not so**: the sum is 4n - 4" in text
    assert "1 claim: 1 reproduced, 0 refuted, 0 undecided; 1 not as recorded." in text


def test_the_text_has_a_line_for_each_claim_and_the_details_below():
    lines = list(text_lines(everything()))
    heads = [line for line in lines if not line.startswith(" ")]
    assert len(heads) == len(everything()) + 1
    assert heads[1] == "refuted: number_of_edges: a skip ring has 4n - 4 edges (Lemma 3, proof)"
    assert heads[-1] == summary(everything())
    assert any(line.startswith("  What we find: ") for line in lines)
    assert sum(line.startswith("  Whose rules ran: ") for line in lines) == len(everything())
    assert any("[hangs on a reading]" in line for line in heads)
