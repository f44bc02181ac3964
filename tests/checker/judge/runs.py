"""Runs of the toy of words with their verdicts, as `runs.txt` tells them below their claims.

A run is a list of steps: a node `rests`, `tells` its word in message 0 (`a tells 0`), `hears` that message, `obeys` a
word, or `drops` a message while it is asleep; another word than "good" comes last, and further keys of the step as
JSON, messages as [id, target, word]. It may begin `under` another protocol, `with` options, and `from` another start.
Indented below it are verdicts, with the differences of a violation, and rounds: until it is legitimate and after, or
after each step; or the faults at the start and after each step, and the messages that are lost in the end.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from json import JSONDecoder
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.judge.verdict import Holds, Judgement, Unknown, Violated
from gomboc.spec.core.protocol import Protocol
from tests.checker.judge.both import Line, faults_after_each_step, judged, rounds_after_each_step
from tests.checker.judge.protocols import ASLEEP, PROTOCOLS
from tests.toys.words.spec import header, hears, in_flight, obeys, rests, system_and_steps, tells

RUNS = Path(__file__).with_name("runs.txt")

VERBS: dict[str, Callable[..., Line]] = {
    "rests": rests,
    "tells": tells,
    "hears": hears,
    "obeys": obeys,
    "drops": lambda node, id_: rests(node, ASLEEP, took=id_),
}
ITEM = re.compile(r"(?:(\d+) times )?([^,{]*)")
ROUNDS, FAULTS, LOST, UNTIL = "rounds after each step", "faults after each step", "lost in the end", "rounds"


class Run(NamedTuple):
    """The lines of a run, and what is said of it."""

    protocol: Protocol
    options: Options
    lines: list[Line]
    says: list[str]

    def said(self) -> list[str]:
        """What the judges say of it, as far as something is said of it here."""
        names = [line.partition(": ")[0] for line in self.says if not line.startswith(" ")]
        if names == [ROUNDS]:
            return [_listed(ROUNDS, rounds_after_each_step(*self.lines, protocol=self.protocol))]
        if names[0] == FAULTS:
            system, steps = system_and_steps(*self.lines, protocol=self.protocol)
            counted = faults_after_each_step(self.protocol, system, steps)
            return [_listed(FAULTS, counted), _listed(LOST, sorted(system.lost))][: len(names)]
        judgement = judged(*self.lines, protocol=self.protocol, options=self.options)
        return [line for name in names for line in told(name, judgement)]


def runs() -> dict[str, list[Run]]:
    """The runs below each claim."""
    below: dict[str, list[Run]] = {}
    told_of: list[Run] = []
    for line in RUNS.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            told_of[-1].says.append(line[4:])
        elif line.startswith("  "):
            told_of.append(_run(line[2:]))
        elif line and not line.startswith("#"):
            told_of = below[line] = []
    return below


def _run(text: str) -> Run:
    under, _, rest = text.removeprefix("under ").partition(": ") if text.startswith("under ") else ("", "", text)
    options, head, steps = DEFAULT, header(), []
    for words, more in _items(rest):
        match words:
            case ["with"]:
                options = Options(**more)
            case ["from"]:
                head = header(**more)
            case [node, verb, *others]:
                steps.append(_step(node, verb, others, more))
    return Run(PROTOCOLS[under], options, [head, *steps], [])


def _items(text: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The words between commas, and the keys behind them; "9 times" before them repeats a step."""
    while text:
        item, more = ITEM.match(text), dict[str, Any]()
        assert item is not None, "it matches any text"
        text = text[item.end() :]
        if text.startswith("{"):
            more, end = JSONDecoder().raw_decode(text)
            text = text[end:]
        text = text.removeprefix(", ")
        yield from [(item[2].split(), more)] * int(item[1] or 1)


def _step(node: str, verb: str, words: list[str], more: dict[str, Any]) -> Line:
    sent = {"sent": in_flight(*more["sent"])} if "sent" in more else {}
    return VERBS[verb](node, *(int(word) if word.isdigit() else word for word in words), **more | sent)


def told(name: str, judgement: Judgement) -> list[str]:
    """The rounds of a judgement, or a verdict of it, in the words of `runs.txt`."""
    if name == UNTIL:
        return [f"{UNTIL}: {judgement.rounds}, {judgement.rounds_after} after"]
    match dict(judgement.verdicts())[name]:
        case Holds(says):
            return [f"{name}: holds: {says}"]
        case Unknown(says):
            return [f"{name}: unknown: {says}"]
        case Violated(step, rule, says, node, source, differences):
            at, of = f" at {node}" if node else "", f" [{source}]" if source else ""
            return [f"{name}: violated at step {step} by {rule}{at}{of}: {says}"] + [
                f"  {one.where}: {_json(one.expected)}, not {_json(one.found)}" for one in differences
            ]


def _listed(name: str, numbers: Iterable[int]) -> str:
    return f"{name}: {' '.join(map(str, numbers))}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
