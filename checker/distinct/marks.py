"""Findings as columns: masks of the wrong values and local steps of a pack."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE, Distinct
from gomboc.checker.distinct.findings import ANEW, UNDECIDED, LocalFinding, PackFindings

NOTHING_WRONG = PackFindings()
"""The findings of a pack without faults."""


@dataclass(frozen=True)
class Marks:
    """The findings of a pack as one column of booleans for each condition that composing needs."""

    distinct: Distinct
    findings: PackFindings = NOTHING_WRONG

    @cached_property
    def malformed_states(self) -> Array:
        """A mask of the states that are not canonical."""
        return _marked(len(self.distinct.state_role), _of(self.findings.states, undecided=False))

    @cached_property
    def malformed_messages(self) -> Array:
        """A mask of the contents that are not canonical."""
        return _marked(self.distinct.contents, _of(self.findings.messages, undecided=False))

    @cached_property
    def undecided_states(self) -> Array:
        """A mask of the states that cannot be read or judged."""
        return _marked(len(self.distinct.state_role), _of(self.findings.states, undecided=True))

    @cached_property
    def undecided_messages(self) -> Array:
        """A mask of the contents that cannot be read as messages, or have not been judged as such."""
        return _marked(self.distinct.contents, _of(self.findings.messages, undecided=True)) | self.distinct.commands

    @cached_property
    def unfit_states(self) -> Array:
        """A mask of the states that the protocol's functions must not be called with: no judgement goes beyond them."""
        return self.malformed_states | self.undecided_states

    @cached_property
    def unfit_messages(self) -> Array:
        """A mask of the contents that the protocol's functions must not be called with."""
        return self.malformed_messages | self.undecided_messages

    @property
    def any_malformed_start(self) -> bool:
        """Whether the start of a trace could hold a value that is not canonical."""
        return bool(self.malformed_states.any() or self.malformed_messages.any())

    @cached_property
    def malformed_steps(self) -> Array:
        """A mask of the steps that lead to a state, or send a message, that is not canonical."""
        return self._holding(self.malformed_states, self.malformed_messages)

    @property
    def any_malformed(self) -> bool:
        """Whether there is a malformed step."""
        return bool(self.malformed_steps.any())

    @cached_property
    def undecided_steps(self) -> Array:
        """A mask of the steps that could not be judged, or hold a value that cannot be read."""
        received = self.distinct.received
        undecided = self._holding(self.undecided_states, self.undecided_messages)
        said = np.flatnonzero(received != NONE)
        undecided[said] |= self.undecided_messages[received[said]]
        return undecided | _marked(len(self.distinct), _of(self.findings.steps, undecided=True))

    @cached_property
    def any_undecided(self) -> bool:
        """Whether there is an undecided step."""
        return bool(self.undecided_steps.any())

    @cached_property
    def wrong_steps(self) -> Array:
        """A mask of the steps that the specification does not allow."""
        return _marked(len(self.distinct), _of(self.findings.steps, undecided=False))

    @cached_property
    def naming_steps(self) -> Array:
        """A mask of the steps that may have a new name, known neither to their node nor from their input: few right
        steps do.
        """
        return _marked(len(self.distinct), self.findings.steps)

    @cached_property
    def any_wrong(self) -> bool:
        """Whether there is a wrong step."""
        return bool(self.wrong_steps.any())

    def _holding(self, states: Array, messages: Array) -> Array:
        distinct = self.distinct
        holding = np.zeros(len(distinct), bool)
        acting = distinct.before != NONE
        holding[acting] = states[distinct.after[acting]]
        sent = messages[distinct.send_content]
        holding[np.repeat(np.arange(len(distinct)), distinct.sends)[sent]] = True
        return holding


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
