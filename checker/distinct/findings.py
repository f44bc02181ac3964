"""Findings about values and local steps, and the effects of right steps. Needs nothing heavy."""

from typing import Any

import msgspec

from gomboc.checker.judge.verdict import Violated

UNDECIDED = "undecided"
"""The rule of values and steps that could not be judged: the traces in which they occur are judged naively."""

ANEW = "names anew"
"""The mark of a right step with a new name, known neither to its node nor from its input. In each trace, that node must
exist.
"""


class LocalFinding(msgspec.Struct, frozen=True, array_like=True):
    """A fault of a value or a local step: the rule, and its false conjunct."""

    rule: str
    conjunct: str = ""


class PackFindings(msgspec.Struct, frozen=True):
    """Findings about the states, contents and steps of one pack, by number; a number without a finding is right.

    A right step has a finding only if it has a new name (`ANEW`).
    """

    states: dict[int, LocalFinding] = {}
    messages: dict[int, LocalFinding] = {}
    steps: dict[int, LocalFinding] = {}


def has_no_fault(findings: PackFindings) -> bool:
    """Whether all values and steps of a pack are right."""
    steps = all(finding.rule == ANEW for finding in findings.steps.values())
    return steps and not findings.states and not findings.messages


class Fired(msgspec.Struct, frozen=True, array_like=True):
    """The effect of a right step: the rule that a role's node fired, its input, and the results of the rule's guards.

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
    """The kind of a message or command, or of a type of them, as a trace spells it."""
    tag = getattr(getattr(value, "__struct_config__", None), "tag", None)
    kind = value if isinstance(value, type) else type(value)
    return kind.__name__ if tag is None else str(tag)


def conjunct_of(violated: Violated) -> str:
    """The violated part of a rule, without the names and values that differ from trace to trace."""
    if not violated.differences:
        return ""
    first = violated.differences[0]
    for what in ("not sent to ", "sent to "):
        if first.where.startswith(what):
            content = first.expected if first.found is None else first.found
            return f"{what.removesuffix(' to ')} {kind_of(content)}"
    return first.where.partition(" at ")[0]
