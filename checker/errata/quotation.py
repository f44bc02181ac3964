"""Quotations from a paper, and the check that they occur in its text."""

import re
from collections.abc import Iterable
from enum import Enum
from unicodedata import normalize

import msgspec


class Basis(Enum):
    """The origin of a quotation."""

    QUOTED = "quoted"
    """From the text of the paper, letter by letter; `missing` finds it there."""
    ELSEWHERE = "quoted from a source that cannot be checked here"
    """From another publication, without its text at hand."""
    PARAPHRASED = "paraphrased from a source that is not at hand"
    """The meaning of a sentence or figure in our words; not to be taken for a quotation."""


class Quotation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of a paper: its place, and its words. `[...]` stands for words that are left out."""

    place: str
    words: str
    basis: Basis = Basis.QUOTED

    def __str__(self) -> str:
        if self.basis is Basis.QUOTED:
            return f'"{self.words}" ({self.place})'
        words = self.words if self.basis is Basis.PARAPHRASED else f'"{self.words}"'
        return f"{words} ({self.place}; {self.basis.value})"


def paraphrase(position: str, words: str) -> Quotation:
    """The meaning of a sentence or figure in our words."""
    return Quotation(position, words, Basis.PARAPHRASED)


SIGNS = {
    r"\\(text|mathcal|overleft(right)?arrow)(?![a-z])": "",
    r"\\notin(?![a-z])|∉": " not in ",
    r"\\in(?![a-z])|∈": " in ",
    r"\\leftarrow(?![a-z])|←": " <- ",
    r"\\Leftrightarrow(?![a-z])|⇔": " <=> ",
    r"\\leq?(?![a-z])|≤": "<=",
    r"\\geq?(?![a-z])|≥": ">=",
    r"\\neq?(?![a-z])|≠": "!=",
    r"\\cup(?![a-z])|∪": " + ",
    r"\\setminus(?![a-z])|∖": " - ",
    r"\\mid(?![a-z])|∣": "|",
    r"\\wedge(?![a-z])|∧": " and ",
    r"\\(bot|perp)(?![a-z])|⊥": "bottom",
    r"\\exists(?![a-z])|∃": "exists ",
    r"\\langle(?![a-z])|⟨": "<",
    r"\\rangle(?![a-z])|⟩": ">",
    r"\\lceil(?![a-z])|⌈": "ceil(",
    r"\\rceil(?![a-z])|⌉": ")",
    r"\\[lc]?dots(?![a-z])|…": "...",
    r"\\cdot(?![a-z])|·": " x ",
    r"\\circ(?![a-z])|∘": " o ",
    r"\\delta(?![a-z])|δ": "delta",
    r"\\alpha(?![a-z])|α": "alpha",
    r"\\Gamma(?![a-z])|Γ": "Gamma",
    r"\\Phi(?![a-z])|Φ": "Phi",
    "ρ": "rho",
    "σ": "sigma",
    "[−–]": "-",
    "[“”]": '"',
    "[‘’]": "'",
}
"""Signs of formulas, by how a quotation writes them in plain text."""
HYPHENS = re.compile(r"(?<=[A-Za-z])[-\N{HYPHEN}](?=[A-Za-z]{2})")
TYPOGRAPHY = re.compile(r"[\s$*_{}^\\`'\"]")
"""Blanks, quotation marks and marks of typesetting, in which an extracted text differs from the print."""
LEFT_OUT = "[...]"


def spelled(text: str) -> str:
    """A text with the signs of its formulas spelled out."""
    text = normalize("NFKC", text)
    for sign, plain in SIGNS.items():
        text = re.sub(sign, plain, text)
    return text


def essence(text: str) -> str:
    """A text without the changes of extraction: blanks, hyphenation, ligatures, typesetting."""
    return HYPHENS.sub("", TYPOGRAPHY.sub("", spelled(text)))


def stands_in(words: str, text: str) -> bool:
    """Whether the words occur in a text, given as its `essence`; parts around `[...]` in this order."""
    parts = [essence(part) for part in words.split(LEFT_OUT)]
    at = 0
    for part in parts:
        position = text.find(part, at)
        if position < 0:
            return False
        at = position + len(part)
    return any(parts)


def missing(quotations: Iterable[Quotation], text: str) -> tuple[Quotation, ...]:
    """The quotations that are marked as from the text of the paper, but do not occur in it."""
    plain = essence(text)
    return tuple(
        quotation
        for quotation in quotations
        if quotation.basis is Basis.QUOTED and not stands_in(quotation.words, plain)
    )
