"""Results of each command, as cases."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gomboc.checker.gate.case import FAULT, Case
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED
from gomboc.checker.words import counted

Told = Mapping[str, Any]

CODES = {"holds": HOLDS, "violated": VIOLATED, "unreadable": USAGE, "unknown": UNKNOWN, "fault": FAULT}
THREE = ("conformance", "closure", "convergence")
SPECIFICATIONS = "gomboc.spec."
AT_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d+): ")


def simulated(told: Told) -> Iterator[Case]:
    """A case for the recorded traces."""
    recorded = f"{counted(told['traces'], 'trace')}, {counted(told['steps'], 'step')}"
    yield Case("recorded", "", HOLDS if told["traces"] and told["steps"] else UNKNOWN, recorded)


def checked(told: Told) -> Iterator[Case]:
    """Each promise of a recorded trace; with `expect`, whether its verdict is as expected; or why it cannot be read."""
    trace = told["trace"]
    if "error" in told:
        yield Case("read", trace, CODES[told["verdict"]], told["error"], *(place_in(told["error"]) or (trace,)))
        return
    if "expected" in told:
        yield Case("as expected", trace, CODES[told["verdict"]], told["differs"] or "it is as it says", trace)
        return
    if not told["members"]:
        yield Case("members", trace, UNKNOWN, "it has no member, so nothing is shown of any", trace)
    promises = {**{name: told[name] for name in THREE}, **{each["name"]: each["verdict"] for each in told["promises"]}}
    for name, verdict in promises.items():
        line = 1 + verdict.get("step", 0)
        yield Case(name, trace, CODES[verdict["type"]], _says(verdict), trace, line)


def protocols_of(leg: str, told: Told) -> Iterator[str]:
    """The protocols of an object that a leg's command wrote."""
    match leg:
        case "check":
            # With --expect, the judgement is nested in the comparison with the expected one.
            judgement = told.get("judgement", told)
            yield from [judgement["protocol"]] if "protocol" in judgement else []
        case "explore":
            yield told["model"]
        case "prove":
            yield from {name.split(".")[2] for name in told["tied_to"] if name.startswith(SPECIFICATIONS)}


def was_false(told: Told) -> bool:
    """Whether legitimacy was false in a trace that was judged: its run had to converge, or was violated."""
    judged = told.get("judgement", told)
    return bool(judged.get("rounds")) or any(judged.get(name, {}).get("type") == "violated" for name in THREE[1:])


def place_in(sentence: str) -> tuple[str, int] | tuple[()]:
    """The file and line at the beginning of a sentence, if it has them."""
    place = AT_LINE.match(sentence)
    return (place["file"], int(place["line"])) if place else ()


def replayed(told: Told, traces: int, least: int) -> Iterator[Case]:
    """Each kind of failure; coverage; conformance, closure and convergence for each size.

    There must be so many `traces`, if the number is known (else 0), and at `least` so many.
    """
    for each in told.get("clusters", ()):
        yield _cluster(each)
    for each in () if told.get("clusters") else told["named"]:
        yield Case("trace", each["trace"], _code_of(each["why"]), each["why"], each["trace"])
    judged = sum(told["verdicts"].values())
    enough = judged >= max(least, 1) and traces in (0, judged)
    wanted = f" of {traces:,}" if traces else ""
    says = f"{counted(judged, 'trace')}{wanted} judged, and at least {max(least, 1):,} asked for"
    yield Case("traces", "all", HOLDS if enough else UNKNOWN, says)
    yield _covered(told.get("coverage"))
    if not any(line["members"] for line in told["lines"]):
        yield Case("members", "all", UNKNOWN, "no trace has a member, so nothing is shown of any")
    for line in told["lines"]:
        if line["members"] is not None:
            yield from (_counted(name, f"n = {line['members']}", line[name]) for name in THREE)


def _code_of(why: str) -> int:
    return VIOLATED if why.startswith("violated") else UNKNOWN


def _counted(name: str, chunk: str, found: Mapping[str, int]) -> Case:
    code = VIOLATED if found["violated"] else UNKNOWN if found["unknown"] or not found["holds"] else HOLDS
    words = (f"{number:,} {word}" for word, number in found.items() if number or word == "holds")
    return Case(name, chunk, code, ", ".join(words))


def _cluster(cluster: Told) -> Case:
    about = " ".join(filter(None, (cluster["rule"], cluster["conjunct"])))
    says = f"{counted(cluster['traces'], 'trace')}, first at step {cluster['step']} of {cluster['trace']}"
    told = ": ".join(filter(None, (says, cluster["says"] or "")))
    confirmed = cluster.get("confirmed") is not False
    told = told if confirmed else f"{told}; the naive judge does not say the same of it: this is a fault of gomboc"
    where = cluster["small"] or cluster["witness"] or "pyproject.toml"
    line = 1 + cluster["step"] if cluster["witness"] and not cluster["small"] else 1
    return Case("failure", about, VIOLATED if confirmed else FAULT, told, where, line)


def _covered(coverage: Told | None) -> Case:
    if coverage is None:
        return Case("coverage", "all", UNKNOWN, "what the traces cover is not known")
    missing = coverage["missing"]
    scope = "".join(f"; out of scope: {each}" for each in coverage["out_of_scope"])
    if missing:
        return Case("coverage", "all", UNKNOWN, f"not covered: {'; '.join(missing)}{scope}")
    return Case("coverage", "all", HOLDS, f"{counted(len(coverage['rules']), 'rule')} fired, nothing is missing{scope}")


def explored(told: Told) -> Iterator[Case]:
    """Each promise of a model."""
    for each in told["findings"]:
        verdict, saved = each["verdict"], each["saved"]
        where = {"file": saved["path"]} if saved else {}
        yield Case(f"{each['promise']}: {each['of']}", told["name"], CODES[verdict["type"]], _says(verdict), **where)


def proved(told: Told) -> Iterator[Case]:
    """A lemma, with those of its statements that have another result than required."""
    said = [told["statement"], *told["contrasts"]]
    wrong = [each for each in said if each["result"]["type"] != ("proved" if each["holds"] else "refuted")]
    says = "; ".join(f"{each['says']}: {each['result']['type']}" for each in wrong) or told["statement"]["says"]
    yield Case("lemma", told["name"], CODES[told["verdict"]], says)


def settled(told: Told) -> Iterator[Case]:
    """Each claim of a paper."""
    for each in told["claims"]:
        recorded = "" if each["recorded"] == each["found"] else f", and recorded as {each['recorded']}"
        false = "".join(f"; stated, but not so: {fact}" for fact in each["false"])
        as_recorded = not (recorded or false)
        says = f"{each['title']}: {each['found']}{recorded}{false}"
        yield Case("claim", each["name"], HOLDS if as_recorded else VIOLATED, says)


def _says(verdict: Told) -> str:
    if verdict["type"] == "violated":
        node = f" at {verdict['node']}" if verdict.get("node") else ""
        source = f" [{verdict['source']}]" if verdict.get("source") else ""
        return f"violated at step {verdict['step']}{node}: {verdict['rule']}: {verdict['says']}{source}"
    return str(verdict.get("claim") or verdict.get("why"))


def failing(cases: Iterable[Case]) -> list[Case]:
    """The cases that do not hold."""
    return [case for case in cases if case.code != HOLDS]
