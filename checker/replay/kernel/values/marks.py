"""Findings as columns: which values and local steps of a pack are wrong, and which traces hold them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gomboc.checker.replay.kernel.arrays import Array
from gomboc.checker.replay.kernel.values.distinct import NONE, Distinct
from gomboc.checker.replay.kernel.values.findings import ANEW, UNDECIDED, LocalFinding, PackFindings

NOTHING_WRONG = PackFindings()
"""What is said of a pack in which everything is right."""


@dataclass(frozen=True)
class Marks:
    """The findings of a pack as one column of booleans for each question that composing asks."""

    distinct: Distinct
    findings: PackFindings = NOTHING_WRONG

    @cached_property
    def malformed_states(self) -> Array:
        """Which states are not canonical."""
        return _marked(len(self.distinct.state_role), _of(self.findings.states, undecided=False))

    @cached_property
    def malformed_messages(self) -> Array:
        """Which contents are not canonical."""
        return _marked(self.distinct.contents, _of(self.findings.messages, undecided=False))

    @cached_property
    def undecided_states(self) -> Array:
        """Which states mean nothing."""
        return _marked(len(self.distinct.state_role), _of(self.findings.states, undecided=True))

    @cached_property
    def undecided_messages(self) -> Array:
        """Which contents mean nothing as messages, or have not been judged as such."""
        return _marked(self.distinct.contents, _of(self.findings.messages, undecided=True)) | self.distinct.commands

    @cached_property
    def unfit_states(self) -> Array:
        """Which states nobody may be asked about: nothing is judged from where one of them occurs."""
        return self.malformed_states | self.undecided_states

    @cached_property
    def unfit_messages(self) -> Array:
        """Which contents nobody may be asked about."""
        return self.malformed_messages | self.undecided_messages

    @property
    def any_malformed_start(self) -> bool:
        """Whether a trace could start with what is not canonical."""
        return bool(self.malformed_states.any() or self.malformed_messages.any())

    @cached_property
    def malformed_steps(self) -> Array:
        """Which steps lead to a state, or send a message, that is not canonical."""
        return self._holding(self.malformed_states, self.malformed_messages)

    @property
    def any_malformed(self) -> bool:
        """Whether any step is."""
        return bool(self.malformed_steps.any())

    @cached_property
    def undecided_steps(self) -> Array:
        """Which steps could not be judged, or hold what means nothing."""
        received = self.distinct.received
        found = self._holding(self.undecided_states, self.undecided_messages)
        said = np.flatnonzero(received != NONE)
        found[said] |= self.undecided_messages[received[said]]
        return found | _marked(len(self.distinct), _of(self.findings.steps, undecided=True))

    @cached_property
    def any_undecided(self) -> bool:
        """Whether any step could not."""
        return bool(self.undecided_steps.any())

    @cached_property
    def wrong_steps(self) -> Array:
        """Which steps the specification does not allow."""
        return _marked(len(self.distinct), _of(self.findings.steps, undecided=False))

    @cached_property
    def naming_steps(self) -> Array:
        """Which steps may name somebody whom nothing before them named: of those that are right, few do."""
        return _marked(len(self.distinct), self.findings.steps)

    @cached_property
    def any_wrong(self) -> bool:
        """Whether any step is wrong."""
        return bool(self.wrong_steps.any())

    def _holding(self, states: Array, messages: Array) -> Array:
        distinct = self.distinct
        found = np.zeros(len(distinct), bool)
        acting = distinct.before != NONE
        found[acting] = states[distinct.after[acting]]
        sent = messages[distinct.send_content]
        found[np.repeat(np.arange(len(distinct)), distinct.sends)[sent]] = True
        return found


def _of(findings: Mapping[int, LocalFinding], undecided: bool) -> list[int]:
    return [
        number
        for number, finding in findings.items()
        if finding.rule != ANEW and (finding.rule == UNDECIDED) is undecided
    ]


def _marked(size: int, places: Iterable[int]) -> Array:
    marked = np.zeros(size, bool)
    marked[list(places)] = True
    return marked
