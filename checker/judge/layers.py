"""Two layers that ran together: at each node, the upper one's commands are what the lower one delivered, in order.

Each trace is judged by itself besides. What the application asks of the upper layer is told apart by its kind.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import msgspec

from checker.errors import UsageError
from checker.judge.trace import Header, Step, open_trace
from checker.judge.verdict import Difference, Holds, Unknown, Verdict, Violated

RULE = "commanded_as_delivered"


def judge_layer_files(lower: Path, upper: Path, requests: Collection[str] = ()) -> Verdict:
    """The same of two files. Raises UsageError if they cannot be read, or do not name the same nodes."""
    with open_trace(lower) as below, open_trace(upper) as above:
        _require_same_nodes(lower, below.header, upper, above.header)
        return judge_layers(below.steps(), above.steps(), requests)


def judge_layers(lower: Iterable[Step], upper: Iterable[Step], requests: Collection[str] = ()) -> Verdict:
    """Whether each command of the upper layer was delivered by the lower one to its node, in order, and none left out.

    `requests` are the kinds of commands that come from the application. `step` of a violation is one of the upper
    trace; one beyond its last if something delivered was never commanded. Unknown if nothing was delivered.
    """
    delivered: dict[str, deque[Any]] = defaultdict(deque)
    for step in lower:
        delivered[step.node].extend(msgspec.to_builtins(each) for each in step.delivered)
    number, count = 0, 0
    for number, step in enumerate(upper, 1):
        if step.took == "timeout" or isinstance(step.took, int):
            continue
        command = msgspec.to_builtins(step.took)
        if isinstance(command, dict) and command.get("kind") in requests:
            continue
        expected = delivered[step.node].popleft() if delivered[step.node] else None
        if expected != command:
            return _violated(number, step.node, expected, command)
        count += 1
    for node in sorted(delivered):
        if delivered[node]:
            return _violated(number + 1, node, delivered[node][0], None)
    if not count:
        return Unknown("the lower layer delivered nothing, so nothing joins the two")
    return Holds(f"each of {count} commands is what the lower layer delivered, in order")


def _violated(step: int, node: str, expected: Any, found: Any) -> Violated:
    says = "the upper layer's command is not what the lower one delivered"
    if expected is None:
        says = "the upper layer took a command that the lower one did not deliver"
    elif found is None:
        says = "the lower layer delivered what the upper one was never commanded"
    return Violated(step, RULE, says, node, differences=(Difference("command", expected, found),))


def _require_same_nodes(lower: Path, below: Header, upper: Path, above: Header) -> None:
    strange = sorted(set(below.roles) ^ set(above.roles))
    if strange:
        raise UsageError(f"{lower} and {upper} are not of the same nodes: {strange[0]!r} is in one of them only.")
