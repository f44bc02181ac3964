"""Two layers, one trace each: deliveries of the lower layer at a node are commands of the upper one there, in order."""

from collections.abc import Container, Iterable
from typing import Any

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.conformance import as_written
from gomboc.checker.judge.exact import written_alike
from gomboc.checker.judge.verdict import Difference, Holds, Unknown, Verdict, Violated
from gomboc.checker.traces.trace import Step


def joined(lower: Iterable[Step], upper: Iterable[Step], others: Container[str] = ()) -> Verdict:
    """Whether, at each node, the upper layer's commands are the lower one's deliveries: all of them, in order.

    Commands of the kinds `others` are exempt: they come from the application, or are faults of a node.

    The step of a violation is one of the upper layer's trace; 0 stands for a delivery that never became a command.
    Without any delivery the verdict is unknown.
    """
    due: dict[str, list[Any]] = {}
    for step in lower:
        due.setdefault(step.node, []).extend(map(as_written, step.delivered))
    taken = dict.fromkeys(due, 0)
    for number, step in enumerate(upper, 1):
        if step.took == "timeout" or isinstance(step.took, int):
            continue
        position, command = taken.get(step.node, 0), as_written(step.took)
        if isinstance(command, dict) and command.get("kind") in others:
            continue
        expected = due.get(step.node, [])[position : position + 1]
        if not written_alike(expected, [command]):
            says = "a command is not what the lower layer delivers next"
            return _apart(number, says, step.node, expected[0] if expected else None, command)
        taken[step.node] = position + 1
    for node, position in sorted(taken.items()):
        if position < len(due[node]):
            return _apart(0, "what the lower layer delivers becomes no command", node, due[node][position], None)
    count = sum(taken.values())
    if not count:
        return Unknown("the lower layer delivers nothing, and the upper one takes no command, so nothing is joined")
    return Holds(f"all of {counted(count, 'command')} are deliveries of the lower layer, in order")


def _apart(number: int, says: str, node: str, expected: Any, actual: Any) -> Violated:
    return Violated(number, "layers_join", says, node, "", (Difference("command", expected, actual),))
