"""What is known of the values and local steps of one pack before any of its traces is looked at."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from checker.replay.kernel.arrays import Array
from checker.replay.kernel.dictionary import NONE, Dictionary
from checker.replay.kernel.findings import UNDECIDED, Finding


@dataclass(frozen=True)
class Judged:
    """Findings by number, for states, for contents of messages and for steps; what is not named is right."""

    dictionary: Dictionary
    states: Mapping[int, Finding] = field(default_factory=dict)
    messages: Mapping[int, Finding] = field(default_factory=dict)
    steps: Mapping[int, Finding] = field(default_factory=dict)

    @cached_property
    def malformed_states(self) -> Array:
        """Which states are not canonical."""
        return _marked(len(self.dictionary.state_role), _of(self.states, undecided=False))

    @cached_property
    def malformed_messages(self) -> Array:
        """Which contents are not canonical."""
        return _marked(self.dictionary.contents, _of(self.messages, undecided=False))

    @cached_property
    def undecided_states(self) -> Array:
        """Which states mean nothing."""
        return _marked(len(self.dictionary.state_role), _of(self.states, undecided=True))

    @cached_property
    def undecided_messages(self) -> Array:
        """Which contents mean nothing as messages, or have not been judged as such."""
        return _marked(self.dictionary.contents, _of(self.messages, undecided=True)) | self.dictionary.commands

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
        received = self.dictionary.received
        found = self._holding(self.undecided_states, self.undecided_messages)
        said = np.flatnonzero(received != NONE)
        found[said] |= self.undecided_messages[received[said]]
        return found | _marked(len(self.dictionary), _of(self.steps, undecided=True))

    @cached_property
    def any_undecided(self) -> bool:
        """Whether any step could not."""
        return bool(self.undecided_steps.any())

    @cached_property
    def wrong_steps(self) -> Array:
        """Which steps the specification does not allow."""
        return _marked(len(self.dictionary), _of(self.steps, undecided=False))

    @cached_property
    def any_wrong(self) -> bool:
        """Whether any step is wrong."""
        return bool(self.wrong_steps.any())

    def _holding(self, states: Array, messages: Array) -> Array:
        words = self.dictionary
        found = np.zeros(len(words), bool)
        acting = words.before != NONE
        found[acting] = states[words.after[acting]]
        sent = messages[words.send_content]
        found[np.repeat(np.arange(len(words)), words.sends)[sent]] = True
        return found


def _of(findings: Mapping[int, Finding], undecided: bool) -> list[int]:
    return [number for number, finding in findings.items() if (finding.rule == UNDECIDED) is undecided]


def _marked(size: int, places: Iterable[int]) -> Array:
    marked = np.zeros(size, bool)
    marked[list(places)] = True
    return marked
