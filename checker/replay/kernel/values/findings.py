"""What can be said of a value or of a local step: findings, and what right steps do. Needs nothing heavy."""

from typing import Any

import msgspec

from gomboc.checker.judge.verdict import Violated

UNDECIDED = "undecided"
"""The rule of what could not be judged: the trace in which it occurs is judged naively."""

ANEW = "names anew"
"""What is said of a right step that names somebody whom nothing before it named: is that node in each of its traces?"""


class LocalFinding(msgspec.Struct, frozen=True, array_like=True):
    """What is wrong with a value or a local step: the rule, and which conjunct of it is false."""

    rule: str
    conjunct: str = ""


class PackFindings(msgspec.Struct, frozen=True):
    """What is wrong with the states, contents and steps of one pack, by number; what is not named is right.

    A step that is right is named if it is one of those that name somebody anew.
    """

    states: dict[int, LocalFinding] = {}
    messages: dict[int, LocalFinding] = {}
    steps: dict[int, LocalFinding] = {}


class Fired(msgspec.Struct, frozen=True, array_like=True):
    """What a right step did: the rule that a role's node fired, what it took, and how the rule's guards fell.

    `way` is Timeout, Received or Commanded, and `took` "timeout" or the kind of the message or command.
    """

    rule: str
    role: str
    way: str
    took: str
    changed: bool
    sent: bool
    coin: str | None


def kind_of(value: Any) -> str:
    """The kind of a message or command, or of a type of them, as a trace calls it."""
    tag = getattr(getattr(value, "__struct_config__", None), "tag", None)
    kind = value if isinstance(value, type) else type(value)
    return kind.__name__ if tag is None else str(tag)


def conjunct_of(violated: Violated) -> str:
    """Which part of a rule is violated, without the names and values that differ from trace to trace."""
    if not violated.differences:
        return ""
    first = violated.differences[0]
    for what in ("not sent to ", "sent to "):
        if first.where.startswith(what):
            content = first.expected if first.found is None else first.found
            return f"{what.removesuffix(' to ')} {kind_of(content)}"
    return first.where.partition(" at ")[0]
