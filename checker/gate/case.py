"""Results of a gate: one case for each property of each piece that was judged."""

from collections.abc import Iterable, Sequence

import msgspec

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED

FAULT = 70
WORDS = {HOLDS: "holds", VIOLATED: "violated", USAGE: "unreadable", UNKNOWN: "unknown", FAULT: "fault"}
"""The names of the exit codes in a gate."""

WORST = (VIOLATED, FAULT, USAGE, UNKNOWN, HOLDS)
"""Exit codes, worst first: the first that occurs is that of several cases."""


class GateCase(msgspec.Struct, frozen=True):
    """A property of a piece: its exit code, a sentence, and the file and line that it is about.

    `chunk` is the piece: a trace, all traces of one size, a model, a lemma. `file` is relative to the project, or
    absolute where it is not below it. `seconds` is its share of the time that its command took.
    """

    property: str
    chunk: str
    code: int
    says: str
    file: str = "pyproject.toml"
    line: int = 1
    seconds: float = 0.0

    def verdict(self) -> str:
        """The name of its exit code."""
        return WORDS[self.code]

    def about(self) -> str:
        """The property, and the piece in brackets."""
        return f"{self.property} ({self.chunk})" if self.chunk else self.property


class Stage(msgspec.Struct, frozen=True):
    """The result of a stage: the commands that were run, and its cases. A stage without any case shows nothing."""

    name: str
    commands: tuple[str, ...]
    cases: tuple[GateCase, ...]

    @property
    def code(self) -> int:
        """The exit code of the whole stage."""
        return worst(case.code for case in self.cases)

    def verdict(self) -> str:
        """The name of its exit code."""
        return WORDS[self.code]


def worst(codes: Iterable[int]) -> int:
    """The exit code of several; unknown if there are none."""
    occurring: Sequence[int] = [*codes]
    return next((code for code in WORST if code in occurring), UNKNOWN)


class Named(msgspec.Struct, frozen=True):
    """The protocol's name, empty if it cannot be used; the key whose value cannot be used, and why, in a sentence."""

    protocol: str = ""
    key: str = ""
    says: str = ""
