"""The texts of the claims: figures are computed, and quotations stand in quotation marks."""

import re

import pytest

from gomboc.checker.errata.registry import find_claims

FIELDS = ("why", "effect", "reading", "counterexample", "instead")
PLACEHOLDER = re.compile(r"\{[^}]*\}")
CITED = re.compile(
    r"(?:[Ll]ines?|Sections?|Lemmas?|Theorems?|Claims?|Corollary|Algorithms?|Definitions?|Figure|Chapter)"
    r" \d[\d.]*(?: \([iv]+\))?(?:(?:,| to| and|-|, and) ?(?:lines? )?\d[\d.]*)*"
)
NAMES = re.compile(
    r"\b(?:lemma|theorem|section|algorithm|corollary|claim)_\w+|\b[01]{2,}\b|pi\^2 / 12|\bn = 16\b|\bSR\(16\)"
)
MEASURED = re.compile(r"(?<![\w^])\d[\d,]*\d(?:\.\d+)?")


@pytest.mark.parametrize("claim", find_claims("skip_ring"), ids=lambda claim: claim.name)
def test_no_figure_of_two_digits_is_typed_by_hand(claim):
    """One digit may be a label, a power or a small n; citations, bit strings and SR(16), that of Figure 1, are none."""
    for field in FIELDS:
        words = getattr(claim, field) or ""
        for form in (PLACEHOLDER, CITED, NAMES):
            words = form.sub("", words)
        assert MEASURED.findall(words) == [], field
