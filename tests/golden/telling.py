"""Sources of golden traces: stories, which are honest runs, and lies, each of which is told in one."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden.alterations import Alteration
from tests.golden.drive import Trace, simulated, simulated_on

COMMAND = "python -m tests.golden.make"


class HonestRun(NamedTuple):
    """An honest run: its start, the seed of the rest, the commands, and whether the specification runs it."""

    start: dict[str, Any]
    seed: int
    commands: tuple[PlannedCommand, ...] = ()
    from_spec: bool = False


class Negative(NamedTuple):
    """One lie told in an honest run: its story, the rule that it breaks, and the seed of the steps after it, if any."""

    says: str | None
    rule: str
    run: HonestRun
    told: Alteration
    seed: int | None = None


def negatives_of(
    protocol: str, alterations: Mapping[str, Alteration], runs: Mapping[str, HonestRun]
) -> dict[str, Negative]:
    """The lies that `negatives.toml` of a protocol tells of, each with its alteration and its run, by name."""
    rows = tomllib.loads((Path(__file__).parent / protocol / "negatives.toml").read_text(encoding="utf-8"))
    assert rows.keys() == alterations.keys(), sorted(rows.keys() ^ alterations.keys())
    return {
        name: Negative(row["says"], row["rule"], runs[row["run"]], alterations[name], row.get("seed"))
        for name, row in rows.items()
    }


def starts_of(protocol: str) -> dict[str, dict[str, Any]]:
    """Where golden traces begin, by name, as `starts.jsonl` of a protocol has them: headers still without `origin`."""
    lines = (Path(__file__).parent / protocol / "starts.jsonl").read_bytes().splitlines()
    return {row["name"]: row["start"] for row in map(msgspec.json.decode, lines)}


class TimeoutCase(NamedTuple):
    """A run that is not right after as many rounds as its header allows, though nothing else is wrong with it."""

    says: str
    start: dict[str, Any]
    rounds: int
    commands: tuple[PlannedCommand, ...] = ()
    seed: int = 1


def honest(story: HonestRun) -> Trace:
    """The trace of a story."""
    return _recorded(msgspec.json.encode(story))


@cache
def _recorded(story: bytes) -> Trace:
    decoded = msgspec.json.decode(story, type=HonestRun)
    return simulated(decoded.start, decoded.seed, commands=decoded.commands, from_spec=decoded.from_spec)


def bad(lie: Negative) -> Trace:
    """The trace of a lie: honest as far as it, and after it."""
    before = honest(lie.run)
    trace_of_lie = lie.told(before)
    step = next(number for number, line in enumerate(trace_of_lie) if number == len(before) or line != before[number])
    trace = trace_of_lie if lie.seed is None else simulated_on(trace_of_lie, lie.seed)
    return expecting(trace, lie.says, verdict="violated", step=step, rule=lie.rule)


def slower_than_its_bound(haste: TimeoutCase) -> Trace:
    """The trace of a run in haste."""
    trace = simulated(haste.start, haste.seed, rounds=haste.rounds, commands=haste.commands)
    trace[0]["bound"] = haste.rounds
    return expecting(trace, haste.says, verdict="violated", step=len(trace) - 1, rule="convergence")


def told(
    stories: Mapping[str, HonestRun], lies: Mapping[str, Negative], haste: TimeoutCase | None = None
) -> Iterator[tuple[str, bytes]]:
    """The name and the contents of the golden traces that these make."""
    for name, story in stories.items():
        yield f"{name}.ok.jsonl", written(expecting(honest(story), verdict="holds"))
    for name, lie in lies.items():
        yield f"{name}.bad.jsonl", written(bad(lie))
    if haste:
        yield f"{slower_than_its_bound.__name__}.bad.jsonl", written(slower_than_its_bound(haste))


def expecting(trace: Trace, story: str | None = None, **expected: Any) -> Trace:
    """The trace with the verdict that the judge must give, and its origin."""
    first = dict(trace[0])
    origin = {**first.pop("origin"), "command": COMMAND} | ({"story": story} if story else {})
    return [{**first, "origin": origin, "expect": expected}, *trace[1:]]


def written(trace: Trace) -> bytes:
    """The trace as its file has it."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in trace)
