"""Results of each command, as cases."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gomboc.checker.core.phrases import counted
from gomboc.checker.gate.case import FAULT, GateCase
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED

Told = Mapping[str, Any]

CODES = {"holds": HOLDS, "violated": VIOLATED, "unreadable": USAGE, "unknown": UNKNOWN, "fault": FAULT}
THREE = ("conformance", "closure", "convergence")
AT_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d+): ")


def simulated(written: Told) -> Iterator[GateCase]:
    """A case for the recorded traces."""
    recorded = f"{counted(written['traces'], 'trace')}, {counted(written['steps'], 'step')}"
    yield GateCase("recorded", "", HOLDS if written["traces"] and written["steps"] else UNKNOWN, recorded)


def checked(written: Told) -> Iterator[GateCase]:
    """Each promise of a recorded trace; with `expect`, whether its verdict is as expected; or why it cannot be read."""
    trace = written["trace"]
    if "error" in written:
        yield GateCase(
            "read", trace, CODES[written["verdict"]], written["error"], *(place_in(written["error"]) or (trace,))
        )
        return
    if "expected" in written:
        yield GateCase("as expected", trace, CODES[written["verdict"]], written["differs"] or "it is as it says", trace)
        return
    if not written["members"]:
        yield GateCase("members", trace, UNKNOWN, "it has no member, so nothing is shown of any", trace)
    promises = {
        **{name: written[name] for name in THREE},
        **{promise["name"]: promise["verdict"] for promise in written["promises"]},
    }
    for name, verdict in promises.items():
        line = 1 + verdict.get("step", 0)
        yield GateCase(name, trace, CODES[verdict["type"]], _says(verdict), trace, line)


def protocols_of(stage: str, written: Told) -> Iterator[str]:
    """The protocols of an object that a stage's command wrote."""
    match stage:
        case "check":
            # With --expect, the judgement is nested in the comparison with the expected one.
            judgement = written.get("judgement", written)
            yield from [judgement["protocol"]] if "protocol" in judgement else []
        case "explore":
            yield written["model"]


def is_about(package: str, written: Told) -> bool:
    """Whether a lemma is about a protocol: tied to a function of the package with its specification."""
    return any(function.startswith(f"{package}.") for function in written["tied_to"])


def was_false(written: Told) -> bool:
    """Whether legitimacy was false in a trace that was judged: its run had to converge, or was violated."""
    judged = written.get("judgement", written)
    return bool(judged.get("rounds")) or any(judged.get(name, {}).get("type") == "violated" for name in THREE[1:])


def place_in(sentence: str) -> tuple[str, int] | tuple[()]:
    """The file and line at the beginning of a sentence, if it has them."""
    location = AT_LINE.match(sentence)
    return (location["file"], int(location["line"])) if location else ()


def replayed(written: Told, traces: int, least: int) -> Iterator[GateCase]:
    """Each kind of failure; coverage; conformance, closure and convergence for each size.

    There must be so many `traces`, if the number is known (else 0), and at `least` so many.
    """
    for failure in written.get("clusters", ()):
        yield _cluster(failure)
    for failure in () if written.get("clusters") else written["named"]:
        yield GateCase("trace", failure["trace"], _code_of(failure["why"]), failure["why"], failure["trace"])
    judged = sum(written["verdicts"].values())
    enough = judged >= max(least, 1) and traces in (0, judged)
    wanted = f" of {traces:,}" if traces else ""
    says = f"{counted(judged, 'trace')}{wanted} judged, and at least {max(least, 1):,} asked for"
    yield GateCase("traces", "all", HOLDS if enough else UNKNOWN, says)
    yield _covered(written.get("coverage"))
    if not any(line["members"] for line in written["lines"]):
        yield GateCase("members", "all", UNKNOWN, "no trace has a member, so nothing is shown of any")
    for line in written["lines"]:
        if line["members"] is not None:
            yield from (_counted(name, f"n = {line['members']}", line[name]) for name in THREE)


def _code_of(why: str) -> int:
    return VIOLATED if why.startswith("violated") else UNKNOWN


def _counted(name: str, chunk: str, numbers: Mapping[str, int]) -> GateCase:
    code = VIOLATED if numbers["violated"] else UNKNOWN if numbers["unknown"] or not numbers["holds"] else HOLDS
    words = (f"{number:,} {word}" for word, number in numbers.items() if number or word == "holds")
    return GateCase(name, chunk, code, ", ".join(words))


def _cluster(cluster: Told) -> GateCase:
    about = " ".join(filter(None, (cluster["rule"], cluster["conjunct"])))
    says = f"{counted(cluster['traces'], 'trace')}, first at step {cluster['step']} of {cluster['trace']}"
    sentence = ": ".join(filter(None, (says, cluster["says"] or "")))
    confirmed = cluster.get("confirmed") is not False
    sentence = (
        sentence if confirmed else f"{sentence}; the naive judge does not say the same of it: this is a fault of gomboc"
    )
    where = cluster["small"] or cluster["witness"] or "pyproject.toml"
    line = 1 + cluster["step"] if cluster["witness"] and not cluster["small"] else 1
    return GateCase("failure", about, VIOLATED if confirmed else FAULT, sentence, where, line)


def _covered(coverage: Told | None) -> GateCase:
    if coverage is None:
        return GateCase("coverage", "all", UNKNOWN, "what the traces cover is not known")
    missing = coverage["missing"]
    scope = "".join(f"; out of scope: {excluded}" for excluded in coverage["out_of_scope"])
    if missing:
        return GateCase("coverage", "all", UNKNOWN, f"not covered: {'; '.join(missing)}{scope}")
    return GateCase(
        "coverage", "all", HOLDS, f"{counted(len(coverage['rules']), 'rule')} fired, nothing is missing{scope}"
    )


def explored(written: Told) -> Iterator[GateCase]:
    """Each promise of a model."""
    for finding in written["findings"]:
        verdict, saved = finding["verdict"], finding["saved"]
        where = {"file": saved["path"]} if saved else {}
        yield GateCase(
            f"{finding['promise']}: {finding['of']}", written["name"], CODES[verdict["type"]], _says(verdict), **where
        )


def proved(written: Told) -> Iterator[GateCase]:
    """A lemma, with those of its statements that have another result than required."""
    said = [written["statement"], *written["contrasts"]]
    wrong = [
        statement
        for statement in said
        if statement["result"]["type"] != ("proved" if statement["holds"] else "refuted")
    ]
    says = (
        "; ".join(f"{statement['says']}: {statement['result']['type']}" for statement in wrong)
        or written["statement"]["says"]
    )
    yield GateCase("lemma", written["name"], CODES[written["verdict"]], says)


def settled(written: Told) -> Iterator[GateCase]:
    """Each claim of a paper."""
    for claim in written["claims"]:
        recorded = "" if claim["recorded"] == claim["found"] else f", and recorded as {claim['recorded']}"
        false = "".join(f"; stated, but not so: {fact}" for fact in claim["false"])
        as_recorded = not (recorded or false)
        says = f"{claim['title']}: {claim['found']}{recorded}{false}"
        yield GateCase("claim", claim["name"], HOLDS if as_recorded else VIOLATED, says)


def _says(verdict: Told) -> str:
    if verdict["type"] == "violated":
        node = f" at {verdict['node']}" if verdict.get("node") else ""
        source = f" [{verdict['source']}]" if verdict.get("source") else ""
        return f"violated at step {verdict['step']}{node}: {verdict['rule']}: {verdict['says']}{source}"
    return str(verdict.get("claim") or verdict.get("why"))


def failing(cases: Iterable[GateCase]) -> list[GateCase]:
    """The cases that do not hold."""
    return [case for case in cases if case.code != HOLDS]
