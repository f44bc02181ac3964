"""`gomboc errata`: settles claims anew, in three formats, with the exit codes that it promises."""

import json

import pytest

from gomboc.checker.errata import registry, settlement
from gomboc.checker.errata.claim import Claim, Evidence, Result
from tests.checker.cli.command import gomboc

CHEAP = ("node_degree", "corollary_18")


def test_named_claims_are_settled_and_told_in_text():
    ran = gomboc("errata", "skip_ring", *CHEAP)
    assert ran.code == 0
    heads = [line for line in ran.out.splitlines() if not line.startswith(" ")]
    assert heads == [
        "reproduced: node_degree: the degree is logarithmic in the worst case, and constant on average (Lemma 3)",
        "reproduced: corollary_18: the potential is 0 if and only if every node has every publication (Corollary 18)",
        "2 claims: 2 reproduced; all as recorded.",
    ]
    assert "  Reproduce: gomboc errata skip_ring corollary_18\n" in ran.out


def test_json_has_every_field_of_a_finding():
    ran = gomboc("errata", "skip_ring", "corollary_18", "--format", "json")
    document = json.loads(ran.out)
    (finding,) = document["claims"]
    assert (document["format"], document["verdict"]) == ("gomboc-errata", "holds")
    assert (ran.code, finding["name"], finding["recorded"], finding["found"]) == (
        0,
        "corollary_18",
        "reproduced",
        "reproduced",
    )
    assert finding["source"] == "Corollary 18"
    assert finding["reproduce"] == "gomboc errata skip_ring corollary_18"


def test_markdown_is_a_page_that_says_how_to_write_it_again():
    ran = gomboc("errata", "skip_ring", "corollary_18", "--format", "markdown")
    assert ran.code == 0
    assert ran.out.startswith("# Claims of the paper on the supervised skip ring\n")
    assert "`gomboc errata skip_ring corollary_18 --format markdown`" in ran.out


@pytest.fixture
def one_claim(monkeypatch):
    """The only claim that there is, found to be reproduced."""

    def plant(recorded, facts):
        claim = Claim("toy", "a toy", "Lemma 0", "It is.", recorded, "It was.", "toys.toy", "none")
        evidence = Evidence(Result.REPRODUCED, {}, facts)
        monkeypatch.setattr(settlement, "experiment", lambda protocol, claim: lambda: evidence)
        monkeypatch.setattr(registry, "find_claims", lambda protocol: (claim,))
        monkeypatch.setattr(registry, "_every_name", lambda: ("skip_ring",))

    return plant


def test_without_a_protocol_every_claim_is_settled(one_claim):
    one_claim(Result.REPRODUCED, {})
    ran = gomboc("errata")
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "1 claim: 1 reproduced; all as recorded."


def test_a_result_that_differs_gives_exit_code_1(one_claim):
    one_claim(Result.REFUTED, {})
    ran = gomboc("errata")
    assert ran.code == 1
    assert ran.out.splitlines()[0] == "reproduced (recorded as refuted): toy: a toy (Lemma 0)"


def test_a_statement_that_is_not_so_gives_exit_code_1(one_claim):
    one_claim(Result.REPRODUCED, {"water is dry": False})
    ran = gomboc("errata")
    assert ran.code == 1
    assert "  Stated, but not so: water is dry" in ran.out
