"""Findings as text for a terminal, and as a page for the authors of a paper."""

import re
from collections.abc import Iterator, Sequence
from textwrap import TextWrapper

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import counted
from gomboc.checker.errata.claim import Paper, Result
from gomboc.checker.errata.quotation import Basis, Quotation
from gomboc.checker.errata.settlement import Finding
from gomboc.checker.prove.registry import find_lemmas

WIDTH = 120
FIXED = "\N{NO-BREAK SPACE}"
LEADING = re.compile(r" (?=(?:[-+*=>#]|\d+[.)])(?: |$))")
"""A space before a sign that would begin a list or a heading at the beginning of a line."""

PARTS = (
    ("The paper", "says"),
    ("Its words", "quotes"),
    ("Related prose", "prose"),
    ("Statement examined", "examined"),
    ("Rules that ran", "ran"),
    ("Finding", "why"),
    ("Counterexample", "counterexample"),
    ("Searched below it", "searched"),
    ("Domain", "domain"),
    ("Readings", "readings"),
    ("Reading", "reading"),
    ("Object", "about"),
    ("Our decision", "instead"),
    ("Measured", "effect"),
)
"""The texts of a finding, in order, each with its heading."""
QUOTING = "quotes", "prose"
"""Those of the fields that hold quotations."""
PARAPHRASED = "In our words"
"""The heading of a text that is no quotation."""
EXAMINED = {
    Result.REPRODUCED: "A statement of ours in place of the paper's: it is true of everything that was looked at.",
    Result.REFUTED: "A statement of ours in place of the paper's: there is a counterexample to it.",
    Result.UNDECIDED: "A statement of ours in place of the paper's: nothing here settles it.",
}
"""The result of a statement that is not the paper's."""


def verdict(finding: Finding) -> str:
    """The result as text; with the recorded one, if that differs."""
    if finding.found is not finding.recorded:
        return f"{finding.found.value} (recorded as {finding.recorded.value})"
    return finding.found.value


def text_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """A line for each finding, and below it the details."""
    for finding in findings:
        yield f"{verdict(finding)}: {finding.name}: {finding.title} ({finding.source})"
        for heading, body in _details(finding):
            yield from _wrapped(f"{heading}: {body}", "  ", "    ")
    yield summary(findings)


def parts(finding: Finding) -> Iterator[tuple[str, str]]:
    """The headings and texts of a finding that has them. A counterexample is the smallest if a search is recorded."""
    for heading, field in PARTS:
        if field in QUOTING:
            yield from _quotations(heading, getattr(finding, field))
        elif getattr(finding, field):
            smallest = field == "counterexample" and finding.searched
            yield "Smallest counterexample" if smallest else heading, _text(finding, field)


def _quotations(heading: str, quotations: Sequence[Quotation]) -> Iterator[tuple[str, str]]:
    """Quotations of a paper, under that heading, and paraphrases, under one of their own."""
    for said, paraphrased in ((heading, False), (PARAPHRASED, True)):
        some = [each for each in quotations if (each.basis is Basis.PARAPHRASED) == paraphrased]
        if some:
            yield said, " ".join(f"{each}." for each in some)


def _text(finding: Finding, field: str) -> str:
    match field:
        case "readings":
            return " ".join(f"{reading.says} {_headline(reading.outcome.value)}." for reading in finding.readings)
        case "examined":
            return EXAMINED[finding.examined] if finding.examined else ""
    return str(getattr(finding, field))


def _bound_of(name: str) -> str:
    """The values for which z3 proves a lemma, in parentheses and after a space; empty if they are not known."""
    try:
        return next((f" ({lemma.ranges_over})" for lemma in find_lemmas() if lemma.name == name), "")
    except UsageError:
        return ""


def _headline(words: str) -> str:
    return words[0].upper() + words[1:]


def _details(finding: Finding) -> Iterator[tuple[str, str]]:
    """The headings and texts of a finding that has them, without markup."""
    yield from parts(finding)
    if finding.false:
        yield "Stated, but not so", "; ".join(finding.false)
    if finding.facts:
        yield "Also checked", "; ".join(finding.facts)
    if finding.lemmas:
        yield "By z3", "; ".join(f"gomboc prove {name}{_bound_of(name)}" for name in finding.lemmas)
    for trace in finding.traces:
        yield "Trace", f"{trace.command} (exit code {trace.exit_code}): {trace.shows}"
    yield "Reproduce", finding.reproduce


def summary(findings: Sequence[Finding]) -> str:
    """The number of claims by result."""
    counts = [(result.value, sum(finding.found is result for finding in findings)) for result in Result]
    differing = sum(not finding.as_recorded() for finding in findings)
    results = ", ".join(f"{count} {value}" for value, count in counts if count)
    recorded = f"{differing} not as recorded" if differing else "all as recorded"
    return f"{counted(len(findings), 'claim')}: {results}; {recorded}."


def markdown(paper: Paper, command: str, findings: Sequence[Finding]) -> str:
    """The whole page."""
    return "\n".join(_page(paper, command, findings)) + "\n"


def _page(paper: Paper, command: str, findings: Sequence[Finding]) -> Iterator[str]:
    yield f"# {paper.title}"
    yield ""
    for paragraph in filter(None, (paper.introduction, paper.notation)):
        yield from _wrapped(paragraph)
        yield ""
    yield from _wrapped(
        f"This page is written by `{command} --format markdown`; every figure on it is computed when it is written."
    )
    yield ""
    yield from _meanings()
    yield ""
    yield from _wrapped(summary(findings))
    yield ""
    yield "| claim | source | result |"
    yield "|---|---|---|"
    for finding in findings:
        link = f"[{finding.title}](#{finding.name})"
        yield f"| {link} | {finding.source} | {verdict(finding)} |"
    for finding in findings:
        yield ""
        yield from _section(finding)


def _meanings() -> Iterator[str]:
    meanings = {
        Result.REPRODUCED: "it is true of everything that was looked at, which the claim's text names.",
        Result.REFUTED: "there is a counterexample to the paper's statement. A refuted step of a proof can have a true "
        "conclusion.",
        Result.DEPENDS: "by one reading of the paper it is reproduced, by another one refuted; the readings that were "
        "tried stand with their outcomes.",
        Result.SILENT: "the paper does not say; here is our decision, and the reason.",
        Result.OURS: "a statement of ours, about the paper's rules or our own. Nothing is held against the paper.",
        Result.UNDECIDED: "nothing here settles it.",
    }
    for result in Result:
        yield from _wrapped(f"- **{result.value}**: {meanings[result]}", "", "  ")


def _section(finding: Finding) -> Iterator[str]:
    yield f'## <a id="{finding.name}"></a>{finding.title[0].upper()}{finding.title[1:]}'
    yield ""
    yield f"**{_headline(verdict(finding))}.** {finding.source}."
    for heading, text in parts(finding):
        yield ""
        yield from _wrapped(f"*{heading}.* {text}")
    yield ""
    yield from _sources(finding)


def _sources(finding: Finding) -> Iterator[str]:
    if finding.false:
        yield from _wrapped(f"- Stated above, but **not so**: {'; '.join(finding.false)}", "", "  ")
    if finding.facts:
        yield from _wrapped(f"- Also checked: {'; '.join(finding.facts)}", "", "  ")
    for name in finding.lemmas:
        yield from _wrapped(f"- By z3: `gomboc prove {name}`{_bound_of(name)}", "", "  ")
    for trace in finding.traces:
        line = f"- Trace: `{trace.command}` (exit code {trace.exit_code}): {trace.shows}"
        yield from _wrapped(line, "", "  ")
    yield f"- Reproduce: `{finding.reproduce}`"


def _wrapped(text: str, first: str = "", other: str = "") -> list[str]:
    wrapper = TextWrapper(WIDTH, first, other, break_long_words=False, break_on_hyphens=False)
    begun, rest = text[:2], text[2:]
    return [line.replace(FIXED, " ") for line in wrapper.wrap(begun + LEADING.sub(FIXED, rest))]
