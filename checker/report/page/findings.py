"""Results that other commands wrote as JSON, as tables: explore, prove, errata, check and replay."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.verdict import WORDS, Judgement
from gomboc.checker.report.page.section import Row, Section, table
from gomboc.checker.report.text import headline
from gomboc.checker.traces.trace_files import read_whole

Rows = list[Row]
Document = Mapping[str, Any]


def tables_of(path: Path) -> Iterator[tuple[str, Sequence[Document]]]:
    """The objects in a file by their format, in order of the formats."""
    documents = _documents(path)
    for kind in sorted({str(document.get("format", "a line without format")) for document in documents}):
        yield kind, [document for document in documents if document.get("format") == kind]


def table_of(kind: str, documents: Sequence[Document], path: Path) -> Section:
    """The table of the results of one command. Raises UsageError for a format without findings."""
    if kind not in TABLES:
        raise UsageError(f"{path}: {kind} contains no findings, so there is nothing to show.")
    head, rows = TABLES[kind]
    return table(f"{path}: {kind}", head, [row for document in documents for row in rows(document)])


def _documents(path: Path) -> Sequence[Document]:
    """The objects in a file: a single one, or one per line. Raises UsageError, with the line that is none."""
    text = read_whole(path)
    try:
        return [msgspec.json.decode(text, type=dict[str, Any])]
    except ValueError:
        lines = text.splitlines()
    documents: list[Document] = []
    for number, line in enumerate(lines, 1):
        try:
            documents.append(msgspec.json.decode(line, type=dict[str, Any]))
        except ValueError as error:
            raise UsageError(f"{path}: line {number} cannot be read ({error}); run the command again.") from error
    return documents


def _explored(model: Document) -> Rows:
    """The findings of a model. With --recorded, they are expected if none differs from the record."""
    about = f"{model['name']}: {model['about']}".removesuffix(": ")
    as_recorded = model.get("differing") == []
    rows = [
        Row(
            finding["verdict"]["type"],
            (about, finding["promise"], finding["of"], _says(finding["verdict"])),
            "holds" if as_recorded else finding["verdict"]["type"],
        )
        for finding in model["findings"]
    ]
    if model.get("differing"):
        rows.append(Row("violated", (about, "as recorded", "", "; ".join(model["differing"])), "violated"))
    return rows


def _says(verdict: Document) -> str:
    return str(verdict.get("claim") or verdict.get("why") or verdict.get("says") or "")


def _proved(lemma: Document) -> Rows:
    """A lemma and its negative controls, each with the result that it must have."""
    return [
        Row(said["result"]["type"], (lemma["name"], said["says"], lemma["ranges_over"], lemma["source"]), _held(said))
        for said in (lemma["statement"], *lemma["contrasts"])
    ]


def _held(said: Document) -> str:
    result = said["result"]["type"]
    if result == ("proved" if said["holds"] else "refuted"):
        return "holds"
    return "violated" if result in ("proved", "refuted") else "unknown"


def _settled(errata: Document) -> Rows:
    return [_claim(claim) for claim in errata["claims"]]


def _claim(claim: Document) -> Row:
    """A claim with its readings and, where the paper is silent, the outcome of our statement."""
    outcomes = [(reading["outcome"], reading["says"]) for reading in claim.get("readings", ())]
    if claim.get("examined"):
        outcomes.append((claim["examined"], "our statement, which was examined instead"))
    otherwise = [f"recorded as {claim['recorded']}"] if claim["recorded"] != claim["found"] else []
    otherwise += [f"stated, but not so: {fact}" for fact in claim["false"]]
    why = "; ".join([*otherwise, claim["why"]])
    cells = claim["source"], claim["title"], outcomes, why, claim["counterexample"]
    return Row(claim["found"], cells, "violated" if otherwise else "holds")


def _checked(document: Document) -> Rows:
    """A judgement; with --expect, whether it is the expected one; of a run of a stack, one for each trace."""
    if "layers" in document:
        joined = document["layers"]["verdict"]
        verdict = {"holds": "holds", "violated": "violated"}.get(joined["type"], "unknown")
        apart = Row(verdict, (f"{document['run']}, joined", _says(joined), "", ""), verdict)
        alone = ({"verdict": _verdict(one), **one} for one in document["traces"].values())
        return [apart, *(row for one in alone for row in _checked(one))]
    if "judgement" in document:
        return [_expected(document)]
    if "conformance" not in document:
        return [Row(document["verdict"], (document["trace"], document.get("error", ""), "", ""), document["verdict"])]
    says = [_says(document[name]) for name in ("conformance", "closure", "convergence")]
    return [Row(document["verdict"], (document["trace"], *says), document["verdict"])]


def _verdict(judgement: Document) -> str:
    """The verdict on one trace of a stack, which has no line of its own."""
    return WORDS[msgspec.convert(judgement, Judgement).exit_code()]


def _expected(document: Document) -> Row:
    judgement = msgspec.convert(document["judgement"], Judgement)
    verdict = headline(judgement).partition(" ")[0]
    differs = f"not as expected: {document['differs']}" if document["differs"] else "as expected"
    cells = document["trace"], f"{headline(judgement)}; {differs}", "", ""
    return Row(verdict, cells, document["verdict"])


TABLES: Mapping[str, tuple[Sequence[str], Callable[[Document], Rows]]] = {
    "gomboc-explore": (("verdict", "model", "promise", "of", "says"), _explored),
    "gomboc-prove": (("result", "lemma", "statement", "ranges over", "source"), _proved),
    "gomboc-errata": (("result", "source", "claim", "readings", "why", "counterexample"), _settled),
    "gomboc-check": (("verdict", "trace", "conformance", "closure", "convergence"), _checked),
}
"""For each format, the heads of its columns, and its rows."""
