"""Quotations: found in an extracted text in spite of its changes, and missed if a word is another one."""

import pytest

from gomboc.checker.errata.quotation import Basis, Quotation, essence, missing, paraphrase

TEXT = """A *recov-

ering* node is “able” to identify nodes within distance δ + 1, i.e., $d(N, M) \\leq \\delta + 1$.
The ﬁnal destination of $m$ is $\\Gamma_N^m - \\{N\\}$; $st.status \\leftarrow Op_N^R // T(st)$.
"""


@pytest.mark.parametrize(
    "words",
    [
        'A recovering node is "able" to identify nodes within distance delta + 1',
        "d(N, M) <= delta + 1",
        "The final destination of m is Gamma_N^m - {N}",
        "st.status <- Op_N^R",
        "A recovering node [...] within distance delta + 1",
    ],
)
def test_words_that_stand_in_the_text_are_found(words):
    assert missing((Quotation("Section 1", words),), TEXT) == ()


@pytest.mark.parametrize(
    "words",
    [
        "A recovered node is able to identify nodes",
        "d(N, M) < delta + 1",
        "Gamma_N^m {N}",
        "st.status <- Op_R^N",
        "within distance delta + 1 [...] A recovering node",
        "",
        "[...]",
    ],
)
def test_words_that_do_not_stand_in_the_text_are_missing(words):
    quotation = Quotation("Section 1", words)
    assert missing((quotation,), TEXT) == (quotation,)


def test_a_paraphrase_and_another_source_are_not_looked_for():
    elsewhere = Quotation("Zave 2012", "Never seen.", Basis.ELSEWHERE)
    assert missing((elsewhere, paraphrase("Zave 2012", "Never seen.")), TEXT) == ()


def test_a_quotation_says_where_it_is_from_and_whether_it_was_checked():
    assert str(Quotation("Section 1", "It is.")) == '"It is." (Section 1)'
    assert str(paraphrase("Zave 2012", "It is.")) == "It is. (Zave 2012; paraphrased from a source that is not at hand)"
    assert str(Quotation("Zave 2012", "It is.", Basis.ELSEWHERE)) == (
        '"It is." (Zave 2012; quoted from a source that cannot be checked here)'
    )


def test_a_minus_between_formulas_is_not_a_hyphen():
    assert essence("n - k") != essence("n k")
    assert essence("non-\n\nfaulty") == essence("nonfaulty")
