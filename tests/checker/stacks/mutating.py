"""Ways to make hand-overs of a run wrong: each changes one of them, chosen by chance, before the last turns."""

from collections.abc import Callable
from random import Random

from tests.checker.stacks.runs import Run, Step
from tests.copying import copied

LAST = 20
"""Lines at the end of each trace that are not changed: there the recording may have ended in the midst of a turn."""

UPPER = "followers/news", "followers/sport"
HANDED = "Routed", "StillRouted"


def is_handed(step: Step) -> bool:
    """Whether a step takes a command that the ring hands over."""
    return isinstance(step["took"], dict) and step["took"]["kind"] in HANDED


def places(lines: list[Step]) -> list[int]:
    """The lines of a trace of followers with commands that are handed over."""
    return [number for number, line in enumerate(lines) if number and is_handed(line)][:-LAST]


def another(line: Step, step: Step) -> str:
    """Another node than the next hop of a command."""
    return next(name for name in line["roles"] if name != step["took"]["next"])


def forge(lines: list[Step], at: int) -> None:
    """A command that no layer has handed over."""
    forged = copied(lines[at])
    forged["took"]["next"] = another(lines[0], forged)
    lines.insert(at + 1, forged)


def alter(lines: list[Step], at: int) -> None:
    """A command with another next hop than the delivery has."""
    lines[at]["took"]["next"] = another(lines[0], lines[at])


def drop(lines: list[Step], at: int) -> None:
    """A delivery that becomes no command."""
    del lines[at]


def double(lines: list[Step], at: int) -> None:
    """A command that is taken twice."""
    lines.insert(at, copied(lines[at]))


def delay(lines: list[Step], at: int) -> None:
    """A command that is taken only after the node's next own step, and before its next command."""
    node = lines[at]["node"]
    own = [number for number in range(at + 1, len(lines)) if lines[number]["node"] == node]
    after = next(number for number in own if not is_handed(lines[number]))
    late = {**lines.pop(at), "at": lines[after - 1]["at"]}
    lines.insert(after, late)


def reorder(lines: list[Step], at: int) -> None:
    """Two commands of one node change places."""
    own = (number for number in places(lines) if lines[number]["node"] == lines[at]["node"] and number > at)
    other = next(number for number in own if lines[number]["took"] != lines[at]["took"])
    lines[at]["took"], lines[other]["took"] = lines[other]["took"], lines[at]["took"]


KINDS: dict[str, Callable[[list[Step], int], None]] = {
    "forged": forge,
    "altered": alter,
    "dropped": drop,
    "doubled": double,
    "delayed": delay,
    "reordered": reorder,
}


def mutated(run: Run, kind: str, seed: int) -> Run:
    """The run with one wrong hand-over of that kind."""
    random = Random(f"{kind}/{seed}")
    while True:
        name = random.choice(UPPER)
        lines = copied(run[name])
        try:
            KINDS[kind](lines, random.choice(places(lines)))
        except StopIteration:
            continue
        return {**run, name: lines}


def crash_missing(run: Run, name: str) -> Run:
    """The run in which no node crashes in that trace, and a crashed node takes no step there."""
    crashed = {line["node"] for line in run[name][1:] if line["took"] == {"kind": "Crash"}}
    assert crashed, "some node crashes"
    lines = [line for line in run[name] if line.get("took") != {"kind": "Crash"}]
    return {**run, name: lines}


def begun_crashed(run: Run, name: str) -> Run:
    """The run in which a node that crashes later begins crashed in that trace; nothing else is changed."""
    crash = next(line for line in run[name][1:] if line["took"] == {"kind": "Crash"})
    changed = copied(run)
    changed[name][0]["states"][crash["node"]] = crash["state"]
    return changed
