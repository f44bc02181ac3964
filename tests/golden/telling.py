"""Sources of golden traces: stories, which are honest runs, and lies, each of which is told in one."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gomboc.checker.simulate.plan import PlannedCommand
from tests.golden import alterations
from tests.golden.alterations import Alteration
from tests.golden.drive import State, Trace, simulated, simulated_on

HERE = Path(__file__).parent
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


class Lie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lie as `negatives.toml` has it. Its step is the first that takes that kind, and what is said of it is true.

    It changes what the last five fields say, in this order: `as_before` and `unsent` without names mean all.
    """

    says: str
    rule: str
    run: str
    seed: int | None = None
    takes: str = ""
    node: str = ""
    before: dict[str, Any] = {}
    sends: str = ""
    changes: str = ""
    unsent: tuple[str, ...] | None = None
    as_before: tuple[str, ...] | None = None
    state: dict[str, Any] = {}
    worded: dict[str, Any] = {}
    undelivered: bool = False

    def fits(self, step: alterations.Step, before: State) -> bool:
        """Whether all that is said of a step is true."""
        return (
            self.node in ("", step["node"])
            and before | self.before == before
            and (not self.sends or alterations.sends(self.sends)(step, before))
            and (not self.changes or alterations.changes(self.changes)(step, before))
        )

    def told(self) -> Alteration:
        """The alteration of a run."""
        changes = [alterations.state(**self.state)]
        if self.as_before is not None:
            changes.insert(0, alterations.as_before(*self.as_before))
        if self.unsent is not None:
            changes.append(alterations.unsent(*self.unsent))
        if self.worded:
            changes.append(alterations.worded(**self.worded))
        if self.undelivered:
            changes.append(alterations.undelivered)
        return alterations.at(alterations.took(self.takes, self.fits), *changes)


def negatives_of(
    protocol: str, altered: Mapping[str, Alteration], runs: Mapping[str, HonestRun]
) -> dict[str, Negative]:
    """The lies that `negatives.toml` of a protocol tells of, by name; `altered` has those that no fields say."""
    rows = msgspec.toml.decode((HERE / protocol / "negatives.toml").read_bytes(), type=dict[str, Lie])
    assert altered.keys() == {name for name, row in rows.items() if not row.takes}
    return {
        name: Negative(row.says, row.rule, runs[row.run], altered.get(name) or row.told(), row.seed)
        for name, row in rows.items()
    }


def starts_of(protocol: str) -> dict[str, dict[str, Any]]:
    """Where golden traces begin, by name, as `starts.jsonl` of a protocol has them: headers still without `origin`."""
    lines = (HERE / protocol / "starts.jsonl").read_bytes().splitlines()
    return {row["name"]: row["start"] for row in map(msgspec.json.decode, lines)}


class TimeoutCase(NamedTuple):
    """A run that is not right after as many rounds as its header allows, though nothing else is wrong with it."""

    says: str
    run: HonestRun
    rounds: int


class Story(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run as `stories.toml` has it: the name of its start, and each command as its time, node, kind and fields.

    Its parameters are those of the start and these. It is a golden trace unless lies alone are told in it, or it takes
    more than so many `rounds`.
    """

    start: str
    seed: int
    parameters: dict[str, Any] = {}
    commands: tuple[list[Any], ...] = ()
    from_spec: bool = False
    golden: bool = True
    says: str = ""
    rounds: int = 0

    def run(self, starts: Mapping[str, Any]) -> HonestRun:
        """The run from the start of that name."""
        start = starts[self.start]
        start = {**start, "parameters": {**start["parameters"], **self.parameters}}
        return HonestRun(start, self.seed, tuple(PlannedCommand(*each) for each in self.commands), self.from_spec)


class Stories(NamedTuple):
    """The runs of a protocol by name, and which are golden; and one that is slower than its bound, if there is any."""

    runs: dict[str, HonestRun]
    golden: tuple[str, ...]
    haste: TimeoutCase | None


def stories_of(protocol: str, starts: Mapping[str, Any]) -> Stories:
    """The runs that `stories.toml` of a protocol tells of, from starts by their names."""
    rows = msgspec.toml.decode((HERE / protocol / "stories.toml").read_bytes(), type=dict[str, Story])
    runs = {name: row.run(starts) for name, row in rows.items()}
    hasty = next((TimeoutCase(row.says, runs[name], row.rounds) for name, row in rows.items() if row.rounds), None)
    return Stories(runs, tuple(name for name, row in rows.items() if row.golden and not row.rounds), hasty)


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
    trace = simulated(haste.run.start, haste.run.seed, rounds=haste.rounds, commands=haste.run.commands)
    trace[0]["bound"] = haste.rounds
    return expecting(trace, haste.says, verdict="violated", step=len(trace) - 1, rule="convergence")


def told(stories: Stories, lies: Mapping[str, Negative]) -> Iterator[tuple[str, bytes]]:
    """The name and the contents of the golden traces that these make."""
    for name in stories.golden:
        yield f"{name}.ok.jsonl", written(expecting(honest(stories.runs[name]), verdict="holds"))
    for name, lie in lies.items():
        yield f"{name}.bad.jsonl", written(bad(lie))
    if stories.haste:
        yield f"{slower_than_its_bound.__name__}.bad.jsonl", written(slower_than_its_bound(stories.haste))


def expecting(trace: Trace, story: str | None = None, **expected: Any) -> Trace:
    """The trace with the verdict that the judge must give, and its origin."""
    first = dict(trace[0])
    origin = {**first.pop("origin"), "command": COMMAND} | ({"story": story} if story else {})
    return [{**first, "origin": origin, "expect": expected}, *trace[1:]]


def written(trace: Trace) -> bytes:
    """The trace as its file has it."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in trace)
